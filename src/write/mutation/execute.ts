/**
 * Sends mutations to the database: the only file that inserts, updates or deletes documents of models (test/architecture/commits.test.ts),
 * for `commit` alone.
 */
import { gathered } from '../../async/gathered.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { checkNewId, hasObjectIds } from '../../models/fields/document-id.ts';
import { noteLanguageField } from '../../models/loading/text-language.ts';
import { type Collection, isNew, mongo, type Row, saveDocument, storedRow } from '../../models/mongoose.ts';
import { beforeStored, ownWrite } from '../../models/mongoose/model-writes.ts';
import type { Filter } from '../../query/filter.ts';
import { rowAfter } from '../../query/row-update.ts';
import type { Services } from '../../services.ts';
import type { Author, BulkOutcome, Mutation, Outcomes, RowGuard, WriteProgress } from '../contract.ts';
import { type Command, keepingBefore, type KeptImage, type Send } from './both-images.ts';
import { bulkOutcome, byId, faultIndex, madeBy, type State, stateOf } from './bulk-outcome.ts';
import { collectionOf, idsOf, imageOf, imagesOf, type InUnit, rowsOf, sessionOf, type Wanted } from './images.ts';
import { withContext } from './middleware-context.ts';
import { sendIfAllowed } from './row-guard.ts';
import { watchedBulk, watchedInsert, watchedMany, watchedOne, watchedSave } from './watched.ts';

/** What sending needs of a writer. */
export interface Sender extends InUnit {
  readonly cause?: Author['cause'] | undefined;
  readonly progress?: WriteProgress | undefined;
  readonly services: Pick<Services, 'bus'> & Partial<Pick<Services, 'readWatch'>>;
}

/** The result of a mutation of any kind. */
export type Outcome = Outcomes[Mutation['kind']];

/** What a mutation has done. */
export interface Done<T> {
  readonly outcome: T;
  readonly states: readonly State[];
  /** Whether documents that are not in `states` may have changed. */
  readonly invalidates?: boolean;
}

/** The mutation of a kind. */
export type Of<K extends Mutation['kind']> = Extract<Mutation, { kind: K }>;
type Execute<K extends Mutation['kind']> = (
  mutation: Of<K>,
  writer: Sender,
  wanted: Wanted,
  before: Row | undefined,
) => Promise<Done<Outcomes[K]>>;

/**
 * @param before the document as the transaction has left it, if that is known: an update does not read it then
 * @throws the errors of Mongoose and the driver, unchanged
 */
export const execute = (writer: Sender, mutation: Mutation, wanted: Wanted, before?: Row): Promise<Done<Outcome>> =>
  (executors[mutation.kind] as Execute<Mutation['kind']>)(mutation, writer, wanted, before).catch((error: unknown) => {
    noteLanguageField(error, mutation.model.schema);
    throw error;
  });

const executors: { readonly [K in Mutation['kind']]: Execute<K> } = {
  async insert({ model, rows }, writer) {
    await watchedInsert<unknown>(writer, model, rows.length, () => insert(collectionOf(model), rows, writer));
    return { outcome: rows.length, states: rows.map((after) => ({ event: 'post', after })) };
  },
  async save(mutation, writer, wanted) {
    const { model, document, event, before, guard, isValidated } = mutation;
    const filter = { _id: storedRow(document)['_id'] } as Filter;
    const isMade = isNew(document);
    const image = before ?? (wanted === 'none' || isMade ? undefined : await imageOf(model, filter, writer));
    const mayLackId = isMade && !hasObjectIds(model);
    const check = (row: Row): void => {
      if (mayLackId) checkNewId(model, row['_id']);
      guard?.(row);
    };
    if (mayLackId || guard !== undefined) beforeStored(document, () => check(storedRow(document)));
    const options = { ...sessionOf(writer), ...(isValidated && { validateBeforeSave: false }) };
    await saveDocument(watchedSave(writer, model, ownWrite(withContext(document, writer))), options);
    // a loaded document has empty objects that are not stored, or lacks those that are
    const after = (wanted === 'both' && !isMade && (await imageOf(model, filter, writer))) || storedRow(document);
    return { outcome: after, states: [{ event, before: image, after }] };
  },
  async update(mutation, writer, wanted, before) {
    const { model, event, returns } = mutation;
    const isWanted = event !== undefined && (wanted !== 'none' || writer.services.bus.wantsBefore(model));
    const kept: KeptImage | undefined = isWanted && (returns === 'after' || wanted === 'both') ? { before } : undefined;
    const row = await updateOne(mutation, writer, kept);
    if (row === null || event === undefined) return { outcome: row, states: [] };
    if (kept === undefined)
      return { outcome: row, states: [returns === 'before' ? { event, before: row } : { event, after: row }] };
    const image = kept.before;
    return { outcome: returns === 'before' ? (image ?? row) : row, states: [{ event, before: image, after: row }] };
  },
  async updateMany({ model, filter, update, event, images }, writer, wanted) {
    const found = wanted === 'both' ? await imagesOf(model, filter, writer) : undefined;
    const send = () => collectionOf(model).updateMany(filter, update, sessionOf(writer));
    const { matchedCount } = await watchedMany(writer, 'updateMany', { model, filter }, send);
    if (found !== undefined) {
      const rows = byId(await rowsOf(model, idsOf(found), writer));
      const states = [...found].flatMap(([id, before]) => {
        const after = rows.get(id);
        return after === undefined ? [] : [{ event, before, after }];
      });
      return { outcome: matchedCount, states };
    }
    if ('before' in images)
      return { outcome: matchedCount, states: images.before.map((before) => ({ event, before })) };
    const after = await rowsOf(model, images.after, writer);
    return { outcome: matchedCount, states: after.map((row) => ({ event, after: row })) };
  },
  async delete({ model, filter }, writer) {
    const send = () => collectionOf(model).findOneAndDelete(filter, sessionOf(writer)) as Promise<Row | null>;
    const row = await watchedOne(writer, 'deleteOne', { model, filter }, send);
    return { outcome: row, states: row === null ? [] : [{ event: 'del', before: row }] };
  },
  async deleteMany({ model, filter, before }, writer) {
    const send = () => collectionOf(model).deleteMany(filter, sessionOf(writer));
    const { deletedCount } = await watchedMany(writer, 'deleteMany', { model, filter }, send);
    return { outcome: deletedCount, states: before.map((row) => ({ event: 'del', before: row })) };
  },
  bulk: executeBulk,
};

/** One document, outside of a unit, is inserted with those of concurrent requests. */
function insert(collection: Collection, rows: readonly Row[], sender: InUnit): Promise<unknown> {
  const [only] = rows;
  if (only === undefined || rows.length > 1) return collection.insertMany([...rows], sessionOf(sender));
  return sender.unit === undefined ? insertTogether(collection, only) : collection.insertOne(only, sessionOf(sender));
}

/** Maximum documents of concurrent requests in one command. */
const maxTogether = 32;

/** Inserts documents by one command, which costs the driver and the database a fraction of one for each. */
const insertTogether = gathered({ max: maxTogether }, async (collection: Collection, rows: readonly Row[]) => {
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
function updateOne(mutation: Of<'update'>, writer: Sender, kept?: KeptImage): Promise<Row | null> {
  const { model, filter, update, returns: returnDocument, guard } = mutation;
  const judged: Send =
    guard === undefined ? sendTo(model, writer) : (...given) => sendGuarded(model, guard, writer, given);
  const send = kept === undefined ? judged : keepingBefore(kept, judged, (one) => imageOf(model, one, writer));
  return send(filter, update, { returnDocument, ...sessionOf(writer) });
}

const sendTo =
  (model: ModelEntry, writer: Sender): Send =>
  (filter, update, options) =>
    watchedOne(writer, 'updateOne', { model, filter }, () =>
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

async function executeBulk(bulk: Of<'bulk'>, writer: Sender): Promise<Done<BulkOutcome>> {
  const { model, commands, before } = bulk;
  const outcome = await watchedBulk(writer, bulk, () => sendBulk(bulk, writer));
  const { made, matched, error } = outcome;
  if (before === undefined) {
    const states = [...made].map(([at, _id]) => ({ event: 'post' as const, after: { ...madeBy(commands[at]), _id } }));
    // the answer of a successful command may have been lost
    return { outcome, states, invalidates: matched > 0 || error !== undefined };
  }
  const ids = [...idsOf(before), ...made.values()];
  try {
    const after = byId(ids.length === 0 ? [] : await rowsOf(model, ids, writer));
    return { outcome, states: ids.map(String).flatMap((id) => stateOf(before.get(id), after.get(id))) };
  } catch (failure) {
    writer.services.bus.invalidate(model);
    throw failure;
  }
}

async function sendBulk({ model, commands, maxTimeMS = 0 }: Of<'bulk'>, writer: Sender): Promise<BulkOutcome> {
  const options = { ordered: true, ...(writer.unit?.session === undefined ? { maxTimeMS } : sessionOf(writer)) };
  try {
    return bulkOutcome(commands, await collectionOf(model).bulkWrite([...commands], options), commands.length);
  } catch (error) {
    if (writer.unit?.session !== undefined || !(error instanceof mongo.MongoBulkWriteError)) throw error;
    noteLanguageField(error, model.schema);
    return { ...bulkOutcome(commands, error.result, faultIndex(error) ?? 0), error };
  }
}
