/** The nodes of a paged tree. */

/** The content of a node. */
export interface NodeContent<K, V> {
  readonly keys: K[];
  /** The values of a leaf; empty for an inner node. */
  readonly values: V[];
  /** The children of an inner node; undefined for a leaf. */
  readonly children: Ref<K, V>[] | undefined;
  /** Estimated bytes of its entries. */
  readonly bytes: number;
}

/**
 * A leaf with keys and their values, or an inner node with children; the keys of an inner node separate its children,
 * so it has one key fewer. A node is changed only by the tree whose owner token it has; other trees copy it first.
 */
export class Node<K, V> implements NodeContent<K, V> {
  readonly owner: object | undefined;
  readonly keys: K[];
  readonly values: V[];
  readonly children: Ref<K, V>[] | undefined;
  bytes: number;

  constructor(owner: object | undefined, { keys, values, children, bytes }: NodeContent<K, V>) {
    this.owner = owner;
    this.keys = keys;
    this.values = values;
    this.children = children;
    this.bytes = bytes;
  }

  /** A copy that another tree may change. */
  copy(owner: object): Node<K, V> {
    const { keys, values, children, bytes } = this;
    return new Node(owner, { keys: keys.slice(), values: values.slice(), children: children?.slice(), bytes });
  }
}

/** A reference to a node. All versions of a tree that contain a subtree share its reference. */
export class Ref<K, V> {
  /** The page that contains the node; 0 if it is only in memory. */
  page: number;
  /** The node, unless it was evicted from memory. */
  node: Node<K, V> | undefined;
  /** Number of entries below it. */
  count: number;
  /** Whether the node was used since the cache last looked at it. */
  used = true;

  constructor(page: number, node: Node<K, V> | undefined, count: number) {
    this.page = page;
    this.node = node;
    this.count = count;
  }
}

/** A new leaf. */
export const leafOf = <K, V>(owner: object | undefined, keys: K[], values: V[], bytes: number): Ref<K, V> =>
  new Ref(0, new Node(owner, { keys, values, children: undefined, bytes }), keys.length);

/** A new inner node over children, separated by keys. */
export const innerOf = <K, V>(owner: object | undefined, keys: K[], children: Ref<K, V>[], bytes: number): Ref<K, V> =>
  new Ref(0, new Node<K, V>(owner, { keys, values: [], children, bytes }), countOf(children));

/** The entries below several children. */
export function countOf<K, V>(children: readonly Ref<K, V>[], end = children.length): number {
  let count = 0;
  for (let at = 0; at < end; at += 1) count += children[at]?.count ?? 0;
  return count;
}

type Compare<K> = (a: K, b: K) => number;

/** The position of the first key that is not less than a key. */
export function lowerBound<K>(keys: readonly K[], key: K, compare: Compare<K>): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(keys[middle] as K, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The position of the first key that is greater than a key: in an inner node, the child that has the key. */
export function upperBound<K>(keys: readonly K[], key: K, compare: Compare<K>): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(keys[middle] as K, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
