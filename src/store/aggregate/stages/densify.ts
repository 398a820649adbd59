/** $densify: documents for the steps of a field that are missing. */
import { StoreError } from '../../errors.ts';
import { doubleValue } from '../../values/arithmetic.ts';
import { isInt, isNumber } from '../../values/kind.ts';
import { toDouble } from '../../values/number.ts';
import { compileSort } from '../../sort/index.ts';
import { compare, keyOf } from '../../values/order.ts';
import { get } from '../../values/path.ts';
import type { Doc, Value } from '../../values/types.ts';
import { addUnits, unitOf } from '../expressions/date-units.ts';
import { withPath } from '../set.ts';
import { sortedInTurns } from '../sorted.ts';
import type { PipelineContext } from '../context.ts';
import { gather, groupSize, objectOf, textOf, type Stage } from './stage.ts';

type Step = (value: Value) => Value;

function stepOf(step: Value, unit: Value): Step {
  const size = toDouble(step);
  if (size === undefined || size <= 0) throw new StoreError(5733401, 'the step of $densify must be a positive number');
  if (unit === undefined)
    return (value) => {
      const next = (toDouble(value) ?? NaN) + size;
      return typeof value === 'number' && isInt(value) && isInt(next) ? next : doubleValue(next);
    };
  const name = unitOf(unit);
  return (value) => {
    if (!(value instanceof Date)) throw new StoreError(6586400, 'a $densify with a unit needs dates');
    return addUnits(value, name, size, () => 0);
  };
}

export const densify: Stage = (operand, context) => {
  const { field, partitionByFields, range } = objectOf(operand, '$densify');
  const path = textOf(field, "'field' of $densify");
  const { step, unit, bounds } = objectOf(range, 'range');
  const next = stepOf(step, unit);
  if (!Array.isArray(bounds) && bounds !== 'full' && bounds !== 'partition')
    throw new StoreError(5946802, "bounds must be 'full', 'partition' or two values");
  const names = Array.isArray(partitionByFields)
    ? partitionByFields.map((name) => textOf(name, 'a partition field'))
    : [];
  return async function* (source) {
    const docs = await gather(source, context);
    const all = placesIn(docs, path);
    let made = 0;
    for (const rows of partitionsOf(docs, names).values()) {
      const [low, high] = Array.isArray(bounds) ? bounds : endsOf(bounds === 'full' ? all : placesIn(rows, path));
      const seed = Object.fromEntries(
        names.map((name) => [name, get(rows[0] as Doc, name)] as const).filter(([, value]) => value !== undefined),
      );
      let group: Doc[] = [];
      const last = Array.isArray(bounds) ? -1 : 0;
      const filled = densified(await inOrder(rows, path, context), { path, seed, low, high, last, next });
      for (const [doc, isNew] of filled) {
        if (isNew && (made += 1) > mostMade)
          throw new StoreError(5897900, `$densify may make ${mostMade} documents at most`);
        group.push(doc);
        if (group.length < groupSize && !context.due()) continue;
        context.checkTime();
        yield group;
        group = [];
        await context.yield();
      }
      if (group.length > 0) yield group;
    }
  };
};

/** As many as MongoDB makes. */
const mostMade = 500_000;

const isPlace = (value: Value): boolean => isNumber(value) || value instanceof Date;
const placesIn = (docs: readonly Doc[], path: string): readonly Value[] =>
  docs.map((doc) => get(doc, path)).filter(isPlace);

function endsOf(places: readonly Value[]): readonly [Value, Value] {
  let [low, high] = [places[0], places[0]];
  for (const place of places) {
    if (compare(place, low) < 0) low = place;
    if (compare(place, high) > 0) high = place;
  }
  return [low, high];
}

function partitionsOf(docs: readonly Doc[], names: readonly string[]): ReadonlyMap<string, Doc[]> {
  const partitions = new Map<string, Doc[]>();
  for (const doc of docs) {
    const key = keyOf(names.map((name) => get(doc, name) ?? null));
    const rows = partitions.get(key);
    if (rows === undefined) partitions.set(key, [doc]);
    else rows.push(doc);
  }
  return partitions;
}

const inOrder = (rows: readonly Doc[], path: string, context: PipelineContext): Promise<readonly Doc[]> =>
  sortedInTurns(rows, compileSort({ [path]: 1 }), context);

interface Steps {
  readonly path: string;
  readonly seed: Doc;
  readonly low: Value;
  readonly high: Value;
  /** -1 when the upper end is no step itself, 0 when it is. */
  readonly last: -1 | 0;
  readonly next: Step;
}

/** The documents, and new ones for the steps between them; each with whether it is new. */
function* densified(
  sorted: readonly Doc[],
  { path, seed, low, high, last, next }: Steps,
): Generator<readonly [Doc, boolean]> {
  const parts = path.split('.');
  let at = 0;
  for (
    let value = low;
    value !== undefined && high !== undefined && compare(value, high) <= last;
    value = next(value)
  ) {
    let taken = false;
    for (let doc = sorted[at]; doc !== undefined; doc = sorted[at]) {
      const order = compare(get(doc, path) ?? null, value);
      if (order > 0) break;
      taken ||= order === 0;
      yield [doc, false];
      at += 1;
    }
    if (!taken) yield [withPath(seed, parts, value), true];
  }
  for (const doc of sorted.slice(at)) yield [doc, false];
}
