/** Splits and merges the children of an inner node. The tree owns all nodes that take part. */
import type { Ref } from './node.ts';
import { countOf, innerOf, leafOf, type Node } from './node.ts';
import { entryBytes, maxEntries, maxLeafBytes, type Shape } from './shape.ts';

/** Whether a node has to be split. A leaf keeps at least one entry, however large. */
export const isOver = <K, V>({ keys, children, bytes }: Node<K, V>): boolean =>
  children === undefined
    ? keys.length > maxEntries || (bytes > maxLeafBytes && keys.length > 1)
    : children.length > maxEntries;

/** Whether a node should be merged with a neighbour, or removed. */
export const isSmall = <K, V>({ count, node }: Ref<K, V>): boolean =>
  count === 0 || (node !== undefined && node.keys.length < maxEntries / 4 && node.bytes < maxLeafBytes / 4);

/** How to split. */
interface Splitting<K, V> {
  readonly owner: object;
  readonly sizeOf: Shape<K, V>['sizeOf'];
  /** The last entry is new: it alone moves to the new node, because more entries may follow it. */
  readonly isAppended: boolean;
}

/** Splits the child at a position: its second part becomes the child behind it. */
export function splitAt<K, V>(parent: Node<K, V>, at: number, splitting: Splitting<K, V>): void {
  const child = parent.children?.[at];
  const node = child?.node;
  if (child === undefined || node === undefined) return;
  const [separator, right] = node.children === undefined ? splitLeaf(node, splitting) : splitInner(node, splitting);
  child.count -= right.count;
  parent.keys.splice(at, 0, separator);
  parent.children?.splice(at + 1, 0, right);
  parent.bytes += splitting.sizeOf(separator) + entryBytes;
}

function splitLeaf<K, V>(node: Node<K, V>, { owner, sizeOf, isAppended }: Splitting<K, V>): [K, Ref<K, V>] {
  const sizes = node.keys.map((key, at) => sizeOf(key, node.values[at]));
  const from = isAppended ? node.keys.length - 1 : middleOf(sizes, node.bytes);
  const bytes = sizes.slice(from).reduce((sum, size) => sum + size, 0);
  const keys = node.keys.splice(from);
  node.bytes -= bytes;
  return [keys[0] as K, leafOf(owner, keys, node.values.splice(from), bytes)];
}

/** The position that divides a leaf into two parts of about the same size, neither of them empty. */
function middleOf(sizes: readonly number[], bytes: number): number {
  if (bytes === 0) return sizes.length >> 1;
  let before = 0;
  let at = 0;
  while (at < sizes.length - 1 && before + (sizes[at] ?? 0) / 2 < bytes / 2) {
    before += sizes[at] ?? 0;
    at += 1;
  }
  return Math.max(1, at);
}

function splitInner<K, V>(node: Node<K, V>, { owner, sizeOf, isAppended }: Splitting<K, V>): [K, Ref<K, V>] {
  const children = node.children ?? [];
  const from = isAppended ? children.length - 2 : children.length >> 1;
  const [separator, ...keys] = node.keys.splice(from - 1);
  const moved = children.splice(from);
  const bytes = keys.reduce((sum, key) => sum + sizeOf(key), 0) + moved.length * entryBytes;
  node.bytes -= bytes + sizeOf(separator as K);
  return [separator as K, innerOf(owner, keys, moved, bytes)];
}

/** Merges the child behind a position into the child at the position. */
export function mergeAt<K, V>(parent: Node<K, V>, at: number, sizeOf: Shape<K, V>['sizeOf']): void {
  const [left, right] = parent.children?.slice(at, at + 2) ?? [];
  const [separator] = parent.keys.splice(at, 1);
  const [into, from] = [left?.node, right?.node];
  if (left === undefined || into === undefined || from === undefined) return;
  parent.children?.splice(at + 1, 1);
  parent.bytes -= sizeOf(separator as K) + entryBytes;
  if (into.children !== undefined && from.children !== undefined) {
    into.keys.push(separator as K);
    into.children.push(...from.children);
    into.bytes += sizeOf(separator as K);
  }
  into.keys.push(...from.keys);
  into.values.push(...from.values);
  into.bytes += from.bytes;
  left.count = into.children === undefined ? into.keys.length : countOf(into.children);
}
