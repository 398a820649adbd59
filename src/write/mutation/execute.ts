/**
 * Sends mutations to the database: the only file that inserts, updates or deletes documents of models (test/architecture/commits.test.ts),
 * for `commit` alone.
 */
import { gatherer } from '../../async/gathered.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { checkNewId, hasObjectIds } from '../../models/fields/document-id.ts';
import { noteLanguageField } from '../../models/loading/text-language.ts';
import { type Collection, isNew, mongo, type Row, saveDocument, storedRow } from '../../models/mongoose.ts';
import { checkBeforeStore, ownWrite } from '../../models/mongoose/model-writes.ts';
import type { Filter } from '../../query/filter.ts';
import { rowAfter } from '../../query/row-update.ts';
import type { Services } from '../../services.ts';
import type {
  Author,
  Change,
  Insertion,
  ListOutcome,
  Mutation,
  MutationList,
  Removal,
  RowGuard,
  Save,
  State,
  WriteProgress,
} from '../contract.ts';
import { type Command, keepBeforeImages, type OtherImage, type Send } from './both-images.ts';
import { collectionOf, idsOf, type ImageNeed, imageOf, imagesOf, type InUnit, rowsOf, sessionOf } from './images.ts';
import { withContext } from './middleware-context.ts';
import { type BulkCommand, byId, commandOf, faultIndex, listOutcome, stateOf, statesOfMade } from './mutation-list.ts';
import { sendIfAllowed } from './row-guard.ts';
import { watchBulk, watchInsert, watchMany, watchOne, watchSave } from './watched.ts';

/** What sending needs of a writer. */
export interface Sender extends InUnit {
  readonly cause?: Author['cause'] | undefined;
  readonly progress?: WriteProgress | undefined;
  readonly services: Pick<Services, 'bus'> & Partial<Pick<Services, 'reads'>>;
}

/** What a mutation has done. */
export interface MutationResult<T> {
  readonly outcome: T;
  readonly states: readonly State[];
  /** Whether documents that are not in `states` may have changed. */
  readonly invalidates?: boolean;
}

/** A document after a mutation, or as its plan wants it; null if none matched. Of several documents, that of the first, or null. */
export type Outcome = Row | null;

/**
 * @param before the document as the transaction has left it, if that is known: an update does not read it then
 * @throws the errors of Mongoose and the driver, unchanged
 */
export const execute = (
  writer: Sender,
  mutation: Mutation,
  wanted: ImageNeed,
  before?: Row,
): Promise<MutationResult<Outcome>> =>
  executorOf(mutation)(writer, wanted, before).catch((error: unknown) => {
    noteLanguageField(error, mutation.model.schema);
    throw error;
  });

type Execute = (writer: Sender, wanted: ImageNeed, before: Row | undefined) => Promise<MutationResult<Outcome>>;

function executorOf(mutation: Mutation): Execute {
  if ('document' in mutation) return (writer, wanted) => save(mutation, writer, wanted);
  if (mutation.kind === 'insert') return (writer) => insert(mutation, writer);
  if (mutation.kind === 'remove') return (writer) => remove(mutation, writer);
  const { many } = mutation;
  if (many === undefined) return (writer, wanted, before) => change(mutation, writer, wanted, before);
  return (writer, wanted) => changeMany(mutation, many, writer, wanted);
}

async function insert({ model, rows }: Insertion, writer: Sender): Promise<MutationResult<Outcome>> {
  await watchInsert<unknown>(writer, model, rows.length, () => sendRows(collectionOf(model), rows, writer));
  return { outcome: rows[0] ?? null, states: rows.map((after) => ({ kind: 'insert', event: 'post', after })) };
}

async function save(mutation: Save, writer: Sender, wanted: ImageNeed): Promise<MutationResult<Outcome>> {
  const { kind, model, document, event, before, guard, isValidated } = mutation;
  const filter = { _id: storedRow(document)['_id'] } as Filter;
  const isMade = isNew(document);
  const image = before ?? (wanted === 'none' || isMade ? undefined : await imageOf(model, filter, writer));
  const mayLackId = isMade && !hasObjectIds(model);
  const check = (row: Row): void => {
    if (mayLackId) checkNewId(model, row['_id']);
    guard?.(row);
  };
  if (mayLackId || guard !== undefined) checkBeforeStore(document, () => check(storedRow(document)));
  const options = { ...sessionOf(writer), ...(isValidated && { validateBeforeSave: false }) };
  await saveDocument(watchSave(writer, model, ownWrite(withContext(document, writer))), options);
  // a loaded document has empty objects that are not stored, or lacks those that are
  const after = (wanted === 'both' && !isMade && (await imageOf(model, filter, writer))) || storedRow(document);
  return { outcome: after, states: [{ kind, event, before: image, after }] };
}

async function change(
  mutation: Change,
  writer: Sender,
  wanted: ImageNeed,
  known?: Row,
): Promise<MutationResult<Outcome>> {
  const { kind, model, event, returns = 'after' } = mutation;
  const isWanted = event !== undefined && (wanted !== 'none' || writer.services.bus.wantsBefore(model));
  const kept: OtherImage | undefined =
    isWanted && (returns === 'after' || wanted === 'both') ? { before: known } : undefined;
  const row = await updateOne(mutation, writer, kept);
  if (row === null || event === undefined) return { outcome: row, states: [] };
  if (kept === undefined) return { outcome: row, states: [{ kind, event, [returns]: row }] };
  const { before } = kept;
  return { outcome: returns === 'before' ? (before ?? row) : row, states: [{ kind, event, before, after: row }] };
}

async function changeMany(
  { kind, model, filter, update, event = 'put' }: Change,
  images: NonNullable<Change['many']>,
  writer: Sender,
  wanted: ImageNeed,
): Promise<MutationResult<Outcome>> {
  const found = wanted === 'both' ? await imagesOf(model, filter, writer) : undefined;
  const run = () => collectionOf(model).updateMany(filter, update, sessionOf(writer));
  await watchMany(writer, 'updateMany', { model, filter }, run);
  const state = (images: Pick<State, 'before' | 'after'>): State => ({ kind, event, ...images });
  if (found !== undefined) {
    const rows = byId(await rowsOf(model, idsOf(found), writer));
    const changed = [...found].filter(([id]) => rows.has(id));
    return { outcome: null, states: changed.map(([id, before]) => state({ before, after: rows.get(id) })) };
  }
  if (images === true) return { outcome: null, states: [], invalidates: true };
  if ('before' in images) return { outcome: null, states: images.before.map((before) => state({ before })) };
  return { outcome: null, states: (await rowsOf(model, images.after, writer)).map((after) => state({ after })) };
}

async function remove({ kind, model, filter, many }: Removal, writer: Sender): Promise<MutationResult<Outcome>> {
  const state = (before: Row): State => ({ kind, event: 'del', before });
  if (many === undefined) {
    const run = () => collectionOf(model).findOneAndDelete(filter, sessionOf(writer)) as Promise<Row | null>;
    const row = await watchOne(writer, 'deleteOne', { model, filter }, run);
    return { outcome: row, states: row === null ? [] : [state(row)] };
  }
  const run = () => collectionOf(model).deleteMany(filter, sessionOf(writer));
  await watchMany(writer, 'deleteMany', { model, filter }, run);
  return many === true
    ? { outcome: null, states: [], invalidates: true }
    : { outcome: null, states: many.before.map(state) };
}

/** One document, outside of a unit, is inserted with those of concurrent requests. */
function sendRows(collection: Collection, rows: readonly Row[], sender: InUnit): Promise<unknown> {
  const [only] = rows;
  if (only === undefined || rows.length > 1) return collection.insertMany([...rows], sessionOf(sender));
  return sender.unit === undefined ? insertTogether(collection, only) : collection.insertOne(only, sessionOf(sender));
}

/** Maximum documents of concurrent requests in one command. */
const maxTogether = 32;

/** Inserts documents by one command, which costs the driver and the database a fraction of one for each. */
const insertTogether = gatherer({ max: maxTogether }, async (collection: Collection, rows: readonly Row[]) => {
  const alone = (at: number): Promise<unknown> => collection.insertOne(rows[at] as Row);
  if (rows.length === 1) return [() => alone(0)];
  const refused = await refusedOf(collection, rows);
  // a document that is refused, or that prevents the command, has an error of its own
  return rows.map((_, at) => (refused === 'all' || refused.has(at) ? () => alone(at) : () => Promise.resolve()));
});

/** @returns the positions of documents that are not inserted @throws an error that concerns the whole command */
async function refusedOf(collection: Collection, rows: readonly Row[]): Promise<ReadonlySet<number> | 'all'> {
  try {
    await collection.insertMany([...rows], { ordered: false });
    return new Set();
  } catch (error) {
    // the driver cannot encode a document, and has sent nothing
    if (!(error instanceof mongo.MongoBulkWriteError)) return 'all';
    const refused = [error.writeErrors].flat();
    if (refused.length === 0) throw error;
    return new Set(refused.map(({ index }) => index));
  }
}

/** @param kept receives the document before the update; then the one after it is returned in any case */
function updateOne(mutation: Change, writer: Sender, kept?: OtherImage): Promise<Row | null> {
  const { model, filter, returns: returnDocument = 'after', guard } = mutation;
  const update = mutation.update as Row;
  const judged: Send =
    guard === undefined ? sendTo(model, writer) : (...given) => sendGuarded(model, guard, writer, given);
  const send = kept === undefined ? judged : keepBeforeImages(kept, judged, (one) => imageOf(model, one, writer));
  return send(filter, update, { returnDocument, ...sessionOf(writer) });
}

const sendTo =
  (model: ModelEntry, writer: Sender): Send =>
  (filter, update, options) =>
    watchOne(writer, 'updateOne', { model, filter }, () =>
      collectionOf(model).findOneAndUpdate(filter, update, options),
    );

const sendGuarded = (
  model: ModelEntry,
  guard: RowGuard,
  writer: Sender,
  [filter, update, options]: Command,
): Promise<Row | null> =>
  sendIfAllowed(
    () => collectionOf(model).findOne<Row>(filter, sessionOf(writer)),
    (before) => guard(rowAfter(before, update, new Date()), before),
    (narrowed) => sendTo(model, writer)({ $and: [filter, narrowed] }, update, options),
  );

/** @throws as `execute`; a fault outside of a transaction is in the outcome */
export async function executeList(writer: Sender, list: MutationList): Promise<MutationResult<ListOutcome>> {
  const { model, mutations, before } = list;
  const commands = mutations.map(commandOf);
  const outcome = await watchBulk(writer, { model, commands }, () => sendList(list, commands, writer));
  const { made, matched, error } = outcome;
  if (before === undefined)
    // the answer of a successful command may have been lost
    return { outcome, states: statesOfMade(mutations, outcome), invalidates: matched > 0 || error !== undefined };
  const ids = [...idsOf(before), ...made.values()];
  try {
    const after = byId(ids.length === 0 ? [] : await rowsOf(model, ids, writer));
    return { outcome, states: ids.map(String).flatMap((id) => stateOf(before.get(id), after.get(id))) };
  } catch (failure) {
    writer.services.bus.invalidate(model);
    throw failure;
  }
}

async function sendList(
  { model, mutations, maxTimeMS = 0 }: MutationList,
  commands: BulkCommand[],
  writer: Sender,
): Promise<ListOutcome> {
  const options = { ordered: true, ...(writer.unit?.session === undefined ? { maxTimeMS } : sessionOf(writer)) };
  try {
    return listOutcome(mutations, await collectionOf(model).bulkWrite(commands, options), commands.length);
  } catch (error) {
    noteLanguageField(error, model.schema);
    if (writer.unit?.session !== undefined || !(error instanceof mongo.MongoBulkWriteError)) throw error;
    return { ...listOutcome(mutations, error.result, faultIndex(error) ?? 0), error };
  }
}
