/** Builds and drops indexes. The database does neither twice, and serves reads meanwhile; MongoDB serves writes, too. */
import { setTimeout as later } from 'node:timers/promises';
import {
  actorOf,
  type AddedEvent,
  conflict,
  contested,
  type Context,
  Failure,
  type ModelEntry,
  modelOf,
  mongo,
  recordEvent,
  suggestion,
} from '../../core.ts';
import { notAcceptedByDatabase, tookTooLong } from '../../errors/errors.ts';
import type { IndexKey, StoredIndex } from './advice.ts';
import { indexBuilt, indexDropped } from './events.ts';
import { declarationTest, reasonToKeep } from './needed.ts';
import { slowReads } from './slow.ts';
import { storedIndexes } from './stored.ts';
import type { IndexChange, KeyPattern } from './wanted.ts';

/** What was done with an index. */
export interface ChangedIndex {
  readonly model: string;
  readonly name: string;
  readonly index: IndexKey;
  readonly outcome: 'built' | 'present' | 'dropped';
}

const leaseMs = 15_000;
/** How often the lease is asked for that another request has. */
const pauseMs = 100;

/** Codes of MongoDB: IndexNotFound, IndexOptionsConflict, IndexKeySpecsConflict, IndexBuildAborted. */
const codes = { notFound: 27, options: 85, keys: 86, aborted: 276 } as const;

/** Why MongoDB does not build an index, by the codes CannotCreateIndex and CannotIndexParallelArrays. */
const refusals: ReadonlyMap<unknown, string> = new Map([
  [67, 'the database does not build this index: the collection has too many, or its paths exclude each other'],
  [171, 'the database does not build this index: documents have lists at two of its paths'],
]);

/**
 * Builds an index, unless it is there, or drops one. Requests for one collection wait for each other, over all servers.
 * @throws 404 for an index that is not there, 409 for one that stays, 503
 */
export const changeIndex = (context: Context, wanted: IndexChange): Promise<ChangedIndex> =>
  wanted.drop === undefined ? build(context, wanted.model, wanted.key) : drop(context, wanted.model, wanted.drop);

async function build(context: Context, model: ModelEntry, index: KeyPattern): Promise<ChangedIndex> {
  return inTurn(context, model, async () => {
    const indexes = await indexesOf(context, model);
    const twin = indexes.find(({ key }) => JSON.stringify(key) === JSON.stringify(index));
    if (twin?.isSpecial === true) throw conflict(`${model.name} has ${twin.name} with other options: drop it before`);
    const name = twin?.name ?? defaultName(index);
    const isTaken = twin === undefined && indexes.some((one) => one.name === name);
    if (isTaken) throw conflict(`${model.name} has an index of other paths with the name ${name}: drop it before`);
    const done = { model: model.name, name, index };
    // its options are not those that are sent
    if (twin?.unique === true || twin?.expires === true) return { ...done, outcome: 'present' };
    if (twin === undefined) await record(context, indexBuilt, model, name);
    // one that is being built, by a server that has ended, is waited for
    await built(model, name, index);
    context.services.of(slowReads).indexesChanged(model);
    return { ...done, outcome: twin === undefined ? 'built' : 'present' };
  });
}

/** The name that MongoDB gives an index. */
const defaultName = (index: KeyPattern): string =>
  Object.entries(index)
    .map(([path, way]) => `${path}_${way}`)
    .join('_');

async function built(model: ModelEntry, name: string, key: KeyPattern): Promise<void> {
  const { collation } = model.schema;
  try {
    await modelOf(model).collection.createIndexes([{ key, name, ...(collation === undefined ? {} : { collation }) }]);
  } catch (error) {
    throw refusedBuild(error, model);
  }
}

function refusedBuild(error: unknown, { name }: ModelEntry): unknown {
  if (!(error instanceof mongo.MongoServerError)) return error;
  const { code } = error;
  if (code === codes.options || code === codes.keys)
    return conflict(`${name} has an index of these paths with other options`);
  if (code === codes.aborted) return contested('the index was dropped while it was built');
  const reason = refusals.get(code);
  return reason === undefined ? error : notAcceptedByDatabase(error, reason);
}

async function drop(context: Context, model: ModelEntry, name: string): Promise<ChangedIndex> {
  const found = namedIndex(await indexesOf(context, model), model, name);
  const done: ChangedIndex = { model: model.name, name, index: found.key, outcome: 'dropped' };
  return inTurn(context, model, async () => {
    const isThere = (await indexesOf(context, model)).some((one) => one.name === name);
    // another request has dropped it meanwhile
    if (!isThere) return done;
    // what is declared is compared with what is there, which no other request changes now
    const reason = reasonToKeep(model, found, await declarationTest(model));
    if (reason !== undefined) throw conflict(`${name} of ${model.name} ${reason}`);
    await record(context, indexDropped, model, name);
    await modelOf(model)
      .collection.dropIndex(name)
      .catch((error: unknown) => {
        if (!(error instanceof mongo.MongoServerError && error.code === codes.notFound)) throw error;
      });
    context.services.of(slowReads).indexesChanged(model);
    return done;
  });
}

function namedIndex(indexes: readonly StoredIndex[], model: ModelEntry, name: string): StoredIndex {
  const found = indexes.find((one) => one.name === name);
  if (found !== undefined) return found;
  const hint = suggestion(
    name,
    indexes.map((one) => one.name),
  );
  throw new Failure(404, 'Not found', `${model.name} has no index ${JSON.stringify(name.slice(0, 130))}${hint}`);
}

const indexesOf = ({ services }: Context, model: ModelEntry): Promise<readonly StoredIndex[]> =>
  storedIndexes(model, services.settings.query_limits.max_time_ms);

/** Records what is about to be done, so that nothing is done without a record. */
const record = (context: Context, what: AddedEvent, { name: model }: ModelEntry, whom: string): Promise<true> =>
  recordEvent(context, { what, whom, model, by: actorOf(context) }, () => Promise.resolve(true));

/** Runs work on the indexes of a collection, one at a time over all servers. @throws 503 */
async function inTurn<T>(
  { services, signal }: Context,
  { collection }: ModelEntry,
  work: () => Promise<T>,
): Promise<T> {
  for (;;) {
    const lease = await services.shared.lease(`indexes of ${collection}`, leaseMs);
    if (lease !== undefined)
      try {
        return await work();
      } finally {
        await lease.release();
      }
    await later(pauseMs);
    if (signal.aborted) throw tookTooLong();
  }
}
