/** The rows of a live list, and what a change of one document makes of them. */
import type { Order } from './order.ts';

interface Row {
  readonly _id: unknown;
}

/** A part of a sorted list, from its beginning. */
export interface Window {
  readonly rows: readonly object[];
  readonly limit: number;
  /** Whether there are no rows after it. */
  readonly isWhole: boolean;
}

/** A window after a change. */
export interface Changed {
  readonly window: Window;
  /** Whether only the server knows all rows of it. */
  readonly isCertain: boolean;
}

/** The id of a row. */
export const idOf = (row: object): unknown => (row as Row)._id;

/** Whether two values are written as the same JSON. */
export const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The window without a document. */
export function without(window: Window, id: unknown): Changed {
  const rows = window.rows.filter((row) => idOf(row) !== id);
  if (rows.length === window.rows.length) return { window, isCertain: true };
  return { window: { ...window, rows }, isCertain: window.isWhole };
}

/** The window with a document that is new or has changed. */
export function withRow(window: Window, row: object, order: Order): Changed {
  const before = window.rows.find((one) => idOf(one) === idOf(row));
  // a subscription may repeat what the list had when it was read
  if (isEqual(before, row)) return { window, isCertain: true };
  if (before !== undefined && order(before, row) === 0)
    return { window: { ...window, rows: window.rows.map((one) => (one === before ? row : one)) }, isCertain: true };
  const others = window.rows.filter((one) => one !== before);
  const at = placeAmong(others, row, order);
  if (at === undefined) return { window, isCertain: false };
  const { limit, isWhole } = window;
  // what follows the last row is not known
  if (at === others.length && !isWhole) {
    if (before === undefined) return { window, isCertain: others.length >= limit };
    return { window: { ...window, rows: [...others, row] }, isCertain: false };
  }
  const rows = [...others.slice(0, at), row, ...others.slice(at)];
  return {
    window: { limit, rows: rows.slice(0, limit), isWhole: isWhole && rows.length <= limit },
    isCertain: isWhole || rows.length >= limit,
  };
}

/** The number of rows before a row; undefined where a comparison is not certain, or the rows have another order than this one. */
function placeAmong(rows: readonly object[], row: object, order: Order): number | undefined {
  const signs = rows.map((one) => order(one, row));
  if (signs.includes(undefined)) return undefined;
  const first = signs.findIndex((sign) => (sign ?? 0) > 0);
  const at = first === -1 ? rows.length : first;
  return signs.slice(at).every((sign) => (sign ?? 0) > 0) ? at : undefined;
}
