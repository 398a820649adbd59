/** The cache of answers: which answers are kept when something changes while they are read. */
import { describe, expect, test } from '@jest/globals';
import { MemoryCache } from '../../src/features/cache/memory-cache.ts';
import { noMetrics } from '../../src/metrics/table.ts';
import type { ModelEntry } from '../../src/models/entry.ts';
import type { Log } from '../../src/ports/log.ts';
import type { EncodedAnswer } from '../../src/read/contract.ts';
import { makeBus } from '../../src/realtime/changes/bus.ts';
import type { Change } from '../../src/realtime/changes/contract.ts';
import { ProcessState } from '../../src/shared/process.ts';

const [book, person, tag] = ['book', 'person', 'tag'].map((name) => ({ name }) as ModelEntry) as [
  ModelEntry,
  ModelEntry,
  ModelEntry,
];
const bus = makeBus({} as Log);
const changed = (model: ModelEntry) => (): void => bus.publish([{ model } as Change]);

/** Whether an answer of books and their authors is kept, of which something happens while it is read. */
async function isKept(during: (cache: MemoryCache) => void): Promise<boolean> {
  const cache = new MemoryCache(60, { bus, shared: new ProcessState(), metrics: noMetrics });
  await cache.through('books', [book, person], () => {
    during(cache);
    return Promise.resolve({ body: { text: '{}' }, headers: {} } as unknown as EncodedAnswer);
  });
  const isKnown = cache.known('books') !== undefined;
  cache.close();
  return isKnown;
}

describe('an answer that is read while', () => {
  test.each<[string, (cache: MemoryCache) => void, boolean]>([
    ['nothing happens', () => undefined, true],
    ['a document of its model changes', changed(book), false],
    ['a document of a linked model changes', changed(person), false],
    ['a document of another model changes', changed(tag), true],
    ['a function may have changed any model', () => bus.invalidate(tag), false],
    ['the cache is cleared', (cache) => cache.clear(), false],
  ])('%s', async (_what, during, kept) => expect(await isKept(during)).toBe(kept));
});
