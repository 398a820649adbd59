/** `getMore` and `killCursors`. */
import { StoreError } from 'dossier-language/errors';
import type { Value } from 'dossier-language/values';
import type { Cursor } from '../engine/cursors.ts';
import type { Reply } from '../protocol.ts';
import { countOf, neededText } from './arguments.ts';
import type { Command, Context } from './context.ts';

/** Default `maxTimeMS` in milliseconds for awaiting results. */
const defaultWait = 1000;

async function getMore(context: Context): Promise<Reply> {
  const { engine, body, db, operation, session } = context;
  const id = cursorId(body['getMore']);
  const ns = `${db}.${neededText(body, 'collection')}`;
  const size = countOf(body, 'batchSize', 0) || Number.POSITIVE_INFINITY;
  const cursor = await engine.cursors.use(id, ns, session, operation);
  if (body['maxTimeMS'] !== undefined && cursor.source.live?.awaitsData !== true) {
    engine.cursors.release(cursor);
    throw new StoreError(2, 'cannot set maxTimeMS on getMore command for a non-awaitData cursor');
  }
  try {
    const batch = await nextBatch(cursor, size, countOf(body, 'maxTimeMS', defaultWait));
    const more = !(await cursor.exhausted());
    if (!more) await engine.cursors.kill(cursor.id);
    return {
      fields: {},
      cursor: {
        batchName: 'nextBatch',
        batch,
        id: more ? cursor.id : 0n,
        ns,
        postBatchResumeToken: cursor.resumeToken,
      },
    };
  } catch (error) {
    engine.cursors.release(cursor);
    await engine.cursors.kill(cursor.id);
    throw error;
  } finally {
    engine.cursors.release(cursor);
  }
}

async function nextBatch(cursor: Cursor, size: number, waitMs: number): Promise<readonly Uint8Array[]> {
  const { live } = cursor.source;
  const batch = await cursor.take(size);
  if (live?.awaitsData !== true || batch.length > 0) return batch;
  const until = performance.now() + waitMs;
  for (let left = waitMs; left > 0; left = until - performance.now()) {
    await live.wait(left);
    const found = await cursor.take(size);
    if (found.length > 0 || (await cursor.exhausted())) return found;
  }
  return [];
}

function cursorId(value: Value): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  throw new StoreError(14, "Field 'getMore' must be of type long");
}

async function killCursors({ engine, body }: Context): Promise<Reply> {
  const ids = body['cursors'];
  if (!Array.isArray(ids))
    throw new StoreError(14, "BSON field 'killCursors.cursors' is the wrong type, expected type 'array'");
  const killed: bigint[] = [];
  const unknown: bigint[] = [];
  for (const value of ids) {
    const id = cursorId(value);
    ((await engine.cursors.kill(id)) ? killed : unknown).push(id);
  }
  return { fields: { cursorsKilled: killed, cursorsNotFound: unknown, cursorsAlive: [], cursorsUnknown: [] } };
}

/** The commands of this file. */
export const cursorCommands: readonly Command[] = [
  {
    name: 'getMore',
    summary: 'Returns the next batch of a cursor',
    fields: ['collection', 'batchSize', 'term', 'lastKnownCommittedOpTime'],
    inTransaction: true,
    kind: 'read',
    hasLongSteps: () => true,
    run: getMore,
  },
  {
    name: 'killCursors',
    summary: 'Closes cursors',
    fields: ['cursors'],
    inTransaction: true,
    kind: 'other',
    run: killCursors,
  },
];
