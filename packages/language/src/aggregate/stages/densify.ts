/** `$densify`: adds documents for the missing values of a field. */
import { StoreError } from '../../errors.ts';
import { isNumber } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import { compare } from '../../values/order.ts';
import type { Doc, Value } from '../../values/types.ts';
import { isNullish, typeName } from '../expressions/arguments.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { stepped, unitOf } from '../expressions/date-calendar.ts';
import { readPath } from '../expressions/paths.ts';
import { double, sum } from '../numbers.ts';
import { plainAt, withPath } from './fields.ts';
import { partitionsOf } from './partitions.ts';
import {
  batchSize,
  checkOptions,
  docExpression,
  gather,
  inBatches,
  memoryFor,
  objectOf,
  type StageReader,
} from './stage.ts';

/** The ends of a range: those of the documents, or given ones, of which the second is exclusive. */
interface Bounds {
  readonly low: Value;
  readonly high: Value;
  readonly isOpen: boolean;
}

/** A parsed `$densify`. */
interface Densify {
  readonly compiler: Compiler;
  readonly path: readonly string[];
  readonly partitionPaths: readonly (readonly string[])[];
  /** The next value. */
  readonly next: (value: Value) => Value;
  readonly bounds: 'full' | 'partition' | Bounds;
  readonly isDate: boolean;
}

/** Maximum number of created documents. */
const maxCreated = 500_000;

export const densify: StageReader = (operand, { compiler }, name) => {
  const read = readDensify(operand, compiler, name);
  const { context } = compiler;
  const by = docExpression(
    read.partitionPaths.map((path) => `$${path.join('.')}`),
    compiler,
  );
  return {
    run: async function* (source, frame) {
      const memory = memoryFor(context, name);
      const docs = await gather(source, context, memory);
      const without = docs.filter((doc) => isNullish(plainAt(doc, read.path)));
      yield* inBatches(without, (doc) => doc, context);
      const having = docs.filter((doc) => !isNullish(plainAt(doc, read.path)));
      const full = extentOf(having, read);
      const made = { count: 0 };
      const sortBy = { [read.path.join('.')]: 1 };
      const again = inBatches(having, (doc) => doc, context);
      let isEmpty = true;
      for await (const partition of partitionsOf(again, frame, {
        by,
        sortBy,
        compiler,
        memory: memoryFor(context, name),
      })) {
        isEmpty = false;
        const bounds =
          read.bounds === 'full' ? full : read.bounds === 'partition' ? extentOf(partition, read) : read.bounds;
        if (bounds !== undefined) yield* densified(partition, bounds, read, made);
      }
      if (isEmpty && typeof read.bounds !== 'string') yield* densified([], read.bounds, read, made);
    },
  };
};

const options = ['field', 'partitionByFields', 'range'];

function readDensify(operand: Value, compiler: Compiler, name: string): Densify {
  const spec = objectOf(operand, 5733600, `The ${name} stage specification`);
  checkOptions(spec, options, 40415, name);
  const { field, partitionByFields: fields = [], range } = spec;
  if (typeof field !== 'string')
    throw new StoreError(40414, `BSON field '${name}.field' is missing but a required field`);
  if (field.startsWith('$')) throw new StoreError(5733801, "Cannot densify field starting with '$'");
  if (!Array.isArray(fields)) throw new StoreError(14, `BSON field '${name}.partitionByFields' must be an array`);
  const given = objectOf(range, 40414, `BSON field '${name}.range'`);
  checkOptions(given, ['step', 'unit', 'bounds'], 40415, `${name}.range`);
  const bounds = boundsOf(given['bounds']);
  if (bounds === 'partition' && fields.length === 0)
    throw new StoreError(
      5733802,
      "one may not specify the bounds as 'partition' without specifying a non-empty array of partitionByFields.",
    );
  const isDate = given['unit'] !== undefined;
  if (typeof bounds !== 'string' && isDate !== bounds.low instanceof Date) {
    throw new StoreError(
      5733402,
      "a bounding array must contain either both dates or both numeric types, and dates need a 'unit'",
    );
  }
  return {
    compiler,
    path: readPath(field),
    partitionPaths: fields.map((path) => readPath(typeof path === 'string' ? path : '')),
    next: stepperOf(given['step'], given['unit']),
    bounds,
    isDate,
  };
}

function boundsOf(given: Value): Densify['bounds'] {
  if (given === 'full' || given === 'partition') return given;
  if (!Array.isArray(given))
    throw new StoreError(
      5946802,
      "the bounds in a range statement must be the string 'full', 'partition', or an ascending array of two numbers or two dates",
    );
  if (given.length !== 2)
    throw new StoreError(5733403, 'a bounding array in a range statement must have exactly two elements');
  const [low, high] = given;
  const isRange = (isNumber(low) && isNumber(high)) || (low instanceof Date && high instanceof Date);
  if (!isRange || compare(low, high) > 0)
    throw new StoreError(5733402, 'the bounding array must be an ascending array of either two dates or two numbers');
  return { low, high, isOpen: true };
}

function stepperOf(step: Value, unit: Value): Densify['next'] {
  if (!isNumber(step)) throw new StoreError(40414, "BSON field '$densify.range.step' is missing but a required field");
  if (!(double(step) > 0))
    throw new StoreError(5733401, 'the step parameter in a range statement must be a strictly positive numeric value');
  if (unit === undefined) return (value) => (isNumber(value) ? sum(value, step) : value);
  const by = unitOf(unit);
  const count = exactLong(step);
  if (count === undefined)
    throw new StoreError(
      6586400,
      'The step parameter in a range statement must be a whole number when densifying a date range',
    );
  return (value) => (value instanceof Date ? new Date(stepped(value.getTime(), by, Number(count))) : value);
}

function extentOf(docs: readonly Doc[], { path, isDate }: Densify): Bounds | undefined {
  let [low, high]: readonly Value[] = [];
  for (const doc of docs) {
    const value = plainAt(doc, path);
    if (isDate ? !(value instanceof Date) : !isNumber(value)) {
      throw new StoreError(
        isDate ? 6053600 : 5733201,
        `$densify field type must be ${isDate ? "a date when a 'unit' is given" : "numeric without a 'unit'"}, found ${typeName(value)}`,
      );
    }
    if (low === undefined || compare(value, low) < 0) low = value;
    if (high === undefined || compare(value, high) > 0) high = value;
  }
  return low === undefined ? undefined : { low, high, isOpen: false };
}

/** The documents of a partition in order, with new ones for missing values. */
async function* densified(
  docs: readonly Doc[],
  { low, high, isOpen }: Bounds,
  { compiler, path, partitionPaths, next }: Densify,
  made: { count: number },
): AsyncGenerator<readonly Doc[]> {
  const seed = partitionPaths.reduce<Doc>((doc, part) => withPath(doc, part, plainAt(docs[0] ?? {}, part)), {});
  let batch: Doc[] = [];
  let at = 0;
  for (let value = low; ; value = next(value)) {
    const order = compare(value, high);
    const isPast = isOpen ? order >= 0 : order > 0;
    let isThere = false;
    for (let doc = docs[at]; doc !== undefined; doc = docs[at]) {
      const difference = compare(plainAt(doc, path), value);
      if (!isPast && difference > 0) break;
      if (difference === 0) isThere = true;
      batch.push(doc);
      at += 1;
    }
    if (isPast) break;
    if (!isThere) {
      made.count += 1;
      if (made.count > maxCreated)
        throw new StoreError(
          5897900,
          `Generated ${made.count} documents in $densify, which is over the limit of ${maxCreated}.`,
        );
      batch.push(withPath(seed, path, value));
    }
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
    await compiler.context.yield();
  }
  yield* inBatches(batch, (doc) => doc, compiler.context);
}
