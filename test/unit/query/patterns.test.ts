/** Which patterns are refused as too slow: those of a small grammar, compared by code points like in the engine. */
import { describe, expect, test } from '@jest/globals';
import { pattern } from '../../../src/query/regex.ts';

const refused = (source: string, flags = ''): boolean => {
  try {
    pattern(source, flags);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ status: 400 });
    return true;
  }
};

/** Pairs of sets that share a character, by the flags under which they do, and pairs that never do. */
const sharing: readonly (readonly [string, string, string])[] = [
  ['a', 'a', ''],
  ['[à]', '[à]', ''],
  ['[à-ü]', 'é', ''],
  ['😀', '[😀]', ''],
  ['[😀-😎]', '😃', ''],
  ['[^a]', 'à', ''],
  ['[^à]', 'b', ''],
  ['\\w', 'x', ''],
  ['\\W', 'à', ''],
  ['\\p{L}', '\\p{Lu}', ''],
  ['\\p{L}', 'à', ''],
  ['[[:alpha:]]', 'x', ''],
  ['.', '😀', ''],
  ['à', 'À', 'i'],
  ['[à-ü]', 'É', 'i'],
  ['k', '\\x{212a}', 'i'],
  ['ж', '[Ж]', 'i'],
];
const distinct: readonly (readonly [string, string, string])[] = [
  ['a', 'b', ''],
  ['à', 'á', ''],
  ['à', 'À', ''],
  ['[à-ü]', ',', 'i'],
  ['😀', '😁', ''],
  ['[^,]', ',', ''],
  ['[^,]', ',', 'i'],
  ['\\w', 'à', ''],
  ['\\w', '-', 'i'],
  ['\\p{L}', ' ', ''],
  ['[[:alpha:]]', '1', ''],
];

/** Patterns in which two sets decide whether iterations and alternatives can be distinguished. */
const grammar: readonly ((one: string, other: string) => string)[] = [
  (one, other) => `(?:${one}+${other})+$`,
  (one, other) => `(${one}*${other})*$`,
  (one, other) => `(?:${one}{1,5}${other}){20}$`,
  (one, other) => `(?:${one}|${other})+$`,
];

describe('a grammar of patterns', () => {
  test.each(sharing)('%s and %s share characters (%s)', (one, other, flags) => {
    for (const made of grammar) {
      expect([made(one, other), refused(made(one, other), flags)]).toEqual([made(one, other), true]);
      expect([made(other, one), refused(made(other, one), flags)]).toEqual([made(other, one), true]);
    }
  });
  test.each(distinct)('%s and %s share none (%s)', (one, other, flags) => {
    for (const made of grammar)
      expect([made(one, other), refused(made(one, other), flags)]).toEqual([made(one, other), false]);
  });
});

test.each([
  ['(?:[à]+[à])+$', ''],
  ['(a+)+$', ''],
  ['(?:a+ a)+$', 'x'],
  ['(?i)(?:à+À)+$', ''],
  ['(?:\\p{L}+)+$', ''],
  ['(?:[[:alpha:]]+;?)+$', ''],
  ['(?:.{1000}|b){9}c', ''],
  ['a{1001}', ''],
  ['(?:(?:a{1,9}){1,9}){1,9}$', ''],
  ['(a)\\1', ''],
  ['(?R)', ''],
  ['\\X', ''],
  ['(a', ''],
])('%s (%s) is refused', (source, flags) => {
  expect(refused(source, flags)).toBe(true);
});

test.each(['^the dark', '\\d{1,3}(?:\\.\\d{1,3}){3}', '([^,]*,)+', '(ab)+', '(?i)straße', 'a++b', '[\\w.-]+@[\\w.-]+'])(
  '%s is accepted',
  (source) => {
    expect(refused(source)).toBe(false);
  },
);
