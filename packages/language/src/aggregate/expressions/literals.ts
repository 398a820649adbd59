/** Literals, random values, the text score, and the BSON size of values. */
import { Binary, Double } from 'bson';
import { noTextScore, notSupported, StoreError } from '../../errors.ts';
import { encode } from '../../values/encode.ts';
import { isDoc, isNumber } from '../../values/kind.ts';
import { double } from '../numbers.ts';
import { onOneOrNull, typeName } from './arguments.ts';
import type { Operator } from './compiler.ts';

const chance: Operator = (operand, _compiler, name) => {
  const isEmpty =
    (Array.isArray(operand) && operand.length === 0) || (isDoc(operand) && Object.keys(operand).length === 0);
  if (!isEmpty) throw new StoreError(10065, `${name} does not currently accept arguments`);
  return () => new Double(Math.random());
};

const sampleRate: Operator = (operand, _compiler, name) => {
  const rate = isNumber(operand) ? double(operand) : NaN;
  if (!(rate >= 0 && rate <= 1)) throw new StoreError(2, `argument to ${name} must be a number in [0, 1]`);
  return () => Math.random() < rate;
};

const meta: Operator = (operand, compiler) => {
  if (typeof operand !== 'string') throw new StoreError(17307, '$meta only supports string arguments');
  if (operand !== 'textScore') throw notSupported(`the metadata '${operand}'`);
  return ({ root }) => {
    const score = compiler.context.textScore?.(root);
    if (score === undefined) {
      throw noTextScore();
    }
    return new Double(score);
  };
};

const binarySize: Operator = onOneOrNull((value, { name, compiler }) => {
  if (typeof value === 'string') {
    compiler.work.text(value.length, name);
    return Buffer.byteLength(value);
  }
  if (value instanceof Binary) return value.position;
  throw new StoreError(51276, `${name} requires a string or BinData argument, found: ${typeName(value)}`);
});

const bsonSize: Operator = onOneOrNull((value, { name, compiler }) => {
  if (!isDoc(value)) throw new StoreError(31393, `${name} requires a document input, found: ${typeName(value)}`);
  compiler.context.meter.walked(value);
  return encode(value).length;
});

/** Expressions that require a MongoDB server. */
export const unsupported = ['$function', '$toHashedIndexKey'];

const refused: Operator = (_operand, _compiler, name) => {
  throw notSupported(`the expression ${name}`);
};

/** The operators of this file. */
export const literalOperators: readonly (readonly [string, Operator])[] = [
  ['$literal', (operand, compiler) => compiler.constant(operand)],
  ['$const', (operand, compiler) => compiler.constant(operand)],
  ['$expr', (operand, compiler) => compiler.compile(operand)],
  ['$rand', chance],
  ['$sampleRate', sampleRate],
  ['$meta', meta],
  ['$binarySize', binarySize],
  ['$bsonSize', bsonSize],
  ...unsupported.map((name): readonly [string, Operator] => [name, refused]),
];
