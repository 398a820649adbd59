/** String operators. Positions count code points (`CP`) or bytes of UTF-8. */
import { BSONSymbol, Timestamp } from 'bson';
import { StoreError } from '../../errors.ts';
import { search } from '../../query/regex/metered-text.ts';
import { isNumber } from '../../values/kind.ts';
import { exactLong, toLong } from '../../values/number.ts';
import { compareStrings } from '../../values/order.ts';
import type { Value } from '../../values/types.ts';
import {
  type Call,
  type Fields,
  fieldsOf,
  isNullish,
  onOne,
  onTwo,
  onTwoOrNull,
  onValues,
  typeName,
} from './arguments.ts';
import { indexArgument } from './arrays.ts';
import type { Operator } from './compiler.ts';
import { textOf } from './conversions.ts';

/** @throws StoreError with the given code if the value is not a string */
export function stringOf(value: Value, code: number, message: (type: string) => string): string {
  if (typeof value === 'string') return value;
  if (value instanceof BSONSymbol) return value.value;
  throw new StoreError(code, message(typeName(value)));
}

function concat(values: readonly Value[], { name, compiler }: Call): Value {
  let text = '';
  for (const value of values) {
    if (isNullish(value)) return null;
    const part = stringOf(value, 16702, (type) => `${name} only supports strings, not ${type}`);
    text += part;
    compiler.work.text(part.length, name);
    compiler.work.fitsText(text.length, name);
  }
  return text;
}

/** The string of an operand that may also be a number or a date; empty for null. */
function coerced(value: Value): string {
  if (isNullish(value)) return '';
  if (typeof value === 'string' || value instanceof Date || value instanceof Timestamp || isNumber(value)) {
    return textOf(value);
  }
  if (value instanceof BSONSymbol) return value.value;
  throw new StoreError(16007, `can't convert from BSON type ${typeName(value)} to String`);
}

/** Changes the case of ASCII letters only, as MongoDB does. */
const cased = (pattern: RegExp, change: (letters: string) => string): Operator =>
  onOne((value, { name, compiler }) => {
    const text = coerced(value);
    compiler.work.text(text.length, name);
    if (onlyAscii.test(text)) return change(text);
    return text.replace(pattern, (letters) => {
      compiler.work.replaced();
      return change(letters);
    });
  });

const onlyAscii = /^[\0-\x7f]*$/;

const compareWithoutCase = onTwo((a, b, { name, compiler }) => {
  const [left = '', right = ''] = [a, b].map((value) => {
    const text = coerced(value);
    compiler.work.text(text.length, name);
    return text.replace(/[a-z]+/g, (part) => {
      compiler.work.replaced();
      return part.toUpperCase();
    });
  });
  return Math.sign(compareStrings(left, right));
});

const lengthBy = (code: number, measure: (text: string) => number): Operator =>
  onOne((value, { name, compiler }) => {
    const text = stringOf(value, code, (type) => `${name} requires a string argument, found: ${type}`);
    compiler.work.text(text.length, name);
    return measure(text);
  });

/** Whether a pair of surrogates, one code point, begins at a position. */
export const isPair = (text: string, at: number): boolean =>
  (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;

/** The number of code points. */
export function codePoints(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at += 1) if (isPair(text, at)) pairs += 1;
  return text.length - pairs;
}

const split = onTwoOrNull((value, separator, { name, compiler }) => {
  const text = stringOf(
    value,
    40085,
    (type) => `${name} requires an expression that evaluates to a string as a first argument, found: ${type}`,
  );
  const by = stringOf(
    separator,
    40086,
    (type) => `${name} requires an expression that evaluates to a string as a second argument, found: ${type}`,
  );
  if (by === '') throw new StoreError(40087, `${name} requires a non-empty separator`);
  compiler.work.text(text.length, name);
  const parts = text.split(by);
  compiler.work.add(parts.length, name);
  return parts;
});

function substringBytes([value, start, length]: readonly Value[], { name, compiler }: Call): Value {
  if (!isNumber(start))
    throw new StoreError(16034, `${name}:  starting index must be a numeric type (is BSON type ${typeName(start)})`);
  if (!isNumber(length))
    throw new StoreError(16035, `${name}:  length must be a numeric type (is BSON type ${typeName(length)})`);
  const text = coerced(value);
  compiler.work.text(text.length, name);
  const bytes = Buffer.from(text);
  const from = Number(toLong(start) ?? 0n);
  const count = Number(toLong(length) ?? 0n);
  if (from < 0) throw new StoreError(50752, `${name}:  starting index must be non-negative (got: ${from})`);
  const to = count < 0 ? bytes.length : Math.min(bytes.length, from + count);
  if (isContinuation(bytes[from]))
    throw new StoreError(28656, `${name}:  Invalid range, starting index is a UTF-8 continuation byte.`);
  if (isContinuation(bytes[to]))
    throw new StoreError(28657, `${name}:  Invalid range, ending index is in the middle of a UTF-8 character.`);
  return bytes.toString('utf8', from, Math.max(from, to));
}

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

function substringPoints([value, start, length]: readonly Value[], { name, compiler }: Call): Value {
  const text = coerced(value);
  const from = countOf(start, { name, what: 'starting index', codes: [34450, 34451, 34455] });
  const count = countOf(length, { name, what: 'length', codes: [34452, 34453, 34454] });
  compiler.work.text(Math.min(text.length, from + count), name);
  const first = unitsFor(text, from);
  return text.slice(first, unitsFor(text, count, first));
}

/** The position in UTF-16 units a number of code points after another. */
function unitsFor(text: string, points: number, from = 0): number {
  let at = from;
  for (let left = points; left > 0 && at < text.length; left -= 1) at += isPair(text, at) ? 2 : 1;
  return at;
}

interface Counted {
  readonly name: string;
  readonly what: string;
  /** The codes for a value that is not a number, not whole, or negative. */
  readonly codes: readonly [notNumber: number, notWhole: number, negative: number];
}

function countOf(value: Value, { name, what, codes: [notNumber, notWhole, negative] }: Counted): number {
  if (!isNumber(value)) {
    throw new StoreError(notNumber, `${name}: ${what} must be a numeric type (is BSON type ${typeName(value)})`);
  }
  const count = exactLong(value);
  if (count === undefined) {
    throw new StoreError(
      notWhole,
      `${name}: ${what} cannot be represented as a 32-bit integral value: ${String(value)}`,
    );
  }
  if (count < 0n) throw new StoreError(negative, `${name}: ${what} must be a nonnegative integer.`);
  return Number(count);
}

function indexOfPoints([value, part, from = 0, to]: readonly Value[], { name, compiler }: Call): Value {
  if (isNullish(value)) return null;
  const text = stringOf(value, 40093, (type) => `${name} requires a string as the first argument, found: ${type}`);
  const wanted = stringOf(part, 40094, (type) => `${name} requires a string as the second argument, found: ${type}`);
  const start = indexArgument(from, name, 'starting');
  const end = to === undefined ? Infinity : indexArgument(to, name, 'ending');
  compiler.work.text(start, name);
  const first = unitsFor(text, start);
  if (start > end || (first >= text.length && codePoints(text) < start)) return -1;
  const at = search(text, wanted, { from: first, charge: (steps) => compiler.context.meter.charge(steps) });
  if (at >= 0) compiler.work.text(at - first, name);
  const stop = to === undefined ? text.length : unitsFor(text, end);
  return at < 0 || at + wanted.length > stop ? -1 : start + codePoints(text.slice(first, at));
}

function indexOfBytes([value, part, from = 0, to]: readonly Value[], { name, compiler }: Call): Value {
  if (isNullish(value)) return null;
  const text = stringOf(value, 40091, (type) => `${name} requires a string as the first argument, found: ${type}`);
  compiler.work.text(text.length, name);
  const bytes = Buffer.from(text);
  const wanted = stringOf(part, 40092, (type) => `${name} requires a string as the second argument, found: ${type}`);
  const start = indexArgument(from, name, 'starting');
  const end = to === undefined ? bytes.length : Math.min(bytes.length, indexArgument(to, name, 'ending'));
  if (start > end) return -1;
  const at = bytes.subarray(start, end).indexOf(wanted);
  return at < 0 ? -1 : start + at;
}

const replaceFields: Fields = {
  notObject: 51751,
  unknown: 51750,
  required: { input: 51749, find: 51748, replacement: 51747 },
};

/** Replacing at one place takes as long as reading this many characters. */
const placeLetters = 8;

/** What replaces a text, and the operator that does it. */
interface Replacing extends Call {
  readonly by: string;
}

const replaceCodes: Readonly<Record<string, number>> = { input: 51746, find: 51745, replacement: 51744 };

const replacing =
  (replace: (text: string, find: string, replacing: Replacing) => string): Operator =>
  (operand, compiler, name) => {
    const given = fieldsOf(operand, name, replaceFields);
    const parts = Object.entries(replaceCodes).map(([key, code]) => ({
      key,
      code,
      evaluate: compiler.compile(given[key]),
    }));
    return (scope) => {
      const values = parts.map(({ evaluate }) => evaluate(scope));
      const [input = '', find = '', by = ''] = parts.map(({ key, code }, at) =>
        isNullish(values[at])
          ? ''
          : stringOf(values[at], code, (type) => `${name} requires that '${key}' be a string, found: ${type}`),
      );
      if (values.some(isNullish)) return null;
      compiler.work.text(input.length, name);
      return replace(input, find, { by, name, compiler });
    };
  };

/** The empty string is found before each code point and at the end. */
function replaceAll(text: string, find: string, { by, name, compiler }: Replacing): string {
  const places = find === '' ? text.length + 1 : text.split(find).length;
  compiler.work.text(places * (placeLetters + by.length), name);
  return find === '' ? ['', ...text, ''].join(by) : text.replaceAll(find, () => by);
}

/** The operators of this file. */
export const stringOperators: readonly (readonly [string, Operator])[] = [
  ['$concat', onValues(0, Infinity, concat)],
  ['$toLower', cased(/[A-Z]+/g, (part) => part.toLowerCase())],
  ['$toUpper', cased(/[a-z]+/g, (part) => part.toUpperCase())],
  ['$strcasecmp', compareWithoutCase],
  ['$strLenCP', lengthBy(34471, codePoints)],
  ['$strLenBytes', lengthBy(34473, (text) => Buffer.byteLength(text))],
  ['$split', split],
  ['$substr', onValues(3, 3, substringBytes)],
  ['$substrBytes', onValues(3, 3, substringBytes)],
  ['$substrCP', onValues(3, 3, substringPoints)],
  ['$indexOfCP', onValues(2, 4, indexOfPoints)],
  ['$indexOfBytes', onValues(2, 4, indexOfBytes)],
  ['$replaceOne', replacing((text, find, { by }) => text.replace(find, () => by))],
  ['$replaceAll', replacing(replaceAll)],
];
