/** Stages over neighbours: $setWindowFields and $fill. */
import { StoreError } from '../../errors.ts';
import { compileSort } from '../../sort/index.ts';
import { doubleValue } from '../../values/arithmetic.ts';
import { isDoc, isNumber } from '../../values/kind.ts';
import { toDouble } from '../../values/number.ts';
import { compare, keyOf } from '../../values/order.ts';
import { get } from '../../values/path.ts';
import type { Doc, Value } from '../../values/types.ts';
import { compileAccumulator, isAccumulator } from '../accumulators.ts';
import type { PipelineContext } from '../context.ts';
import { compileExpression } from '../expressions/compile.ts';
import { withPath } from '../set.ts';
import { sortedInTurns } from '../sorted.ts';
import { gather, inGroups, objectOf, type Stage } from './stage.ts';
import { boundsOf, gatheredOver, whole, type Field, type Order } from './window-bounds.ts';

export const setWindowFields: Stage = (operand, context) => {
  const { partitionBy, sortBy, output } = objectOf(operand, '$setWindowFields');
  const sorting = sortBy === undefined ? undefined : objectOf(sortBy, 'sortBy');
  const [path] = Object.keys(sorting ?? {});
  const order = path === undefined ? undefined : { path, value: (doc: Doc) => get(doc, path) };
  const fields = Object.entries(objectOf(output, 'output')).map(
    ([name, spec]) => [name.split('.'), fieldOf(objectOf(spec, name), order, context)] as const,
  );
  return overPartitions(partitionBy, sorting, context, async (rows) => {
    const values: (readonly Value[])[] = [];
    for (const [, field] of fields) {
      values.push(await field(rows));
      await context.yield();
    }
    return rows.map((doc, at) =>
      fields.reduce((changed, [parts], place) => withPath(changed, parts, values[place]?.[at] ?? null), doc),
    );
  });
};

function overPartitions(
  by: Value,
  sorting: Doc | undefined,
  context: PipelineContext,
  change: (rows: readonly Doc[]) => Promise<readonly Doc[]> | readonly Doc[],
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
      yield* inGroups(await change(sort === undefined ? rows : await sortedInTurns(rows, sort, context)), context);
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
  return gatheredOver(begin, boundsOf(window, order), context);
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
  const filled: Value[] = [...values];
  let before = -1;
  for (const [after, value] of values.entries()) {
    if (!isNumber(value)) continue;
    for (let at = before + 1; at < after; at++)
      filled[at] = before === -1 ? null : between(values, places, before, at, after);
    before = after;
  }
  return filled.map((value) => value ?? null);
}

function between(
  values: readonly Value[],
  places: readonly (number | undefined)[],
  before: number,
  at: number,
  after: number,
): Value {
  const [x, x0, x1] = [places[at], places[before], places[after]];
  if (x === undefined || x0 === undefined || x1 === undefined || x1 === x0) return null;
  const [y0, y1] = [toDouble(values[before]) ?? NaN, toDouble(values[after]) ?? NaN];
  return doubleValue(y0 + ((y1 - y0) * (x - x0)) / (x1 - x0));
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
