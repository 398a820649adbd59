/**
 * The unit of work: the only file that inserts, updates or deletes documents of models (test/architecture/commits.test.ts). Plans make
 * mutations, `commit` writes them, and their changes are published when the database has them for good: never before that, and
 * never of what was rolled back.
 */
import type { ModelEntry } from '../models/entry.ts';
import { beforeStored, ownWrite } from '../models/model-writes.ts';
import { type ClientSession, modelOf, mongo, type Row, saveDocument, storedRow } from '../models/mongoose.ts';
import type { Filter } from '../query/filter.ts';
import { rowAfter } from '../query/row-update.ts';
import type { Change } from '../realtime/changes/contract.ts';
import type { Services } from '../services.ts';
import type { UnitOfWork, WriteEffects } from './contract.ts';
import type { BulkCommand, BulkOutcome, Images, Mutation, Outcomes } from './mutation.ts';
import { guarded, type RowGuard } from './row-guard.ts';

/** The writer of mutations: the user, the model's services and the unit of work. */
export interface Writer {
  readonly services: Pick<Services, 'bus' | 'inTransaction'>;
  /** The unit of work of the write; undefined for a single write. */
  readonly unit?: UnitOfWork | undefined;
  /** Id of the user who writes. */
  readonly user: string | undefined;
  /** Subscribers are not notified; caches and sessions are. */
  readonly silent: boolean;
}

/**
 * Writes one mutation, by one command, in the writer's unit of work where there is one.
 * @throws the errors of Mongoose and the driver, unchanged
 */
export async function commit<M extends Mutation>(writer: Writer, mutation: M): Promise<Outcomes[M['kind']]> {
  const { unit, services } = writer;
  const { undo } = mutation;
  const effects: WriteEffects = { changes: [] };
  // a failed command may have written some of its documents
  if (undo !== undefined) effects.undo = () => execute(writer, undo);
  unit?.effects.push(effects);
  const { outcome, states, touched } = await execute(writer, mutation);
  effects.changes = states.map((state) => changeOf(writer, mutation.model, state));
  if (touched === true) effects.touched = mutation.model;
  if (unit === undefined) publish(services, [effects]);
  return outcome as Outcomes[M['kind']];
}

/**
 * Runs work as one unit: in a transaction where the database has them, or as a part of the enclosing unit. Its changes are
 * published after the commit. Without transactions, a failure undoes the mutations that have an `undo`, and publishes the others.
 * @param work is run again when the transaction conflicts with another one
 * @param isAlone whether no other such unit runs (`write/unit.ts`)
 * @throws what the work throws, and the driver's errors
 */
export async function transaction<C extends Pick<Writer, 'services' | 'unit'>, T>(
  context: C,
  work: (inner: C & { readonly unit: UnitOfWork }) => Promise<T>,
  isAlone = false,
): Promise<T> {
  const { services, unit: outer } = context;
  if (outer !== undefined) return work({ ...context, unit: outer });
  let unit: UnitOfWork = { session: undefined, effects: [] };
  try {
    const result = await services.inTransaction(async (session) => {
      unit = { session, effects: [], isAlone };
      try {
        return await work({ ...context, unit });
      } catch (error) {
        throw transientErrorIn(error) ?? error;
      }
    });
    publish(services, unit.effects);
    return result;
  } catch (error) {
    if (unit.session === undefined) publish(services, await rollBack(unit.effects));
    throw error;
  }
}

/** Options of a command in a unit of work. */
export const sessionOf = ({ unit }: Pick<Writer, 'unit'>): { session?: ClientSession } =>
  unit?.session === undefined ? {} : { session: unit.session };

/** The error that makes the driver retry a transaction; it may be the cause of a failure. */
function transientErrorIn(error: unknown): unknown {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof mongo.MongoError && at.hasErrorLabel('TransientTransactionError')) return at;
  return undefined;
}

/** Undoes mutations in reverse order. @returns the effects that remain */
async function rollBack(effects: readonly WriteEffects[]): Promise<WriteEffects[]> {
  const kept: WriteEffects[] = [];
  for (const one of [...effects].reverse())
    try {
      if (one.undo === undefined) kept.unshift(one);
      await one.undo?.();
    } catch {
      kept.unshift(one);
    }
  return kept;
}

function publish({ bus }: Writer['services'], effects: readonly WriteEffects[]): void {
  const changes = effects.flatMap((one) => one.changes);
  if (changes.length > 0) bus.publish(changes);
  for (const { touched } of effects) if (touched !== undefined) bus.touched(touched);
}

/** The parts of a change that its command provides. */
type State = Pick<Change, 'event' | 'before' | 'after' | 'joined'>;

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
  readonly touched?: boolean;
}

type Of<K extends Mutation['kind']> = Extract<Mutation, { kind: K }>;
type Execute<K extends Mutation['kind']> = (mutation: Of<K>, writer: Writer) => Promise<Done<Outcomes[K]>>;

const execute = (writer: Writer, mutation: Mutation): Promise<Done<Outcomes[Mutation['kind']]>> =>
  (executors[mutation.kind] as Execute<Mutation['kind']>)(mutation, writer);

type Collection = ReturnType<typeof modelOf>['collection'];
const collectionOf = (model: ModelEntry): Collection => modelOf(model).collection;

const executors: { readonly [K in Mutation['kind']]: Execute<K> } = {
  async insert({ model, rows }, writer) {
    await collectionOf(model).insertMany([...rows] as never, sessionOf(writer));
    return { outcome: rows.length, states: rows.map((after) => ({ event: 'post', after })) };
  },
  async save({ document, event, before, guard }, writer) {
    if (guard !== undefined) beforeStored(document, () => guard(storedRow(document)));
    await saveDocument(ownWrite(document), sessionOf(writer));
    const after = storedRow(document);
    return { outcome: after, states: [{ event, before, after }] };
  },
  async update(mutation, writer) {
    const { model, event, returns, filter } = mutation;
    const isImageWanted = event !== undefined && returns === 'after' && writer.services.bus.wantsBefore(model);
    const before = isImageWanted ? await collectionOf(model).findOne<Row>(filter, sessionOf(writer)) : null;
    const row = await updateOne(mutation, writer);
    if (row === null || event === undefined) return { outcome: row, states: [] };
    return {
      outcome: row,
      states: [returns === 'before' ? { event, before: row } : { event, before: before ?? undefined, after: row }],
    };
  },
  async updateMany({ model, filter, update, event, images }, writer) {
    const { matchedCount } = await collectionOf(model).updateMany(filter, update, sessionOf(writer));
    if ('before' in images)
      return { outcome: matchedCount, states: images.before.map((before) => ({ event, before })) };
    const after = await rowsOf(model, images.after, writer);
    return { outcome: matchedCount, states: after.map((row) => ({ event, after: row })) };
  },
  async delete({ model, filter }, writer) {
    const row = (await collectionOf(model).findOneAndDelete(filter, sessionOf(writer))) as Row | null;
    return { outcome: row, states: row === null ? [] : [{ event: 'del', before: row }] };
  },
  async deleteMany({ model, filter, before }, writer) {
    const { deletedCount } = await collectionOf(model).deleteMany(filter, sessionOf(writer));
    return { outcome: deletedCount, states: before.map((row) => ({ event: 'del', before: row })) };
  },
  bulk: executeBulk,
};

function updateOne(mutation: Of<'update'>, writer: Writer): Promise<Row | null> {
  const { model, filter, update, returns, through, guard } = mutation;
  const returnDocument = returns;
  const send: Send = guard === undefined ? sendTo(model) : (...given) => sendGuarded(model, guard, writer, given);
  if (through === undefined) return send(filter, update, { returnDocument, ...sessionOf(writer) });
  const options = { returnDocument, runValidators: true, lean: true, context: 'query', ...sessionOf(writer) } as const;
  const query = ownWrite(through.findOneAndUpdate(filter, update, options));
  // middleware has run, and values are cast, when Mongoose sends its command
  if (guard !== undefined) (query as unknown as Sending).mongooseCollection = { findOneAndUpdate: send };
  return query.exec();
}

type Command = readonly [filter: Filter, update: Row, options: object];
type Send = (...command: Command) => Promise<Row | null>;
/** The part of a Mongoose query that speaks to the database. */
interface Sending {
  mongooseCollection: { findOneAndUpdate: Send };
}

const sendTo =
  (model: ModelEntry): Send =>
  (filter, update, options) =>
    collectionOf(model).findOneAndUpdate(filter, update, options);

const sendGuarded = (
  model: ModelEntry,
  guard: RowGuard,
  writer: Writer,
  [filter, update, options]: Command,
): Promise<Row | null> =>
  guarded(
    () => collectionOf(model).findOne<Row>(filter, sessionOf(writer)),
    (before) => guard(rowAfter(before, update, new Date())),
    (narrowed) => sendTo(model)({ $and: [filter, narrowed] }, update, options),
  );

const rowsOf = async (model: ModelEntry, ids: readonly unknown[], writer: Writer): Promise<Row[]> =>
  await collectionOf(model)
    .find({ _id: { $in: ids } } as never, { batchSize: ids.length + 1, ...sessionOf(writer) })
    .toArray();

async function executeBulk({ model, commands, before }: Of<'bulk'>, writer: Writer): Promise<Done<BulkOutcome>> {
  const outcome = await sendBulk(collectionOf(model), commands, writer);
  const { made, matched, error } = outcome;
  if (before === undefined) {
    const states = [...made].map(([at, _id]) => ({ event: 'post' as const, after: { ...madeBy(commands[at]), _id } }));
    // the answer of a successful command may have been lost
    return { outcome, states, touched: matched > 0 || error !== undefined };
  }
  const ids = [...[...before.values()].map(({ _id }) => _id), ...made.values()];
  try {
    const after = byId(ids.length === 0 ? [] : await rowsOf(model, ids, writer));
    return { outcome, states: ids.map(String).flatMap((id) => stateOf(before.get(id), after.get(id))) };
  } catch (failure) {
    writer.services.bus.touched(model);
    throw failure;
  }
}

async function sendBulk(
  collection: Collection,
  commands: readonly BulkCommand[],
  writer: Writer,
): Promise<BulkOutcome> {
  const options = { ordered: true, ...sessionOf(writer) };
  try {
    return bulkOutcome(commands, await collection.bulkWrite([...commands], options), commands.length);
  } catch (error) {
    if (writer.unit?.session !== undefined || !(error instanceof mongo.MongoBulkWriteError)) throw error;
    const done = [error.writeErrors].flat()[0]?.index ?? 0;
    return { ...bulkOutcome(commands, error.result, done), error };
  }
}

type BulkResult = Awaited<ReturnType<Collection['bulkWrite']>>;

function bulkOutcome(commands: readonly BulkCommand[], result: BulkResult, done: number): BulkOutcome {
  const made = new Map<number, unknown>();
  let idle = 0;
  for (const [at, command] of commands.slice(0, done).entries()) {
    const id: unknown = 'insertOne' in command ? command.insertOne.document['_id'] : result.upsertedIds[at];
    if (id !== undefined) made.set(at, id);
    // an upsert counts as matched if the document existed
    else if ('updateOne' in command && command.updateOne.upsert === true) idle += 1;
  }
  const matched = result.matchedCount - idle + result.deletedCount;
  return { done, made, matched, modified: result.modifiedCount };
}

/** The document that a command creates: by an insert, or by an update with `$setOnInsert` only. */
function madeBy(command: BulkCommand | undefined): Row {
  if (command === undefined) return {};
  if ('insertOne' in command) return command.insertOne.document;
  return 'updateOne' in command ? ((command.updateOne.update as Row)['$setOnInsert'] as Row) : {};
}

export const byId = (rows: readonly Row[]): Images => new Map(rows.map((row) => [String(row['_id']), row]));

const isDeleted = (row: Row): boolean => row['_deleted'] === true;

/** Joins the changes of several commands to one document. Each of them increments its revision. */
function stateOf(before: Row | undefined, after: Row | undefined): State[] {
  const joined = true;
  if (after === undefined) return before === undefined ? [] : [{ event: 'del', before, joined }];
  if (before === undefined) return [{ event: 'post', after, joined }];
  if (before['__v'] === after['__v']) return [];
  const event = isDeleted(after) ? (isDeleted(before) ? 'put' : 'del') : isDeleted(before) ? 'post' : 'put';
  return [{ event, before, after, joined }];
}
