/**
 * The unit of work: the only file that inserts, updates or deletes documents of models (test/architecture/commits.test.ts). `commit` writes
 * the mutations of plans, and their changes are published when the database has stored them permanently, never of what was rolled back.
 */
import type { Origin } from '../auth/contract.ts';
import type { ModelEntry } from '../models/entry.ts';
import { noteLanguageField } from '../models/loading/text-language.ts';
import { isNew, mongo, type Row, saveDocument, storedRow } from '../models/mongoose.ts';
import { beforeStored, ownWrite } from '../models/mongoose/model-writes.ts';
import type { Filter } from '../query/filter.ts';
import { rowAfter } from '../query/row-update.ts';
import type { Change } from '../realtime/changes/contract.ts';
import type { Services } from '../services.ts';
import type { BulkOutcome, Mutation, Outcomes, Recorder, RowGuard, UnitOfWork, WriteEffects } from './contract.ts';
import { type Command, keepingBefore, type KeptImage, type Send, type Sending } from './mutation/both-images.ts';
import { bulkOutcome, byId, faultIndex, madeBy, nothingDone, type State, stateOf } from './mutation/bulk-outcome.ts';
import { withWholePaths } from './mutation/cast-paths.ts';
import { directlySet } from './mutation/directly-set.ts';
import { rollBack, transientErrorIn } from './mutation/failed-unit.ts';
import { collectionOf, idsOf, imageOf, imagesOf, rowsOf, sessionOf } from './mutation/images.ts';
import { writeEntries } from './mutation/record.ts';
import { repeatable } from './mutation/repeatable.ts';
import { sendIfAllowed } from './mutation/row-guard.ts';
import { type Wanted, wantedBy } from './mutation/wants-images.ts';
import { watchedBulk, watchedInsert, watchedMany, watchedOne, watchedSave } from './mutation/watched.ts';

export { sessionOf } from './mutation/images.ts';

/** The writer of mutations: the user, the model's services and the unit of work. */
export interface Writer {
  readonly services: Pick<Services, 'bus' | 'inTransaction' | 'recorders'> & Partial<Pick<Services, 'readWatch'>>;
  /** The unit of work of the write; undefined for a single write. */
  readonly unit?: UnitOfWork | undefined;
  /** Id of the user who writes. */
  readonly user: string | undefined;
  /** Where the request comes from; undefined for writes of the server itself. */
  readonly origin?: Origin;
  /** Subscribers are not notified; caches and sessions are. */
  readonly silent: boolean;
}

/**
 * Writes one mutation, by one command, in the writer's unit of work where there is one. A mutation that a recorder needs has a unit of
 * its own otherwise, so that it is written together with its entries.
 * @throws the errors of Mongoose and the driver, unchanged
 */
export async function commit<M extends Mutation>(writer: Writer, mutation: M): Promise<Outcomes[M['kind']]> {
  const recorders = writer.services.recorders.filter((one) => one.needs(mutation));
  if (writer.unit !== undefined || recorders.length === 0) return write(writer, mutation, recorders);
  if (mutation.kind === 'bulk') return (await bulkUnit(writer, mutation)) as Outcomes[M['kind']];
  const attempt = repeatable(mutation);
  return transaction(writer, (inner) => write(inner, attempt(), recorders));
}

/** A transaction keeps nothing of a bulk write that fails, so the commands before the fault are written once more, without it. */
async function bulkUnit(writer: Writer, bulk: Of<'bulk'>): Promise<BulkOutcome> {
  try {
    return await transaction(writer, (inner) => commit(inner, bulk));
  } catch (error) {
    const done = faultIndex(error);
    if (done === undefined) throw error;
    const before =
      done === 0 ? nothingDone : await bulkUnit(writer, { ...bulk, commands: bulk.commands.slice(0, done) });
    return { error: error as Error, ...before };
  }
}

/** @param recorders that need the mutation */
async function write<M extends Mutation>(
  writer: Writer,
  mutation: M,
  recorders: readonly Recorder[],
): Promise<Outcomes[M['kind']]> {
  const { unit, services } = writer;
  const { undo } = mutation;
  const effects: WriteEffects = { changes: [] };
  // a failed command may have written some of its documents
  if (undo !== undefined) effects.undo = () => execute(writer, undo, 'none');
  unit?.effects.push(effects);
  const { outcome, states, invalidates } = await execute(writer, mutation, wantedBy(recorders, mutation));
  effects.changes = states.map((state) => changeOf(writer, mutation.model, state));
  if (recorders.length > 0)
    effects.recordings = recorders.map((recorder) => ({
      recorder,
      entries: recorder.entriesOf(mutation, states, writer),
    }));
  if (invalidates === true) effects.invalidated = mutation.model;
  if (unit === undefined) publish(services, [effects]);
  return outcome as Outcomes[M['kind']];
}

/**
 * Runs work as one unit: in a transaction where the database has them, or as a part of the enclosing unit. Its changes are
 * published after the commit. Without transactions, a failure undoes the mutations that have an `undo`, and publishes the others.
 * @param work is run again when the transaction conflicts with another one
 * @param isExclusive whether no other such unit runs (`write/unit.ts`)
 * @throws what the work throws, and the driver's errors
 */
export async function transaction<C extends Pick<Writer, 'services' | 'unit'>, T>(
  actor: C,
  work: (inner: C & { readonly unit: UnitOfWork }) => Promise<T>,
  isExclusive = false,
): Promise<T> {
  const { services, unit: outer } = actor;
  if (outer !== undefined) return work({ ...actor, unit: outer });
  let unit: UnitOfWork = { session: undefined, effects: [] };
  try {
    const result = await services.inTransaction(async (session) => {
      unit = { session, effects: [], isExclusive };
      try {
        const result = await work({ ...actor, unit });
        await writeEntries(unit.effects, session);
        return result;
      } catch (error) {
        throw transientErrorIn(error) ?? error;
      }
    });
    publish(services, unit.effects);
    return result;
  } catch (error) {
    if (unit.session === undefined) await publishRemaining(services, unit.effects);
    throw error;
  }
}

/** Without a transaction, undoes what can be undone of a failed unit, and records and publishes the rest. */
async function publishRemaining(services: Writer['services'], effects: readonly WriteEffects[]): Promise<void> {
  const remaining = await rollBack(effects);
  // the failure of the unit is the one to report
  await writeEntries(remaining, undefined).catch(() => undefined);
  publish(services, remaining);
}

function publish({ bus }: Writer['services'], effects: readonly WriteEffects[]): void {
  const changes = effects.flatMap((one) => one.changes);
  if (changes.length > 0) bus.publish(changes);
  for (const { invalidated, recordings = [] } of effects) {
    if (invalidated !== undefined) bus.invalidate(invalidated);
    for (const { recorder, entries } of recordings) if (entries.length > 0) recorder.committed?.(entries);
  }
}

const changeOf = ({ user, silent }: Writer, model: ModelEntry, state: State): Change => ({
  ...state,
  model,
  id: String((state.after ?? state.before)?.['_id']),
  user,
  silent,
});

interface Done<T> {
  readonly outcome: T;
  readonly states: readonly State[];
  /** Whether documents that are not in `states` may have changed. */
  readonly invalidates?: boolean;
}

type Of<K extends Mutation['kind']> = Extract<Mutation, { kind: K }>;
type Execute<K extends Mutation['kind']> = (
  mutation: Of<K>,
  writer: Writer,
  wanted: Wanted,
) => Promise<Done<Outcomes[K]>>;

const execute = (writer: Writer, mutation: Mutation, wanted: Wanted): Promise<Done<Outcomes[Mutation['kind']]>> =>
  (executors[mutation.kind] as Execute<Mutation['kind']>)(mutation, writer, wanted).catch((error: unknown) => {
    noteLanguageField(error, mutation.model.schema);
    throw error;
  });

const executors: { readonly [K in Mutation['kind']]: Execute<K> } = {
  async insert({ model, rows }, writer) {
    // a bulk write costs the driver more
    await watchedInsert<object>(writer, model, rows.length, () =>
      rows.length === 1
        ? collectionOf(model).insertOne(rows[0] as Row, sessionOf(writer))
        : collectionOf(model).insertMany(rows, sessionOf(writer)),
    );
    return { outcome: rows.length, states: rows.map((after) => ({ event: 'post', after })) };
  },
  async save(mutation, writer, wanted) {
    const { model, document, event, before, guard, isValidated } = mutation;
    const filter = { _id: storedRow(document)['_id'] } as Filter;
    const isMade = isNew(document);
    const image = before ?? (wanted === 'none' || isMade ? undefined : await imageOf(model, filter, writer));
    if (guard !== undefined) beforeStored(document, () => guard(storedRow(document)));
    const options = { ...sessionOf(writer), ...(isValidated && { validateBeforeSave: false }) };
    await saveDocument(watchedSave(writer, model, ownWrite(document)), options);
    // a loaded document has empty objects that are not stored, or lacks those that are
    const after = (wanted === 'both' && !isMade && (await imageOf(model, filter, writer))) || storedRow(document);
    return { outcome: after, states: [{ event, before: image, after }] };
  },
  async update(mutation, writer, wanted) {
    const { model, event, returns } = mutation;
    const isWanted = event !== undefined && (wanted !== 'none' || writer.services.bus.wantsBefore(model));
    const kept: KeptImage | undefined = isWanted && (returns === 'after' || wanted === 'both') ? {} : undefined;
    const row = await updateOne(mutation, writer, kept);
    if (row === null || event === undefined) return { outcome: row, states: [] };
    if (kept === undefined)
      return { outcome: row, states: [returns === 'before' ? { event, before: row } : { event, after: row }] };
    const { before } = kept;
    return { outcome: returns === 'before' ? (before ?? row) : row, states: [{ event, before, after: row }] };
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

/** @param kept receives the document before the update; then the one after it is returned in any case */
function updateOne(mutation: Of<'update'>, writer: Writer, kept?: KeptImage): Promise<Row | null> {
  const { model, filter, update, returns: returnDocument, through, guard } = mutation;
  const judged: Send =
    guard === undefined ? sendTo(model, writer) : (...given) => sendGuarded(model, guard, writer, given);
  const send = kept === undefined ? judged : keepingBefore(kept, judged, (one) => imageOf(model, one, writer));
  if (through === undefined) return send(filter, update, { returnDocument, ...sessionOf(writer) });
  const set = directlySet(mutation);
  if (set !== undefined) return send(filter, { ...update, $set: set }, { returnDocument, ...sessionOf(writer) });
  const options = { returnDocument, runValidators: true, lean: true, context: 'query', ...sessionOf(writer) } as const;
  const query = ownWrite(through.findOneAndUpdate(filter, update, options));
  // middleware has run, and values are cast, when Mongoose sends its command
  (query as unknown as Sending).mongooseCollection = { findOneAndUpdate: send };
  return withWholePaths(update, () => query.exec());
}

const sendTo =
  (model: ModelEntry, writer: Writer): Send =>
  (filter, update, options) =>
    watchedOne(writer, 'updateOne', { model, filter }, () =>
      collectionOf(model).findOneAndUpdate(filter, update, options),
    );

const sendGuarded = (
  model: ModelEntry,
  guard: RowGuard,
  writer: Writer,
  [filter, update, options]: Command,
): Promise<Row | null> =>
  sendIfAllowed(
    () => collectionOf(model).findOne<Row>(filter, sessionOf(writer)),
    (before) => guard(rowAfter(before, update, new Date())),
    (narrowed) => sendTo(model, writer)({ $and: [filter, narrowed] }, update, options),
  );

async function executeBulk(bulk: Of<'bulk'>, writer: Writer): Promise<Done<BulkOutcome>> {
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

async function sendBulk({ model, commands, maxTimeMS = 0 }: Of<'bulk'>, writer: Writer): Promise<BulkOutcome> {
  const options = { ordered: true, ...(writer.unit?.session === undefined ? { maxTimeMS } : sessionOf(writer)) };
  try {
    return bulkOutcome(commands, await collectionOf(model).bulkWrite([...commands], options), commands.length);
  } catch (error) {
    if (writer.unit?.session !== undefined || !(error instanceof mongo.MongoBulkWriteError)) throw error;
    noteLanguageField(error, model.schema);
    return { ...bulkOutcome(commands, error.result, faultIndex(error) ?? 0), error };
  }
}
