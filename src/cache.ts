/** Caches answers in memory, by plan. The adapter of node-cache. */
import NodeCache from 'node-cache';
import type { ModelEntry } from './models/entry.ts';
import type { Bus } from './realtime/changes/contract.ts';
import type { AnswerCache, Reading } from './read/contract.ts';

/** Maximum bytes of cached answers; beyond it the oldest are removed. */
const maxBytes = 64 * 1024 * 1024;

interface Known {
  readonly models: readonly ModelEntry[];
  readonly bytes: number;
}

/**
 * Caches answers until one of their models changes. The result of a read that began before a change and ended after it is not
 * cached: each model has a number that changes with it, and the numbers must be the same at the start and the end of a read.
 * @param seconds maximum time for which an answer is cached
 */
export function makeCache(seconds: number, bus: Bus): AnswerCache & { close(): void } {
  const store = new NodeCache({ stdTTL: seconds, useClones: false, checkperiod: Math.min(seconds, 60) });
  const known = new Map<string, Known>();
  const numbers = new Map<ModelEntry, number>();
  let changes = 0;
  let bytes = 0;

  const drop = (key: string): void => {
    bytes -= known.get(key)?.bytes ?? 0;
    known.delete(key);
  };
  store.on('del', drop);
  store.on('expired', drop);

  const numbersOf = (models: readonly ModelEntry[]): string => models.map((model) => numbers.get(model) ?? 0).join();
  const empty = (touched: ReadonlySet<ModelEntry>): void => {
    changes += 1;
    for (const model of touched) numbers.set(model, changes);
    for (const [key, { models }] of known) if (models.some((model) => touched.has(model))) store.del(key);
  };
  const keep = (key: string, models: readonly ModelEntry[], reading: Reading): void => {
    const size = reading.body.length;
    if (size > maxBytes / 4) return;
    store.del(key);
    for (const oldest of known.keys()) {
      if (bytes + size <= maxBytes) break;
      store.del(oldest);
    }
    known.set(key, { models, bytes: size });
    bytes += size;
    store.set(key, reading);
  };
  let all = 0;
  const forget = [
    bus.subscribe((news) => empty(new Set(news.map(({ model }) => model)))),
    // a function may have written to any model
    bus.onTouched(() => {
      all += 1;
      store.del([...known.keys()]);
    }),
  ];

  return {
    async through(key, models, make) {
      const kept = store.get<Reading>(key);
      if (kept !== undefined) return { ...kept, headers: { ...kept.headers, 'x-cache': 'hit' } };
      const before = `${all},${numbersOf(models)}`;
      const reading = await make();
      if (before === `${all},${numbersOf(models)}`) keep(key, models, reading);
      return { ...reading, headers: { ...reading.headers, 'x-cache': 'miss' } };
    },
    stats: () => ({ ...store.getStats(), vsize: bytes }),
    clear() {
      all += 1;
      store.flushAll();
      known.clear();
      bytes = 0;
    },
    close() {
      for (const stop of forget) stop();
      store.close();
    },
  };
}
