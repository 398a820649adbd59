/** Which neighbours a window reaches over, and accumulators over them: each document's is gathered as cheaply as it goes. */
import { StoreError } from '../../errors.ts';
import { doubleValue } from '../../values/arithmetic.ts';
import { exactLong, toDouble } from '../../values/number.ts';
import { compare } from '../../values/order.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { Accumulator } from '../accumulators.ts';
import type { PipelineContext } from '../context.ts';
import { addUnits, unitOf } from '../expressions/date-units.ts';
import { Memory } from '../meter.ts';
import { objectOf } from './stage.ts';

/** Documents of one partition, in order → the value of a field for each of them. */
export type Field = (rows: readonly Doc[]) => Promise<readonly Value[]> | readonly Value[];

export interface Order {
  readonly path: string;
  readonly value: (doc: Doc) => Value;
}

/** The first and the last place of a window; both ends may lie outside. */
type Place = (rows: readonly Doc[], at: number) => readonly [number, number];

export interface Bounds {
  readonly place: Place;
  /** Begins with the first document of the partition. */
  readonly fromStart: boolean;
  /** Ends with the last document of the partition. */
  readonly toEnd: boolean;
}

/** Reads a window; without one it is the whole partition. */
export function boundsOf(window: Value, order: Order | undefined): Bounds {
  if (window === undefined) return { place: (rows) => [0, rows.length - 1], fromStart: true, toEnd: true };
  const { documents, range, unit } = objectOf(window, 'window');
  const ends = documents ?? range;
  if (!Array.isArray(ends) || ends.length !== 2 || (documents !== undefined && range !== undefined))
    throw new StoreError(9, 'a window needs documents, or range with one sortBy');
  const [fromStart, toEnd] = [ends[0] === 'unbounded', ends[1] === 'unbounded'];
  return { place: documents === undefined ? byRange(ends, unit, order) : byDocuments(ends), fromStart, toEnd };
}

function byDocuments(ends: readonly Value[]): Place {
  const [low, high] = ends.map((end) => (end === 'unbounded' ? undefined : end === 'current' ? 0 : whole(end)));
  if (low !== undefined && high !== undefined && low > high)
    throw new StoreError(5339900, 'the lower bound of a window must not be above the upper one');
  return (rows, at) => [low === undefined ? 0 : at + low, high === undefined ? rows.length - 1 : at + high];
}

function byRange(ends: readonly Value[], unit: Value, order: Order | undefined): Place {
  if (order === undefined) throw new StoreError(9, 'a window with a range needs one sortBy');
  return (rows, at) => {
    const here = order.value(rows[at] as Doc);
    const [low, high] = ends.map((end) => edge(here, end, unit));
    const first = low === undefined ? 0 : firstWhere(rows, (doc) => compare(order.value(doc), low) >= 0);
    const after = high === undefined ? rows.length : firstWhere(rows, (doc) => compare(order.value(doc), high) > 0);
    return [first, after - 1];
  };
}

/** The first place from which on a condition holds, in documents that are in order. */
function firstWhere(rows: readonly Doc[], holds: (doc: Doc) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(rows[middle] as Doc)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function edge(here: Value, bound: Value, unit: Value): Value {
  if (bound === 'unbounded') return undefined;
  if (bound === 'current') return here;
  if (here instanceof Date) return addUnits(here, unitOf(unit), whole(bound), () => 0);
  const [value, step] = [toDouble(here), toDouble(bound)];
  if (value === undefined || step === undefined) throw new StoreError(9, 'a range needs numbers, or dates with a unit');
  return doubleValue(value + step);
}

/** A whole number. */
export function whole(value: Value): number {
  const number = exactLong(value);
  if (number === undefined) throw new StoreError(9, 'a bound must be a whole number, "current" or "unbounded"');
  return Number(number);
}

/** An accumulator over the window of each document. */
export function gatheredOver(begin: Accumulator, bounds: Bounds, context: PipelineContext): Field {
  if (bounds.fromStart && bounds.toEnd) return (rows) => overAll(rows, begin, context);
  return bounds.fromStart ? growing(begin, bounds, context) : sliding(begin, bounds, context);
}

async function overAll(rows: readonly Doc[], begin: Accumulator, context: PipelineContext): Promise<readonly Value[]> {
  const gathering = begin(new Memory(context));
  for (const doc of rows) {
    gathering.take(doc);
    if (context.due()) await context.yield();
  }
  const result = gathering.result();
  return rows.map(() => result);
}

/** Windows that begin with the partition only grow: one gathering goes through all of them. */
function growing(begin: Accumulator, { place }: Bounds, context: PipelineContext): Field {
  return async (rows) => {
    const memory = new Memory(context);
    const gathering = begin(memory);
    const results: Value[] = [];
    let taken = 0;
    for (const at of rows.keys()) {
      const last = Math.min(rows.length - 1, place(rows, at)[1]);
      for (; taken <= last; taken++) gathering.take(rows[taken] as Doc);
      results.push(kept(gathering.result(), memory));
      if (context.due()) await context.yield();
    }
    return results;
  };
}

function sliding(begin: Accumulator, { place }: Bounds, context: PipelineContext): Field {
  return async (rows) => {
    const memory = new Memory(context);
    const results: Value[] = [];
    for (const at of rows.keys()) {
      const [from, to] = place(rows, at);
      const gathering = begin(new Memory(context));
      for (let row = Math.max(0, from); row <= Math.min(rows.length - 1, to); row++) {
        gathering.take(rows[row] as Doc);
        if (context.due()) await context.yield();
      }
      results.push(kept(gathering.result(), memory));
    }
    return results;
  };
}

/** Counts a list by its places: its members are counted where they are gathered. */
function kept(value: Value, memory: Memory): Value {
  memory.addBytes(Array.isArray(value) ? 16 + value.length * 8 : 16);
  return value;
}
