/** The window of a document: a number of neighbours, or a range of the sort value. */
import { StoreError } from '../../errors.ts';
import { isNumber } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import { compare } from '../../values/order.ts';
import type { Doc, Value } from '../../values/types.ts';
import { typeName } from '../expressions/arguments.ts';
import { stepped, type Unit, unitOf } from '../expressions/date-calendar.ts';
import { sum } from '../numbers.ts';
import { checkOptions, objectOf } from '../stages/stage.ts';
import type { Order } from './order.ts';

/** The positions of the first and last document of a window; the last is below the first in an empty window. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The windows of all documents of a partition, in order. */
export type Window = (docs: readonly Doc[]) => (at: number) => Span;

/** The whole partition. */
export const wholePartition: Window = (docs) => () => ({ from: 0, to: docs.length - 1 });

/** Parses `{ documents: [from, to] }` or `{ range: [from, to], unit }`. */
export function readWindow(spec: Value, order: Order | undefined): Window {
  if (spec === undefined) return wholePartition;
  const given = objectOf(spec, 9, "the 'window' field");
  checkOptions(given, ['documents', 'range', 'unit'], 9, "the 'window' field");
  const { documents, range, unit } = given;
  if (documents !== undefined && range !== undefined)
    throw new StoreError(9, "Window bounds can specify either 'documents' or 'unit', not both.");
  if (documents !== undefined && unit !== undefined)
    throw new StoreError(9, "Window bounds can only specify 'unit' with range-based bounds.");
  if (documents !== undefined) return byDocuments(boundsOf(documents), order);
  return range === undefined ? wholePartition : byRange(boundsOf(range), unit, order);
}

type Bounds = readonly [low: Value, high: Value];

function boundsOf(given: Value): Bounds {
  if (!Array.isArray(given) || given.length !== 2) {
    throw new StoreError(9, 'Window bounds must be a 2-element array');
  }
  return [given[0], given[1]];
}

function byDocuments([low, high]: Bounds, order: Order | undefined): Window {
  const [from, to] = [distanceOf(low), distanceOf(high)];
  if (order === undefined && (from !== undefined || to !== undefined)) {
    throw new StoreError(5339901, 'Document-based bounds require a sortBy');
  }
  if (from !== undefined && to !== undefined && from > to) {
    throw new StoreError(5339900, `Lower bound must not exceed upper bound: [${from}, ${to}]`);
  }
  return (docs) => (at) => ({
    from: from === undefined ? 0 : Math.max(0, at + from),
    to: to === undefined ? docs.length - 1 : Math.min(docs.length - 1, at + to),
  });
}

/** The distance of a bound from the current document; undefined is unbounded. */
function distanceOf(bound: Value): number | undefined {
  if (bound === 'unbounded') return undefined;
  if (bound === 'current') return 0;
  const distance = isNumber(bound) ? exactLong(bound) : undefined;
  if (distance === undefined) {
    throw new StoreError(9, "Numeric document-based bounds must be an integer, 'current' or 'unbounded'");
  }
  return Number(distance);
}

/** The bound of a range around a value; undefined is unbounded. */
type Edge = (value: Value) => Value;

function byRange([low, high]: Bounds, unit: Value, order: Order | undefined): Window {
  if (order === undefined) throw new StoreError(5339902, 'Range-based bounds require sortBy a single field');
  if (order.direction !== 1) throw new StoreError(8947401, 'Range-based bounds require an ascending sortBy');
  const by = unit === undefined ? undefined : unitOf(unit);
  const [from, to] = [edgeOf(low, by), edgeOf(high, by)];
  return (docs) => {
    const values = docs.map(order.value);
    let first = 0;
    let last = 0;
    return (at) => {
      checkValue(values[at], by);
      const [least, most] = [from?.(values[at]), to?.(values[at])];
      if (from !== undefined) while (first < docs.length && compare(values[first], least) < 0) first += 1;
      if (to !== undefined) while (last < docs.length && compare(values[last], most) <= 0) last += 1;
      return { from: first, to: to === undefined ? docs.length - 1 : last - 1 };
    };
  };
}

function edgeOf(bound: Value, unit: Unit | undefined): Edge | undefined {
  if (bound === 'unbounded') return undefined;
  if (bound === 'current') return (value) => value;
  if (!isNumber(bound))
    throw new StoreError(9, `Range-based bounds expression must be a number, but is ${typeName(bound)}`);
  if (unit === undefined) return (value) => (isNumber(value) ? sum(value, bound) : value);
  const count = exactLong(bound);
  if (count === undefined) throw new StoreError(9, 'With unit, range-based bounds must be an integer');
  return (value) => (value instanceof Date ? new Date(stepped(value.getTime(), unit, Number(count))) : value);
}

function checkValue(value: Value, unit: Unit | undefined): void {
  if (unit === undefined && !isNumber(value)) {
    throw new StoreError(
      5429414,
      `Invalid range: Expected the sortBy field to be a number, but it was ${typeName(value)}`,
    );
  }
  if (unit !== undefined && !(value instanceof Date)) {
    throw new StoreError(
      5429413,
      "For windows that involve date or time ranges, a 'unit' must be provided and the sortBy field must be a date",
    );
  }
}
