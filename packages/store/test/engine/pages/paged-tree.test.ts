/** The paged tree against a sorted array: random changes, clones, ranges in both directions, ranks and counts. */
import { describe, expect, test } from '@jest/globals';
import { randomFrom } from '../../../../../test/support/numbers.ts';
import { PagedTree } from '../../../src/engine/pages/paged-tree.ts';

const rounds = Number(process.env['TREE_ROUNDS'] ?? 4);
const byNumber = (a: number, b: number): number => a - b;

/** The tree's counterpart: a map whose keys are sorted on demand. */
class Model {
  readonly entries: Map<number, number>;

  constructor(entries: Iterable<readonly [number, number]> = []) {
    this.entries = new Map(entries);
  }

  sorted(low = -Infinity, high = Infinity): (readonly [number, number])[] {
    return [...this.entries].filter(([key]) => key >= low && key <= high).sort(([a], [b]) => a - b);
  }
}

function entriesOf(
  tree: PagedTree<number, number>,
  { low, high, backwards = false }: { low?: number; high?: number; backwards?: boolean } = {},
): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  const take = (key: number, value: number): boolean => {
    found.push([key, value]);
    return false;
  };
  if (backwards) tree.visitBackwards(low, high, take);
  else tree.visit(low, high, take);
  return found;
}

function checkAll(tree: PagedTree<number, number>, model: Model): void {
  const all = model.sorted();
  expect(tree.size).toBe(all.length);
  expect(entriesOf(tree)).toEqual(all);
  expect(entriesOf(tree, { backwards: true })).toEqual(all.toReversed());
  expect(tree.maxKey()).toBe(all.at(-1)?.[0]);
}

function checkRange(tree: PagedTree<number, number>, model: Model, low: number, high: number): void {
  const inside = model.sorted(low, high);
  expect(entriesOf(tree, { low, high })).toEqual(inside);
  expect(entriesOf(tree, { low, high, backwards: true })).toEqual(inside.toReversed());
  expect(tree.count(low, high)).toBe(inside.length);
  expect(tree.rank(low)).toBe(model.sorted(-Infinity, low - 0.5).length);
  expect(tree.nextFrom(low)).toEqual(model.sorted(low)[0]);
  expect(tree.get(low)).toBe(model.entries.get(low));
}

/** Entries of the sizes that a document or a key can have: leaves are split by bytes too. */
const shape = { compare: byNumber, sizeOf: (key: number) => (key % 7 === 0 ? 5000 : key % 50) };

describe.each([
  { order: 'any', keyOf: (random: (below: number) => number) => random(3000) },
  { order: 'ascending', keyOf: (random: (below: number) => number, n: number) => n + random(3) },
  { order: 'descending', keyOf: (random: (below: number) => number, n: number) => 9000 - n - random(3) },
])('keys in $order order', ({ keyOf }) => {
  test.each(Array.from({ length: rounds }, (_, seed) => seed))('round %i', (seed) => {
    const random = randomFrom(seed);
    const removals = 1 + random(9);
    let tree = new PagedTree<number, number>(shape);
    let model = new Model();
    const kept: { readonly tree: PagedTree<number, number>; readonly model: Model }[] = [];
    for (let n = 0; n < 3000; n += 1) {
      const key = keyOf(random, n);
      const wasThere = model.entries.has(key);
      const isSet = random(10) < removals;
      const answer = isSet ? !tree.set(key, n) : tree.delete(key);
      if (answer !== wasThere) throw new Error(`${isSet ? 'set' : 'delete'} answers wrongly for ${key}`);
      if (tree.get(key) === n) model.entries.set(key, n);
      else model.entries.delete(key);
      if (random(500) === 0) kept.push({ tree: tree.clone(), model: new Model(model.entries) });
      if (random(200) === 0) checkRange(tree, model, random(3000), random(3000));
      if (random(700) === 0) {
        // continue with the clone; the original must not change
        kept.push({ tree, model });
        tree = tree.clone();
        model = new Model(model.entries);
      }
    }
    checkAll(tree, model);
    for (const one of kept) checkAll(one.tree, one.model);
    expect(model.sorted().filter(([key]) => !tree.delete(key))).toEqual([]);
    checkAll(tree, new Model());
  });
});

test('a tree that grows at its end has full leaves, and one that is emptied has a single empty one', () => {
  const tree = new PagedTree<number, number>({ compare: byNumber, sizeOf: () => 0 });
  for (let key = 0; key < 64 * 64; key += 1) tree.set(key, key);
  const leaves = tree.freeze().node?.children ?? [];
  expect(leaves).toHaveLength(64);
  expect(new Set(leaves.map(({ count }) => count))).toEqual(new Set([64]));
  for (let key = 0; key < 64 * 64; key += 1) tree.delete(key);
  expect(tree.freeze().node?.keys).toEqual([]);
  expect(tree.freeze().node?.children).toBeUndefined();
});
