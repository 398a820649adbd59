/** Operators that remove characters at the ends of a string. */
import { type Fields, fieldsOf, isNullish, optional } from './arguments.ts';
import type { Operator } from './compiler.ts';
import { isPair, stringOf } from './strings.ts';

const trimFields: Fields = { notObject: 50696, unknown: 50694, required: { input: 50695 }, optional: ['chars'] };

/** The characters that are trimmed by default. */
const blanks = '\0 \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a';

const trimming =
  (left: boolean, right: boolean): Operator =>
  (operand, compiler, name) => {
    const given = fieldsOf(operand, name, trimFields);
    const input = compiler.compile(given['input']);
    const chars = optional(given['chars'], compiler);
    return (scope) => {
      const value = input(scope);
      const set = chars === undefined ? blanks : chars(scope);
      if (isNullish(value) || isNullish(set)) return null;
      const text = stringOf(value, 50699, (type) => `${name} requires its input to be a string, got ${type}`);
      compiler.work.text(text.length, name);
      const members = new Set(stringOf(set, 50700, (type) => `${name} requires 'chars' to be a string, got ${type}`));
      const from = left ? leadingUnits(text, members) : 0;
      return text.slice(from, right ? trailingEnd(text, from, members) : text.length);
    };
  };

function leadingUnits(text: string, members: ReadonlySet<string>): number {
  let at = 0;
  for (const letter of text) {
    if (!members.has(letter)) break;
    at += letter.length;
  }
  return at;
}

function trailingEnd(text: string, from: number, members: ReadonlySet<string>): number {
  let end = text.length;
  while (end > from) {
    const width = end - from > 1 && isPair(text, end - 2) ? 2 : 1;
    if (!members.has(text.slice(end - width, end))) break;
    end -= width;
  }
  return end;
}

/** The operators of this file. */
export const trimOperators: readonly (readonly [string, Operator])[] = [
  ['$trim', trimming(true, true)],
  ['$ltrim', trimming(true, false)],
  ['$rtrim', trimming(false, true)],
];
