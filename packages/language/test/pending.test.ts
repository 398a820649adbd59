/** Pending changes over blocks read like a plain map: at any moment of a merge, after one that failed, and in snapshots. */
import { describe, expect, test } from '@jest/globals';
import { randomFrom } from '../../../test/support/numbers.ts';
import type { Block, BlockMap } from '../src/text/index.ts';
import { PendingPostings } from '../src/text/index.ts';
import { MergedPostings } from '../src/text/merged.ts';
import type { FrozenChanges } from '../src/text/pending.ts';
import { Postings, type PostingSource } from '../src/text/postings.ts';
import { ScoreCodes } from '../src/text/scores.ts';
import { ArrayBlocks } from './block-map.ts';

const rounds = Number(process.env['POSTING_ROUNDS'] ?? 6);
const codes = new ScoreCodes([1]);
const terms = ['often', 'rare', 'some', 'never'] as const;

/** Terms as often as they change. */
const frequent = ['often', 'often', 'often', 'often', 'some', 'some', 'rare'];

type Model = ReadonlyMap<string, ReadonlyMap<number, number>>;

/** Blocks that do not change, as a tree has after `clone`. */
function copyOf(blocks: ArrayBlocks): BlockMap {
  const copy = new ArrayBlocks();
  for (const term of terms) {
    for (let from = 0; from < Number.MAX_SAFE_INTEGER;) {
      const block: Block | undefined = blocks.find(term, from);
      if (block === undefined) break;
      copy.set(term, block.bound, block.bytes);
      from = block.bound + 1;
    }
  }
  return copy;
}

const copyOfModel = (model: Model): Model => new Map([...model].map(([term, postings]) => [term, new Map(postings)]));

/** The postings of a term from a document number on. */
function read(source: PostingSource, term: string, from = 0): (readonly [number, number])[] {
  const merged = new MergedPostings(new Postings(source, codes).listsOf([term]));
  merged.reload(from);
  const found: (readonly [number, number])[] = [];
  while (Number.isFinite(merged.sequence)) found.push([merged.sequence, merged.takeScore()]);
  return found;
}

function expectSame(source: PostingSource, model: Model, from: number): void {
  for (const term of terms) {
    const expected = [...(model.get(term) ?? [])].sort(([a], [b]) => a - b);
    expect(read(source, term)).toEqual(expected);
    expect(read(source, term, from)).toEqual(expected.filter(([sequence]) => sequence >= from));
  }
}

/** An index with pending changes, and what it should contain. */
class Trial {
  readonly #random: (below: number) => number;
  readonly #blocks = new ArrayBlocks();
  readonly #merger = new Postings({ blocks: this.#blocks }, codes);
  readonly #pending = new PendingPostings(() => undefined);
  readonly #model = new Map<string, Map<number, number>>(terms.map((term) => [term, new Map()]));
  readonly #snapshots: { readonly source: PostingSource; readonly model: Model }[] = [];
  #merge: { readonly frozen: FrozenChanges; readonly left: string[] } | undefined;
  #latest = 0;

  constructor(seed: number) {
    this.#random = randomFrom(seed);
  }

  change(): void {
    const random = this.#random;
    const term = frequent[random(frequent.length)] ?? 'often';
    if (random(3) > 0) this.#latest += 1;
    const sequence = 1 + (random(3) > 0 ? this.#latest : random(this.#latest + 1));
    if (random(4) === 0) {
      this.#pending.delete(term, sequence);
      this.#model.get(term)?.delete(sequence);
    } else {
      const score = random(2) === 0 ? random(30) / 7 : 0.5 + 0.5 / (1 + random(30));
      this.#pending.put(term, sequence, score);
      this.#model.get(term)?.set(sequence, score);
    }
  }

  /** Begins a merge, continues it, completes it, or abandons it. */
  mergeSome(): void {
    const frozen = this.#merge === undefined ? this.#pending.freeze() : undefined;
    if (frozen !== undefined) this.#merge = { frozen, left: [...new Set(frozen.terms)].sort() };
    const term = this.#merge?.left.shift();
    if (term !== undefined) this.#merger.merge(term, this.#merge?.frozen.changesOf(term) ?? []);
    if (this.#merge?.left.length === 0) {
      this.#pending.dropFrozen();
      this.#merge = undefined;
    } else if (this.#random(6) === 0) this.#merge = undefined;
  }

  removeAll(): void {
    for (const [term, postings] of this.#model) {
      for (const sequence of postings.keys()) this.#pending.delete(term, sequence);
      postings.clear();
    }
  }

  keepSnapshot(): void {
    const source = { blocks: copyOf(this.#blocks), pending: this.#pending.snapshot() };
    this.#snapshots.push({ source, model: copyOfModel(this.#model) });
  }

  check(): void {
    const source = { blocks: this.#blocks, pending: this.#pending.snapshot() };
    expectSame(source, this.#model, this.#random(this.#latest + 1));
    for (const one of this.#snapshots) expectSame(one.source, one.model, this.#random(this.#latest + 1));
  }

  /** Merges all changes, so that the blocks alone contain them. */
  finish(): void {
    const frozen = this.#pending.freeze();
    for (const term of new Set(frozen?.terms)) this.#merger.merge(term, frozen?.changesOf(term) ?? []);
    this.#pending.dropFrozen();
    expectSame({ blocks: this.#blocks }, this.#model, 0);
  }
}

describe('pending postings', () => {
  test.each(Array.from({ length: rounds }, (_, seed) => seed + 1))('equal a map after random changes (%i)', (seed) => {
    const trial = new Trial(seed);
    for (let step = 1; step <= 2500; step += 1) {
      trial.change();
      if (step % 97 === 0) trial.mergeSome();
      if (step % 311 === 0) trial.keepSnapshot();
      if (step === 1700 && seed % 2 === 0) trial.removeAll();
      if (step % 499 === 0) trial.check();
    }
    trial.check();
    trial.finish();
    trial.removeAll();
    trial.finish();
  });

  test('a frequent term is read in parts, never as a whole', () => {
    const pending = new PendingPostings(() => undefined);
    for (let sequence = 1; sequence <= 20_000; sequence += 1) pending.put('often', sequence, 1);
    const [list] = new Postings({ blocks: new ArrayBlocks(), pending: pending.snapshot() }, codes).listsOf(['often']);
    const part = list?.blockFrom(15_000) ?? [];
    expect(part[0]).toBe(15_000);
    expect(part.length).toBeLessThan(2000);
  });

  test('blocks that a merge writes are bounded, and each change is counted', () => {
    let bytes = 0;
    const pending = new PendingPostings((more) => (bytes += more));
    const blocks = new ArrayBlocks();
    for (let sequence = 1; sequence <= 5000; sequence += 1) pending.put('often', sequence * 2, Math.sqrt(sequence));
    expect(bytes).toBeGreaterThan(5000 * 20);
    const merger = new Postings({ blocks }, codes);
    merger.merge('often', pending.freeze()?.changesOf('often') ?? []);
    expect(blocks.bytes / blocks.size).toBeLessThan(600);
    for (let sequence = 1; sequence <= 5000; sequence += 1) pending.put('often', sequence * 2 - 1, Math.sqrt(sequence));
    merger.merge('often', pending.freeze()?.changesOf('often') ?? []);
    expect(blocks.bytes / blocks.size).toBeLessThan(600);
    expect(read({ blocks }, 'often')).toHaveLength(10_000);
  });
});
