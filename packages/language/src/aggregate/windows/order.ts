/** The order of the documents of a partition, as window functions use it. */
import { StoreError } from '../../errors.ts';
import { get } from '../../values/path.ts';
import type { Doc, Value } from '../../values/types.ts';

/** A sort by a single field. */
export interface Order {
  readonly direction: 1 | -1;
  readonly value: (doc: Doc) => Value;
}

/** The order of a `sortBy` with one field; undefined for several fields or none. */
export function singleOrder(sortBy: Doc | undefined): Order | undefined {
  const entries = Object.entries(sortBy ?? {});
  const [first] = entries;
  if (first === undefined || entries.length > 1) return undefined;
  const [path, direction] = first;
  return { direction: Number(direction) < 0 ? -1 : 1, value: (doc) => get(doc, path) };
}

/** @throws StoreError 5371602 if there is no order */
export function needed<T>(order: T | undefined, name: string): T {
  if (order === undefined)
    throw new StoreError(
      5371602,
      `${name} must be specified with a top level sortBy expression with exactly one element`,
    );
  return order;
}
