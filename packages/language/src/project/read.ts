/** Parses the entries of a projection. */
import { Double } from 'bson';
import { dollarName, noTextScore, notSupported, StoreError } from '../errors.ts';
import { type Charge, compileFilter, type ExprCompiler } from '../query/index.ts';
import { isDoc, isNumber, kindOf } from '../values/kind.ts';
import { truthy } from '../values/number.ts';
import { field } from '../values/path.ts';
import type { Doc, Value } from '../values/types.ts';
import { arrayPathOf, isPositional } from './positional.ts';
import { readSlice } from './slice.ts';
import type { Leaf } from './tree.ts';

/** Whether an entry requires an inclusion or an exclusion. */
type Side = 'inclusion' | 'exclusion' | 'either';

/** An entry of a projection. */
export interface Entry {
  readonly path: string;
  readonly leaf: Leaf;
  readonly side: Side;
  /** Whether it is the path of a positional `$`. */
  readonly positional?: boolean;
  /** The kind of the entry, where it matters. */
  readonly form?: 'expression' | 'literal' | 'elemMatch' | 'slice';
}

/** Options for the operators of a projection. */
export interface ReadOptions {
  readonly expr?: ExprCompiler;
  /** Whether it is `$project`: `$slice` is the expression there. */
  readonly isStage?: boolean;
  readonly textScore?: (doc: Doc) => number;
  readonly charge?: Charge;
}

/** Parses all entries of a projection. A document as a value stands for the paths in it. */
export function readEntries(projection: Doc, options: ReadOptions, prefix = ''): readonly Entry[] {
  return Object.entries(projection).flatMap(([name, value]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (isPositional(path)) return [readPositional(path, value)];
    checkPath(path);
    return isPlainDoc(value) ? readEntries(nonEmpty(value, path), options, path) : [readEntry(path, value, options)];
  });
}

const isPlainDoc = (value: Value): value is Doc => isDoc(value) && Object.keys(value)[0]?.startsWith('$') !== true;

function nonEmpty(value: Doc, path: string): Doc {
  if (Object.keys(value).length === 0) {
    throw new StoreError(51270, `An empty sub-projection is not a valid value. Found empty object at path ${path}`);
  }
  return value;
}

function checkPath(path: string): void {
  if (path === '') throw new StoreError(40352, 'FieldPath cannot be constructed with empty string');
  const parts = path.split('.');
  if (parts.includes('')) throw new StoreError(15998, 'FieldPath field names may not be empty strings.');
  if (parts.some((part) => part.startsWith('$'))) {
    throw dollarName();
  }
}

function readPositional(path: string, value: Value): Entry {
  const array = arrayPathOf(path);
  if (isDoc(value))
    throw new StoreError(31271, 'positional projection cannot be used with an expression or sub object');
  if (!isFlag(value)) throw new StoreError(31308, 'positional projection cannot be used with a literal');
  if (!truthy(value)) throw new StoreError(31395, 'positional projection cannot be used with exclusion');
  return { path: array, leaf: { kind: 'include' }, side: 'inclusion', positional: true };
}

const isFlag = (value: Value): boolean => typeof value === 'boolean' || isNumber(value);

function readEntry(path: string, value: Value, options: ReadOptions): Entry {
  if (isFlag(value)) {
    return truthy(value)
      ? { path, leaf: { kind: 'include' }, side: 'inclusion' }
      : { path, leaf: { kind: 'exclude' }, side: 'exclusion' };
  }
  const [name = ''] = isDoc(value) ? Object.keys(value) : [];
  const read = operators.get(name);
  if (isDoc(value) && read !== undefined) return read(path, value, options);
  if (options.expr === undefined) throw notSupported(`the projection of '${path}' by an expression`);
  const form = isDoc(value) ? 'expression' : 'literal';
  return { path, leaf: { kind: 'compute', value: options.expr(value) }, side: 'inclusion', form };
}

type OperatorReader = (path: string, value: Doc, options: ReadOptions) => Entry;

/** In a `find`, `$slice` with two arguments that are not both numbers, or with three, is the aggregation operator. */
const slice: OperatorReader = (path, value, { expr, isStage = false }) => {
  const { $slice: operand } = value;
  const isExpression = isStage || (Array.isArray(operand) && !(operand.length === 2 && operand.every(isNumber)));
  if (isExpression && expr !== undefined) {
    return { path, leaf: { kind: 'compute', value: expr(value) }, side: 'inclusion', form: 'expression' };
  }
  return { path, leaf: { kind: 'slice', slice: readSlice(operand) }, side: 'either', form: 'slice' };
};

const elemMatch: OperatorReader = (path, value, { charge }) => {
  const { $elemMatch: operand } = value;
  if (path.includes('.')) throw new StoreError(31275, 'Cannot use $elemMatch projection on a nested field.');
  if (!isDoc(operand)) {
    throw new StoreError(31274, `elemMatch: Invalid argument, object required, but got ${kindOf(operand).name}`);
  }
  const matcher = compileFilter({ [path]: { $elemMatch: operand } }, { charge });
  const matched = (doc: Doc): Value => {
    const array = field(doc, path);
    const place = matcher.matches(doc) ? matcher.matchPosition(doc) : undefined;
    return Array.isArray(array) && place !== undefined ? [array[place]] : undefined;
  };
  return { path, leaf: { kind: 'compute', value: matched }, side: 'either', form: 'elemMatch' };
};

const meta: OperatorReader = (path, value, { textScore }) => {
  const { $meta: name } = value;
  if (name !== 'textScore') {
    if (typeof name !== 'string') throw new StoreError(17308, '$meta arguments must be strings');
    throw notSupported(`the metadata '${name}'`);
  }
  if (textScore === undefined) throw noTextScore();
  return { path, leaf: { kind: 'compute', value: (doc) => scoreValue(textScore(doc)) }, side: 'either' };
};

const scoreValue = (score: number): Value => (Number.isInteger(score) ? new Double(score) : score);

const operators: ReadonlyMap<string, OperatorReader> = new Map<string, OperatorReader>([
  ['$slice', slice],
  ['$elemMatch', elemMatch],
  ['$meta', meta],
]);
