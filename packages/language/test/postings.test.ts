/** Postings equal a plain map after any writes, and a search reads only as many of them as necessary. */
import { describe, expect, test } from '@jest/globals';
import { TextIndexData } from '../src/text/index.ts';
import { MergedPostings } from '../src/text/merged.ts';
import { append, pack, unpack } from '../src/text/packed.ts';
import { Postings } from '../src/text/postings.ts';
import { ScoreCodes, scoreOf } from '../src/text/scores.ts';
import { ArrayBlocks } from './block-map.ts';

/** Pseudo-random numbers from 0 up to a limit, the same at each run. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 16_807) % 2_147_483_647;
    return state % limit;
  };
}

function read(postings: Postings, terms: readonly string[]): Map<number, number> {
  const merged = new MergedPostings(postings.listsOf(terms));
  merged.reload(0);
  const found = new Map<number, number>();
  while (Number.isFinite(merged.sequence)) {
    const { sequence } = merged;
    found.set(sequence, merged.takeScore());
  }
  return found;
}

const byNumber = (a: readonly [number, number], b: readonly [number, number]): number => a[0] - b[0];

describe('postings', () => {
  test('packing preserves every number and score, also large numbers and scores that no single text has', () => {
    const flat = [0, 1.1, 1, 0.75, 127, 3, 128, 0.1 + 0.2, 16_384, 0.75, 2 ** 33, 5.5, 2 ** 52, Math.PI];
    for (const weights of [[], [1], [5, 10, 1]]) {
      const codes = new ScoreCodes(weights);
      expect(unpack(pack(flat, codes), codes)).toEqual(flat);
      let packed = pack(flat.slice(0, 2), codes);
      for (let at = 2; at < flat.length; at += 2) packed = append(packed, flat[at] ?? 0, flat[at + 1] ?? 0, codes);
      expect(packed).toEqual(pack(flat, codes));
    }
  });

  test('each score of a word in one text has a code, which decodes to the same score', () => {
    const weights = [1, 3, 99_999];
    const codes = new ScoreCodes(weights);
    for (const weight of weights) {
      for (const count of [1, 2, 3, 8]) {
        for (const length of [count, count + 1, 59, 60, 997, 65_535]) {
          for (const whole of [false, true]) {
            const score = scoreOf({ weight, count, length, whole });
            const code = codes.codeOf(score);
            expect(code).toBeGreaterThan(0);
            expect(new ScoreCodes(weights).scoreOf(code)).toBe(score);
          }
        }
      }
    }
    for (const score of [0, 0.3, Math.PI, 0.1 + 0.2, 123_456]) expect(codes.codeOf(score)).toBe(0);
  });

  test('a posting takes few bytes', () => {
    const codes = new ScoreCodes([1]);
    const scores = Array.from({ length: 50 }, (_, at) =>
      scoreOf({ weight: 1, count: 1, length: at + 20, whole: false }),
    );
    const flat = Array.from({ length: 1000 }, (_, at) => [1_000_000 + at, scores[at % 50] ?? 0]).flat();
    expect(pack(flat, codes).length).toBeLessThan(3100);
    expect(pack([5_000_000, scores[0] ?? 0], codes).length).toBeLessThan(7);
    const blocks = new ArrayBlocks();
    const postings = new Postings({ blocks }, codes);
    for (let at = 0; at < flat.length; at += 2) postings.put('often', flat[at] ?? 0, flat[at + 1] ?? 0);
    expect(blocks.bytes).toBeLessThan(3200);
    expect(blocks.size).toBeLessThan(8);
  });

  test.each([1, 2, 3])('equal a sorted map after random writes (%i)', (seed) => {
    const random = numbers(seed);
    const postings = new Postings({ blocks: new ArrayBlocks() }, new ScoreCodes([1]));
    const expected = { rare: new Map<number, number>(), often: new Map<number, number>() };
    for (let step = 0; step < 6000; step += 1) {
      const term = random(10) === 0 ? 'rare' : 'often';
      const sequence = random(10) < 7 ? step : random(6000);
      if (random(4) === 0) {
        postings.delete(term, sequence);
        expected[term].delete(sequence);
      } else {
        const score = random(2) === 0 ? random(30) / 7 : 0.5 + 0.5 / (1 + random(30));
        postings.put(term, sequence, score);
        expected[term].set(sequence, score);
      }
    }
    for (const term of ['rare', 'often'] as const)
      expect([...read(postings, [term])]).toEqual([...expected[term]].sort(byNumber));
    const both = new Map(expected.rare);
    for (const [sequence, score] of expected.often) both.set(sequence, (both.get(sequence) ?? 0) + score);
    expect([...read(postings, ['rare', 'often', 'none'])]).toEqual([...both].sort(byNumber));
    for (const term of ['rare', 'often'] as const)
      for (const sequence of expected[term].keys()) postings.delete(term, sequence);
    expect(postings.listsOf(['rare', 'often'])).toEqual([]);
  });

  test('a frequent excluded term is not read completely for few results', () => {
    const postings = new Postings({ blocks: new ArrayBlocks() }, new ScoreCodes([1]));
    for (let sequence = 0; sequence < 50_000; sequence += 1) postings.put('often', sequence, 1);
    const often = new MergedPostings(postings.listsOf(['often']));
    often.reload(0);
    for (const sequence of [10_000, 40_000]) {
      often.seek(sequence);
      expect(often.sequence).toBe(sequence);
    }
    expect(often.work).toBe(2);
  });
});

const query = { search: 'tea -milk', language: undefined, caseSensitive: false, diacriticSensitive: false };

describe('a search in batches', () => {
  test('reads a part of the index per batch, and sees writes between batches', () => {
    const data = new TextIndexData({ key: { a: 'text' } }, new ArrayBlocks());
    const put = (sequence: number, a: string): void => data.put(sequence, data.read({ a }));
    for (let sequence = 1; sequence <= 5000; sequence += 1) put(sequence, sequence % 5 === 0 ? 'tea milk' : 'tea');
    const found: number[] = [];
    let batches = 0;
    for (const batch of data.search(query, 5000).hits) {
      expect(batch.length).toBeLessThanOrEqual(1024);
      found.push(...batch.map(({ sequence }) => sequence));
      if (batches === 0) {
        for (const gone of [1, 4001]) data.put(gone, new Map(), data.read({ a: 'tea' }));
        put(4005, 'tea');
        data.put(4005, new Map(), new Map([['milk', 0]]));
        put(6000, 'tea');
      }
      batches += 1;
    }
    expect(batches).toBeGreaterThan(3);
    expect(new Set(found).size).toBe(found.length);
    const expected = Array.from({ length: 5000 }, (_, at) => at + 1).filter(
      (sequence) => sequence === 4005 || (sequence % 5 !== 0 && sequence !== 4001),
    );
    expect(found).toEqual(expected);
  });

  test('a search without hits terminates', () => {
    const data = new TextIndexData({ key: { a: 'text' } }, new ArrayBlocks());
    expect([...data.search(query, 5).hits].flat()).toEqual([]);
    data.put(1, data.read({ a: 'tea milk' }));
    expect([...data.search(query).hits].flat()).toEqual([]);
  });
});
