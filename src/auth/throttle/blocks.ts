/**
 * Blocks that grow: a key that reaches its limit again is blocked twice as long as before, up to an hour. After a day without that,
 * it begins from the start. In memory for one server, in the database for several.
 */
import { isTaken } from '../../models/database-errors.ts';
import { internalCollection, type Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import type { Settings } from '../../settings/types.ts';
import { withDbErrors } from '../with-db-errors.ts';

const dayMs = 86_400_000;
const maxBlockMs = 3_600_000;
const maxEntries = 10_000;

export interface Blocks {
  /** The end of a key's block, which may have passed. */
  endOf(key: string): Promise<Date | undefined> | Date | undefined;
  /** Counts that a key has reached its limit. @returns the end of its block; undefined the first time, when its window ends it */
  extend(key: string): Promise<Date | undefined> | Date | undefined;
}

interface Parts {
  readonly settings: Settings;
  readonly registry: Registry;
  readonly clock: () => Date;
  readonly isAlone: boolean;
}

/** In the database if several processes may share it. */
export const loginBlocks = (parts: Parts): Blocks => (parts.isAlone ? memoryBlocks(parts) : databaseBlocks(parts));

/** @param times how often the limit has been reached */
function blockEnd(times: number, windowMs: number, now: Date): Date | undefined {
  if (times < 2) return undefined;
  return new Date(now.getTime() + Math.max(windowMs, Math.min(maxBlockMs, windowMs * 2 ** (times - 1))));
}

function memoryBlocks({ settings, clock }: Parts): Blocks {
  const { window_ms } = settings.throttle;
  const known = new Map<string, { readonly times: number; readonly end: Date | undefined; readonly until: number }>();
  const sweep = (now: number): void => {
    for (const [key, { until }] of known) if (until <= now) known.delete(key);
    // what is left has been blocked within a day; the oldest goes first
    for (const key of known.keys()) if (known.size >= maxEntries) known.delete(key);
  };
  return {
    endOf: (key) => known.get(key)?.end,
    extend(key) {
      const now = clock();
      const before = known.get(key);
      const times = before !== undefined && before.until > now.getTime() ? before.times + 1 : 1;
      const end = blockEnd(times, window_ms, now);
      known.delete(key);
      if (known.size >= maxEntries) sweep(now.getTime());
      known.set(key, { times, end, until: now.getTime() + dayMs });
      return end;
    },
  };
}

function databaseBlocks({ settings, registry, clock }: Parts): Blocks {
  const { window_ms } = settings.throttle;
  const collection = internalCollection(registry, '_counter');
  const idOf = (key: string): Row => ({ _id: `block ${key}` });
  const extend = (key: string): Promise<Date | undefined> =>
    withDbErrors(async () => {
      const now = clock();
      const until = new Date(now.getTime() + dayMs);
      const current = { ...idOf(key), until: { $gt: now } };
      const more = { $inc: { hits: 1 }, $set: { until } };
      const row = (await collection.findOneAndUpdate(current, more, { returnDocument: 'after' })) as Row | null;
      if (row === null) return begin(key, now, until);
      const end = blockEnd(Number(row['hits']), window_ms, now);
      await collection.updateOne(idOf(key), { $set: { end } });
      return end;
    });
  const begin = async (key: string, now: Date, until: Date): Promise<Date | undefined> => {
    try {
      const first = { $set: { hits: 1, until }, $unset: { end: 1 } } as Row;
      await collection.updateOne({ ...idOf(key), until: { $lte: now } }, first, { upsert: true });
      return undefined;
    } catch (error) {
      // another server has begun meanwhile
      if (!isTaken(error)) throw error;
      return extend(key);
    }
  };
  return {
    endOf: (key) =>
      withDbErrors(async () => {
        const end = ((await collection.findOne(idOf(key))) as Row | null)?.['end'];
        return end instanceof Date ? end : undefined;
      }),
    extend,
  };
}
