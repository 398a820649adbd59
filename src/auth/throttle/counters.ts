/** Counters per time window: in memory for one server, in the database for several. */
import type { Log } from '../../log.ts';
import { isTaken } from '../../models/database-errors.ts';
import { internalCollection, type Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import type { Counters, DossierConfig, Hits } from '../../settings/config-file.ts';
import type { Settings } from '../../settings/types.ts';
import { withDbErrors } from '../with-db-errors.ts';

const maxEntries = 10_000;

export function memoryCounters(windowMs: number, clock: () => Date): Counters {
  const counts = new Map<string, { totalHits: number; resetTime: Date }>();
  const alive = (key: string): { totalHits: number; resetTime: Date } | undefined => {
    const count = counts.get(key);
    return count !== undefined && count.resetTime > clock() ? count : undefined;
  };
  const sweep = (): void => {
    for (const key of [...counts.keys()]) if (alive(key) === undefined) counts.delete(key);
  };
  return {
    get: (key) => alive(key),
    increment(key) {
      if (counts.size >= maxEntries) sweep();
      const count = alive(key) ?? { totalHits: 0, resetTime: new Date(clock().getTime() + windowMs) };
      count.totalHits += 1;
      counts.set(key, count);
      return count;
    },
  };
}

function databaseCounters(registry: Registry, windowMs: number, clock: () => Date): Counters {
  const collection = internalCollection(registry, '_counter');
  const options = { returnDocument: 'after' } as const;
  const hitsFrom = (row: Row | null): Hits | undefined =>
    row === null ? undefined : { totalHits: Number(row['hits']), resetTime: row['until'] as Date };
  const increment = (key: string): Promise<Hits> =>
    withDbErrors(async () => {
      const now = clock();
      const id = { _id: key } as Row;
      const more = await collection.findOneAndUpdate({ ...id, until: { $gt: now } }, { $inc: { hits: 1 } }, options);
      const counted = hitsFrom(more);
      if (counted !== undefined) return counted;
      const until = new Date(now.getTime() + windowMs);
      try {
        const begun = { $set: { hits: 1, until } };
        await collection.updateOne({ ...id, until: { $lte: now } }, begun, { upsert: true });
        return { totalHits: 1, resetTime: until };
      } catch (error) {
        // another server has begun the window meanwhile
        if (!isTaken(error)) throw error;
        return increment(key);
      }
    });
  return {
    get: (key) =>
      withDbErrors(async () =>
        hitsFrom((await collection.findOne({ _id: key, until: { $gt: clock() } } as Row)) as Row | null),
      ),
    increment,
  };
}

/** The counters of failed logins: in the database if several processes may share it. */
export function loginCounters({ settings, config, registry, clock, log, isAlone }: CounterParts): Counters {
  const { throttle } = settings;
  const { throttle_stores } = config;
  const given = throttle_stores?.logins;
  // a store that fails to start also fails when it counts
  Promise.resolve()
    .then(() => given?.init?.({ windowMs: throttle.window_ms }))
    .catch((error: unknown) => log.error('the store of the login throttle failed to start', error));
  if (given !== undefined) return given;
  return isAlone ? memoryCounters(throttle.window_ms, clock) : databaseCounters(registry, throttle.window_ms, clock);
}

interface CounterParts {
  readonly settings: Settings;
  readonly config: DossierConfig;
  readonly registry: Registry;
  readonly clock: () => Date;
  readonly log: Log;
  /** Whether no other process uses the database. */
  readonly isAlone: boolean;
}
