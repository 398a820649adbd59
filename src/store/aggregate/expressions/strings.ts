/** Text: parts, searches, patterns. Characters are counted as code points (CP) or as bytes of UTF-8. */
import { BSONRegExp } from 'bson';
import { StoreError } from '../../errors.ts';
import { exactLong } from '../../values/number.ts';
import { kindOf } from '../../values/kind.ts';
import { compileRegex } from '../../query/regex.ts';
import { RE2JS } from 're2js';
import type { Doc, Value } from '../../values/types.ts';
import {
  anyNumber,
  checkLength,
  checkText,
  isNullish,
  over,
  type Compiler,
  type Evaluate,
  type Operator,
} from './scope.ts';
import { options } from './variables.ts';

function text(value: Value, name: string): string {
  if (typeof value !== 'string')
    throw new StoreError(16702, `${name} only supports strings, not ${kindOf(value).name}`);
  return value;
}

function count(value: Value, name: string): number {
  const whole = exactLong(value);
  if (whole === undefined) throw new StoreError(16034, `${name} takes whole numbers`);
  return Number(whole);
}

const lettered = (change: (value: string) => string): Operator =>
  over(1, 1, ([value], name) =>
    isNullish(value) ? '' : change(typeof value === 'number' ? String(value) : text(value, name)),
  );

/** Whether each unit of a text is a character by itself, so that it need not be taken apart. */
const isPlain = (value: string): boolean => !/[\ud800-\udfff]/.test(value);
const lengthOf = (value: string): number => (isPlain(value) ? value.length : [...value].length);

const bytesOf = (value: string): Buffer => Buffer.from(value, 'utf8');

const searchBytes = (value: string, wanted: string, from: number, end: number): number =>
  bytesOf(value).subarray(0, end).indexOf(bytesOf(wanted), from);

function searchPoints(value: string, wanted: string, from: number, end: number): number {
  if (isPlain(value)) return value.slice(0, end).indexOf(wanted, from);
  const points = [...value];
  const before = points.slice(0, from).join('').length;
  const at = points.slice(0, end).join('').indexOf(wanted, before);
  return at < 0 ? -1 : [...value.slice(0, at)].length;
}

function find(search: typeof searchPoints, measure: (value: string) => number): Operator {
  return over(2, 4, ([value, wanted, start = 0, end], name) => {
    if (isNullish(value)) return null;
    const whole = text(value, name);
    const [from, length] = [count(start, name), measure(whole)];
    const last = isNullish(end) ? length : Math.min(length, count(end, name));
    if (from < 0 || last < 0) throw new StoreError(40097, `${name} requires a nonnegative start index`);
    return from > last ? -1 : search(whole, text(wanted, name), from, last);
  });
}

function substringBytes([value, start, length]: readonly Value[], name: string): Value {
  if (isNullish(value)) return '';
  const bytes = bytesOf(text(typeof value === 'number' ? String(value) : value, name));
  const [from, most] = [count(start, name), count(length, name)];
  const part = bytes.subarray(from, most < 0 ? undefined : from + most);
  const result = part.toString('utf8');
  if (!bytesOf(result).equals(part)) throw new StoreError(28656, `${name}: the range cuts a character`);
  return result;
}

const trimmer =
  (ends: { left: boolean; right: boolean }): Operator =>
  (operand, { compile }, name) => {
    const given = options(operand, name, ['input', 'chars'], ['input']);
    const [input, chars] = [compile(given['input']), compile(given['chars'])];
    return (scope) => {
      const value = input(scope);
      if (isNullish(value)) return null;
      const set = chars(scope);
      const drops =
        set === undefined ? (one: string) => /[\s\0]/.test(one) : (one: string) => text(set, name).includes(one);
      const whole = text(value, name);
      const all = isPlain(whole) ? whole : [...whole];
      let [from, to] = [0, all.length];
      while (ends.left && from < to && drops(all[from] ?? '')) from += 1;
      while (ends.right && to > from && drops(all[to - 1] ?? '')) to -= 1;
      return typeof all === 'string' ? all.slice(from, to) : all.slice(from, to).join('');
    };
  };

const replacer =
  (all: boolean): Operator =>
  (operand, { compile }, name) => {
    const given = options(operand, name, ['input', 'find', 'replacement']);
    const parts = [given['input'], given['find'], given['replacement']].map((part) => compile(part));
    return (scope) => {
      const [input, wanted, fresh] = parts.map((part) => part(scope));
      if (isNullish(input) || isNullish(wanted) || isNullish(fresh)) return null;
      const [whole, part, replacement] = [text(input, name), text(wanted, name), text(fresh, name)];
      if (all && part === '') return whole;
      return checkText(all ? whole.split(part).join(replacement) : whole.replace(part, () => replacement), name);
    };
  };

/** Pattern and flags of the three regex operators. */
function patternOf(regex: Value, flags: Value): readonly [string, string] {
  if (regex instanceof BSONRegExp) return [regex.pattern, regex.options];
  if (typeof regex !== 'string') throw new StoreError(51105, "'regex' must be a string or a regular expression");
  return [regex, typeof flags === 'string' ? flags : ''];
}

const regexOperator =
  (run: (input: string, pattern: string, flags: string) => Value, nothing: Value): Operator =>
  (operand, { compile }, name) => {
    const given = options(operand, name, ['input', 'regex', 'options'], ['input', 'regex']);
    const parts = [given['input'], given['regex'], given['options']].map((part) => compile(part));
    return (scope) => {
      const [input, regex, flags] = parts.map((part) => part(scope));
      if (isNullish(input) || isNullish(regex)) return nothing;
      return run(text(input, name), ...patternOf(regex, flags));
    };
  };

/** All matches, in linear time. */
function matches(input: string, pattern: string, flags: string, most: number): Doc[] {
  compileRegex(pattern, flags);
  const inline = flags.replace('x', '');
  const matcher = RE2JS.compile(inline === '' ? pattern : `(?${inline})${pattern}`).matcher(input);
  const found: Doc[] = [];
  while (found.length < most && matcher.find()) {
    const captures: Value[] = [];
    for (let at = 1; at <= matcher.groupCount(); at++) captures.push(matcher.group(at) ?? null);
    found.push({ match: matcher.group() ?? '', idx: lengthOf(input.slice(0, matcher.start())), captures });
  }
  return found;
}

function split([value, separator]: readonly Value[], name: string): Value {
  if (isNullish(value) || isNullish(separator)) return null;
  if (separator === '') throw new StoreError(40087, '$split requires a non-empty separator');
  const parts = text(value, name).split(text(separator, name));
  checkLength(parts.length, name);
  return parts;
}

function lengthIn(measure: (value: string) => number): Operator {
  return over(1, 1, ([value], name) => {
    if (typeof value !== 'string')
      throw new StoreError(34471, `${name} requires a string argument, found: ${kindOf(value).name}`);
    return measure(value);
  });
}

const substringPoints: Operator = over(3, 3, ([value, start, length], name) => {
  if (isNullish(value)) return '';
  const whole = text(typeof value === 'number' ? String(value) : value, name);
  const [from, most] = [count(start, name), count(length, name)];
  if (from < 0 || most < 0)
    throw new StoreError(34455, `${name}: starting index and length must be non-negative integers`);
  return isPlain(whole) ? whole.slice(from, from + most) : [...whole].slice(from, from + most).join('');
});

export const strings: Readonly<Record<string, Operator>> = {
  $concat: over(0, anyNumber, (values, name) => {
    if (values.some(isNullish)) return null;
    return checkText(values.map((value) => text(value, name)).join(''), name);
  }),
  $toLower: lettered((value) => value.toLowerCase()),
  $toUpper: lettered((value) => value.toUpperCase()),
  $strLenCP: lengthIn(lengthOf),
  $strLenBytes: lengthIn((value) => Buffer.byteLength(value)),
  $substr: over(3, 3, substringBytes),
  $substrBytes: over(3, 3, substringBytes),
  $substrCP: substringPoints,
  $indexOfCP: find(searchPoints, lengthOf),
  $indexOfBytes: find(searchBytes, (value) => Buffer.byteLength(value)),
  $split: over(2, 2, split),
  $strcasecmp: over(2, 2, ([a, b], name) => {
    const [left, right] = [a, b].map((value) => (isNullish(value) ? '' : text(value, name).toUpperCase()));
    return left === right ? 0 : (left ?? '') < (right ?? '') ? -1 : 1;
  }),
  $trim: trimmer({ left: true, right: true }),
  $ltrim: trimmer({ left: true, right: false }),
  $rtrim: trimmer({ left: false, right: true }),
  $replaceOne: replacer(false),
  $replaceAll: replacer(true),
  $regexMatch: regexMatch,
  $regexFind: regexOperator((input, pattern, flags) => matches(input, pattern, flags, 1)[0] ?? null, null),
  $regexFindAll: regexOperator((input, pattern, flags) => matches(input, pattern, flags, anyNumber), []),
};

/** A pattern that does not change is compiled once. */
function regexMatch(operand: Value, compiler: Compiler, name: string): Evaluate {
  const cache = new Map<string, ReturnType<typeof compileRegex>>();
  return regexOperator((input, pattern, flags) => {
    const key = `${flags}/${pattern}`;
    const regex = cache.get(key) ?? compileRegex(pattern, flags);
    if (cache.size < 100) cache.set(key, regex);
    return regex.test(input);
  }, false)(operand, compiler, name);
}
