/** Walks along the entries of a tree, in both directions. */
import { lowerBound, type Node, type Ref, upperBound } from './node.ts';

/** A walk: its bounds, both included and undefined for none, and what it does with an entry. */
export interface Walk<K, V> {
  readonly compare: (a: K, b: K) => number;
  readonly nodeOf: (ref: Ref<K, V>) => Node<K, V>;
  /** Returns true to end the walk. */
  readonly visit: (key: K, value: V) => boolean;
}

/** The positions of the entries, or of the children, between two bounds. */
function placesIn<K, V>(
  { keys, children }: Node<K, V>,
  low: K | undefined,
  high: K | undefined,
  compare: Walk<K, V>['compare'],
): readonly [first: number, last: number] {
  const before = children === undefined ? lowerBound : upperBound;
  const first = low === undefined ? 0 : before(keys, low, compare);
  const end = high === undefined ? keys.length : upperBound(keys, high, compare);
  // an inner node has one child more than keys
  return [first, children === undefined ? end - 1 : end];
}

/** Walks from `low` to `high`; true if a visit ended the walk. */
export function forwards<K, V>(ref: Ref<K, V>, low: K | undefined, high: K | undefined, walk: Walk<K, V>): boolean {
  const node = walk.nodeOf(ref);
  const { keys, values, children } = node;
  const [first, last] = placesIn(node, low, high, walk.compare);
  for (let at = first; at <= last; at += 1) {
    const isOver =
      children === undefined
        ? walk.visit(keys[at] as K, values[at] as V)
        : forwards(children[at] as Ref<K, V>, at === first ? low : undefined, at === last ? high : undefined, walk);
    if (isOver) return true;
  }
  return false;
}

/** Walks from `high` to `low`; true if a visit ended the walk. */
export function backwards<K, V>(ref: Ref<K, V>, low: K | undefined, high: K | undefined, walk: Walk<K, V>): boolean {
  const node = walk.nodeOf(ref);
  const { keys, values, children } = node;
  const [first, last] = placesIn(node, low, high, walk.compare);
  for (let at = last; at >= first; at -= 1) {
    const isOver =
      children === undefined
        ? walk.visit(keys[at] as K, values[at] as V)
        : backwards(children[at] as Ref<K, V>, at === first ? low : undefined, at === last ? high : undefined, walk);
    if (isOver) return true;
  }
  return false;
}
