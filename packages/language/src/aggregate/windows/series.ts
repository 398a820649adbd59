/** Window functions over points of a line: interpolation, derivatives, integrals, moving averages, covariance. */
import { StoreError } from '../../errors.ts';
import { doubleValue, type NumberValue } from '../../values/arithmetic.ts';
import { isNumber } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import type { Doc, Value } from '../../values/types.ts';
import { type Fields, fieldsOf, isNullish, typeName } from '../expressions/arguments.ts';
import { unitOf } from '../expressions/date-calendar.ts';
import { difference, double, product, quotient, realOf, sum } from '../numbers.ts';
import { docExpression } from '../stages/stage.ts';
import { needed, type Order } from './order.ts';
import type { Partition, WindowReader, WindowTools } from './window-function.ts';

const lastObservation: WindowReader = (operand, { compiler, hasWindow }, name) => {
  if (hasWindow) throw new StoreError(9, `'window' field is not allowed in ${name}`);
  const value = docExpression(operand, compiler);
  return ({ docs, frame }) => {
    let last: Value = null;
    const values = docs.map((doc) => {
      const found = value(doc, frame);
      if (!isNullish(found)) last = found;
      return last;
    });
    return Promise.resolve(values);
  };
};

/** The position of a document on the line: a number, or a date in milliseconds. */
function placeOn(order: Order, doc: Doc, name: string): NumberValue {
  const value = order.value(doc);
  if (value instanceof Date) return doubleValue(value.getTime());
  if (isNumber(value)) return value;
  throw new StoreError(605001, `${name} needs a sortBy field that is a number or a date, found ${typeName(value)}`);
}

interface Point {
  readonly at: number;
  readonly value: NumberValue;
}

const linearFill: WindowReader = (operand, { compiler, order, hasWindow }, name) => {
  if (hasWindow) throw new StoreError(9, `'window' field is not allowed in ${name}`);
  const by = needed(order, name);
  const value = docExpression(operand, compiler);
  return ({ docs, frame }) => {
    const known = docs.map((doc) => value(doc, frame));
    const places = docs.map((doc) => placeOn(by, doc, name));
    for (const [at, place] of places.entries()) {
      if (at > 0 && double(difference(place, places[at - 1] ?? 0)) === 0)
        throw new StoreError(6050106, 'There can be no repeated values in the sort field');
    }
    return Promise.resolve(filled(known, places));
  };
};

function filled(known: readonly Value[], places: readonly NumberValue[]): readonly Value[] {
  const result = known.map((value) => value ?? null);
  let before: Point | undefined;
  for (const [at, value] of known.entries()) {
    if (isNullish(value)) continue;
    if (!isNumber(value))
      throw new StoreError(605001, `Value to be filled must be numeric or nullish, found ${typeName(value)}`);
    for (let gap = (before?.at ?? at) + 1; gap < at && before !== undefined; gap += 1) {
      result[gap] = between(before, { at, value }, places, gap);
    }
    before = { at, value };
  }
  return result;
}

/** The value between two points, by linear interpolation. */
function between(left: Point, right: Point, places: readonly NumberValue[], at: number): NumberValue {
  const start = places[left.at] ?? 0;
  const way = quotient(difference(places[at] ?? 0, start), difference(places[right.at] ?? 0, start));
  return sum(product(difference(right.value, left.value), way), realOf(double(left.value), left.value));
}

const movingFields: Fields = { notObject: 9, unknown: 9, required: { input: 9 }, optional: ['N', 'alpha'] };

const expMovingAverage: WindowReader = (operand, { compiler, sortBy, hasWindow }, name) => {
  const given = fieldsOf(operand, name, movingFields);
  if (hasWindow) throw new StoreError(9, `${name} does not accept a 'window' field`);
  needed(sortBy, name);
  const alpha = alphaOf(given, name);
  const input = docExpression(given['input'], compiler);
  return ({ docs, frame }) => {
    let average: NumberValue | undefined;
    const values = docs.map((doc): Value => {
      const value = input(doc, frame);
      if (!isNumber(value)) return average ?? null;
      average = average === undefined ? value : sum(product(value, alpha), product(average, difference(1, alpha)));
      return average;
    });
    return Promise.resolve(values);
  };
};

function alphaOf({ N: count, alpha }: Doc, name: string): NumberValue {
  if ((count === undefined) === (alpha === undefined))
    throw new StoreError(
      9,
      `${name} sub object must have exactly two fields: An 'input' field, and either an 'N' field or an 'alpha' field`,
    );
  if (count !== undefined) {
    const whole = isNumber(count) ? exactLong(count) : undefined;
    if (whole === undefined || whole <= 0n) throw new StoreError(9, `'N' field of ${name} must be a positive integer`);
    return quotient(2, sum(Number(whole), 1));
  }
  if (!isNumber(alpha) || double(alpha) <= 0 || double(alpha) >= 1) {
    throw new StoreError(9, `'alpha' field of ${name} must be a number between 0 and 1 (exclusive)`);
  }
  return alpha;
}

const slopeFields: Fields = { notObject: 9, unknown: 9, required: { input: 9 }, optional: ['unit'] };

/** A value and its position, in the requested unit. */
interface Sample {
  readonly x: NumberValue;
  readonly y: Value;
}

/** Parses the functions over the points of a window. */
const overSamples =
  (run: (samples: readonly Sample[], name: string) => Value): WindowReader =>
  (operand, tools, name) => {
    const given = fieldsOf(operand, name, slopeFields);
    const samplesOf = sampleReader(given, tools, name);
    return async (partition) => {
      const samples = samplesOf(partition);
      const spanAt = tools.window(partition.docs);
      const values: Value[] = [];
      for (let at = 0; at < samples.length; at += 1) {
        const { from, to } = spanAt(at);
        values.push(run(samples.slice(from, to + 1), name));
        await tools.compiler.context.yield();
      }
      return values;
    };
  };

function sampleReader({ input, unit }: Doc, { compiler, order }: WindowTools, name: string) {
  const by = needed(order, name);
  const value = docExpression(input, compiler);
  const length = unit === undefined ? undefined : unitOf(unit).length;
  if (length === 0) throw new StoreError(5490704, `unit must be 'week' or smaller in ${name}`);
  return ({ docs, frame }: Partition): readonly Sample[] =>
    docs.map((doc) => {
      if (order?.value(doc) instanceof Date && length === undefined)
        throw new StoreError(5429513, `${name} with a date needs a 'unit'`);
      const place = placeOn(by, doc, name);
      return { x: length === undefined ? place : quotient(place, length), y: value(doc, frame) };
    });
}

function numeric(value: Value, name: string): NumberValue {
  if (isNumber(value)) return value;
  if (value instanceof Date) return doubleValue(value.getTime());
  throw new StoreError(5624900, `${name} expects numbers or dates, found ${typeName(value)}`);
}

function derivative(samples: readonly Sample[], name: string): Value {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || samples.length < 2) return null;
  const run = difference(last.x, first.x);
  if (double(run) === 0) return null;
  return quotient(difference(numeric(last.y, name), numeric(first.y, name)), run);
}

/** The area below the line, by the trapezoidal rule. */
function integral(samples: readonly Sample[], name: string): Value {
  const points = samples.filter(({ y }) => isNumber(y));
  return points.reduce<NumberValue>((total, point, at) => {
    const before = at === 0 ? undefined : points[at - 1];
    if (before === undefined) return total;
    const heights = sum(numeric(before.y, name), numeric(point.y, name));
    return sum(total, quotient(product(heights, difference(point.x, before.x)), 2));
  }, 0);
}

/** The covariance of two values, over the documents of a window that have both. */
const covariance =
  (isSample: boolean): WindowReader =>
  (operand, { compiler, window }, name) => {
    if (!Array.isArray(operand) || operand.length !== 2)
      throw new StoreError(16020, `Expression ${name} takes exactly 2 arguments.`);
    const [x, y] = operand.map((expression) => docExpression(expression, compiler));
    return async ({ docs, frame }) => {
      const pairs = docs.map((doc) => [x?.(doc, frame), y?.(doc, frame)] as const);
      const spanAt = window(docs);
      const values: Value[] = [];
      for (let at = 0; at < docs.length; at += 1) {
        const { from, to } = spanAt(at);
        values.push(covarianceOf(pairs.slice(from, to + 1), isSample));
        await compiler.context.yield();
      }
      return values;
    };
  };

function covarianceOf(pairs: readonly (readonly [Value, Value])[], isSample: boolean): Value {
  const points = pairs.flatMap(([x, y]) => (isNumber(x) && isNumber(y) ? [{ x: double(x), y: double(y) }] : []));
  const by = isSample ? points.length - 1 : points.length;
  if (by <= 0) return null;
  const mean = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0) / numbers.length;
  const [middleX, middleY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))];
  return doubleValue(points.reduce((total, { x, y }) => total + (x - middleX) * (y - middleY), 0) / by);
}

/** The functions of this file. */
export const seriesFunctions: readonly (readonly [string, WindowReader])[] = [
  ['$locf', lastObservation],
  ['$linearFill', linearFill],
  ['$expMovingAvg', expMovingAverage],
  ['$derivative', overSamples(derivative)],
  ['$integral', overSamples(integral)],
  ['$covariancePop', covariance(false)],
  ['$covarianceSamp', covariance(true)],
];
