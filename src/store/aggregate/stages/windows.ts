/** Stages over neighbours: $setWindowFields and $fill. */
import { StoreError } from '../../errors.ts';
import { compileSort, sortDocs } from '../../sort/index.ts';
import { doubleValue } from '../../values/arithmetic.ts';
import { isDoc, isNumber } from '../../values/kind.ts';
import { exactLong, toDouble } from '../../values/number.ts';
import { compare, keyOf } from '../../values/order.ts';
import { get } from '../../values/path.ts';
import type { Doc, Value } from '../../values/types.ts';
import { compileAccumulator, isAccumulator } from '../accumulators.ts';
import type { PipelineContext } from '../context.ts';
import { compileExpression } from '../expressions/compile.ts';
import { addUnits, unitOf } from '../expressions/date-units.ts';
import { withPath } from '../set.ts';
import { gather, inGroups, objectOf, type Stage } from './stage.ts';

/** Documents of one partition, in order; the value of a field for the document at a place. */
type Field = (rows: readonly Doc[]) => readonly Value[];

interface Order {
  readonly path: string;
  readonly value: (doc: Doc) => Value;
}

export const setWindowFields: Stage = (operand, context) => {
  const { partitionBy, sortBy, output } = objectOf(operand, '$setWindowFields');
  const sorting = sortBy === undefined ? undefined : objectOf(sortBy, 'sortBy');
  const [path] = Object.keys(sorting ?? {});
  const order = path === undefined ? undefined : { path, value: (doc: Doc) => get(doc, path) };
  const fields = Object.entries(objectOf(output, 'output')).map(
    ([name, spec]) => [name.split('.'), fieldOf(objectOf(spec, name), order, context)] as const,
  );
  return overPartitions(partitionBy, sorting, context, (rows) => {
    const values = fields.map(([, field]) => field(rows));
    return rows.map((doc, at) =>
      fields.reduce((changed, [parts], place) => withPath(changed, parts, values[place]?.[at] ?? null), doc),
    );
  });
};

function overPartitions(
  by: Value,
  sorting: Doc | undefined,
  context: PipelineContext,
  change: (rows: readonly Doc[]) => readonly Doc[],
): ReturnType<Stage> {
  const key = by === undefined ? () => null : compileExpression(by, context);
  const sort = sorting === undefined ? undefined : compileSort(sorting, context.collation);
  return async function* (source) {
    const partitions = new Map<string, Doc[]>();
    for (const doc of await gather(source, context)) {
      const name = keyOf(key(doc) ?? null);
      const rows = partitions.get(name);
      if (rows === undefined) partitions.set(name, [doc]);
      else rows.push(doc);
    }
    for (const rows of partitions.values()) {
      context.checkTime();
      yield* inGroups(change(sort === undefined ? rows : sortDocs(rows, sort)), context);
    }
  };
}

function fieldOf(spec: Doc, order: Order | undefined, context: PipelineContext): Field {
  const { window, ...others } = spec;
  const [name = '', operand] = Object.entries(others)[0] ?? [];
  if (Object.keys(others).length !== 1)
    throw new StoreError(9, 'a field of $setWindowFields needs one window function');
  const make = windowFunctions.get(name);
  if (make !== undefined) return make(operand, order, context);
  if (!isAccumulator(name)) throw new StoreError(9, `Unrecognized window function, ${name}`);
  const begin = compileAccumulator({ [name]: operand }, context, name);
  const bounds = boundsOf(window, order);
  return (rows) => {
    let budget = 5_000_000;
    return rows.map((_doc, at) => {
      const [from, to] = bounds(rows, at);
      budget -= Math.max(0, to - from + 1);
      if (budget < 0) throw new StoreError(146, 'the windows would take too much work');
      context.checkTime();
      const gathering = begin();
      for (let row = Math.max(0, from); row <= Math.min(rows.length - 1, to); row++) gathering.take(rows[row] as Doc);
      return gathering.result();
    });
  };
}

type Bounds = (rows: readonly Doc[], at: number) => readonly [number, number];

function boundsOf(window: Value, order: Order | undefined): Bounds {
  if (window === undefined) return (rows) => [0, rows.length - 1];
  const { documents, range, unit } = objectOf(window, 'window');
  if (Array.isArray(documents) && documents.length === 2) {
    const [low, high] = documents.map((bound) =>
      bound === 'unbounded' ? undefined : bound === 'current' ? 0 : whole(bound),
    );
    return (rows, at) => [low === undefined ? 0 : at + low, high === undefined ? rows.length - 1 : at + high];
  }
  if (!Array.isArray(range) || range.length !== 2 || order === undefined)
    throw new StoreError(9, 'a window needs documents, or range with one sortBy');
  return (rows, at) => {
    const here = order.value(rows[at] as Doc);
    const [low, high] = range.map((bound) => edge(here, bound, unit));
    const inside = (doc: Doc): boolean => {
      const value = order.value(doc);
      return (low === undefined || compare(value, low) >= 0) && (high === undefined || compare(value, high) <= 0);
    };
    const first = rows.findIndex(inside);
    return first === -1 ? [0, -1] : [first, rows.findLastIndex(inside)];
  };
}

function edge(here: Value, bound: Value, unit: Value): Value {
  if (bound === 'unbounded') return undefined;
  if (bound === 'current') return here;
  if (here instanceof Date) return addUnits(here, unitOf(unit), whole(bound), () => 0);
  const [value, step] = [toDouble(here), toDouble(bound)];
  if (value === undefined || step === undefined) throw new StoreError(9, 'a range needs numbers, or dates with a unit');
  return doubleValue(value + step);
}

function whole(value: Value): number {
  const number = exactLong(value);
  if (number === undefined) throw new StoreError(9, 'a bound must be a whole number, "current" or "unbounded"');
  return Number(number);
}

type MakeField = (operand: Value, order: Order | undefined, context: PipelineContext) => Field;

function needed(order: Order | undefined, name: string): Order {
  if (order === undefined) throw new StoreError(9, `${name} needs sortBy`);
  return order;
}

/** Ranks: equal values share one; a dense rank leaves no gaps. */
const rank =
  (dense: boolean): MakeField =>
  (_operand, order) => {
    const by = needed(order, '$rank');
    return (rows) => {
      let [last, current]: [Value, number] = [undefined, 0];
      return rows.map((doc, at) => {
        const value = by.value(doc);
        if (at === 0 || compare(value, last) !== 0) current = dense ? current + 1 : at + 1;
        last = value;
        return current;
      });
    };
  };

const shift: MakeField = (operand, _order, context) => {
  const { output, by, default: other } = objectOf(operand, '$shift');
  const [evaluate, distance] = [compileExpression(output, context), whole(by)];
  const fallback = compileExpression(other ?? null, context)({});
  return (rows) =>
    rows.map((_doc, at) => (rows[at + distance] === undefined ? fallback : evaluate(rows[at + distance] as Doc)));
};

/** Values as numbers; dates as milliseconds. */
const numeric = (value: Value): number | undefined =>
  value instanceof Date ? value.getTime() : isNumber(value) ? toDouble(value) : undefined;

const expMovingAverage: MakeField = (operand, _order, context) => {
  const { input, N, alpha } = objectOf(operand, '$expMovingAvg');
  const evaluate = compileExpression(input, context);
  const weight = N === undefined ? toDouble(alpha) : 2 / (whole(N) + 1);
  if (weight === undefined || weight <= 0 || weight > 1) throw new StoreError(9, '$expMovingAvg needs N or alpha');
  return (rows) => {
    let average: number | undefined;
    return rows.map((doc) => {
      const value = numeric(evaluate(doc));
      if (value !== undefined) average = average === undefined ? value : value * weight + average * (1 - weight);
      return average === undefined ? null : doubleValue(average);
    });
  };
};

function linear(values: readonly Value[], places: readonly (number | undefined)[]): readonly Value[] {
  return values.map((value, at) => {
    if (value !== null && value !== undefined) return value;
    const before = values.findLastIndex((one, place) => place < at && isNumber(one));
    const after = values.findIndex((one, place) => place > at && isNumber(one));
    const [x, x0, x1] = [places[at], places[before], places[after]];
    if (before === -1 || after === -1 || x === undefined || x0 === undefined || x1 === undefined || x1 === x0)
      return null;
    const [y0, y1] = [toDouble(values[before]) ?? NaN, toDouble(values[after]) ?? NaN];
    return doubleValue(y0 + ((y1 - y0) * (x - x0)) / (x1 - x0));
  });
}

function carried(values: readonly Value[]): readonly Value[] {
  let last: Value = null;
  return values.map((value) => (last = value ?? last));
}

const windowFunctions: ReadonlyMap<string, MakeField> = new Map<string, MakeField>([
  ['$rank', rank(false)],
  ['$denseRank', rank(true)],
  ['$documentNumber', () => (rows) => rows.map((_doc, at) => at + 1)],
  ['$shift', shift],
  ['$expMovingAvg', expMovingAverage],
  [
    '$locf',
    (operand, _order, context) => {
      const evaluate = compileExpression(operand, context);
      return (rows) => carried(rows.map((doc) => evaluate(doc)));
    },
  ],
  [
    '$linearFill',
    (operand, order, context) => {
      const [evaluate, by] = [compileExpression(operand, context), needed(order, '$linearFill')];
      return (rows) =>
        linear(
          rows.map((doc) => evaluate(doc)),
          rows.map((doc) => numeric(by.value(doc))),
        );
    },
  ],
]);

export const fill: Stage = (operand, context) => {
  const { partitionBy, partitionByFields, sortBy, output } = objectOf(operand, '$fill');
  const by = Array.isArray(partitionByFields)
    ? Object.fromEntries(partitionByFields.map((name, at) => [`k${at}`, `$${String(name as string)}`]))
    : partitionBy;
  const sorting = sortBy === undefined ? undefined : objectOf(sortBy, 'sortBy');
  const [path] = Object.keys(sorting ?? {});
  const fields = Object.entries(objectOf(output, 'output')).map(([name, spec]) => {
    const { value, method } = isDoc(spec) ? spec : {};
    const evaluate = value === undefined ? undefined : compileExpression(value, context);
    if (evaluate === undefined && method !== 'locf' && method !== 'linear')
      throw new StoreError(6050202, '$fill needs value or method');
    if (method !== undefined && path === undefined) throw new StoreError(6050203, '$fill with a method needs sortBy');
    return { name, evaluate, method };
  });
  return overPartitions(by, sorting, context, (rows) =>
    fields.reduce<readonly Doc[]>((docs, { name, evaluate, method }) => {
      const values = docs.map((doc) => get(doc, name));
      const filled =
        evaluate !== undefined
          ? values.map((value, at) => value ?? evaluate(docs[at] as Doc))
          : method === 'locf'
            ? carried(values)
            : linear(
                values,
                docs.map((doc) => numeric(get(doc, path ?? ''))),
              );
      return docs.map((doc, at) => withPath(doc, name.split('.'), filled[at] ?? null));
    }, rows),
  );
};
