/** Parsing JSON without rounding its numbers. */
import { expect, test } from '@jest/globals';
import { DecimalLiteral, LongLiteral, parseExactly } from '../../../../../src/models/fields/values/exact-json.ts';

const parse = (text: string): any => parseExactly(text, JSON.parse);

/** What a number becomes: a double, or the text of a literal. */
const numbers: readonly (readonly [literal: string, kind: 'double' | 'long' | 'decimal'])[] = [
  ['0', 'double'],
  ['-0.0', 'double'],
  ['9007199254740991', 'double'],
  ['9007199254740992', 'long'],
  ['-9223372036854775808', 'long'],
  ['9223372036854775808', 'decimal'],
  ['100000000000000000000', 'double'],
  ['100000000000000000001', 'decimal'],
  ['9007199254740993.0', 'decimal'],
  ['1.0000000000000000000', 'double'],
  ['0.30000000000000004', 'double'],
  ['0.10000000000000001', 'decimal'],
  ['1234567890123456.789', 'decimal'],
  ['1.7976931348623157e308', 'double'],
  ['1e400', 'double'],
  ['1e-400', 'decimal'],
  ['5e-324', 'double'],
];
test.each(numbers)('%s', (literal, kind) => {
  for (const [text, at] of [
    [literal, (value: any) => value],
    [`[ ${literal} ]`, ([value]: any) => value],
    [`{"a":{"b":${literal}},"c":"x"}`, ({ a }: any) => a.b],
    [`["${literal}\\\\",${literal}]`, (list: any) => list[1]],
  ] as const) {
    const value = at(parse(text)) as unknown;
    const found = value instanceof LongLiteral ? 'long' : value instanceof DecimalLiteral ? 'decimal' : typeof value;
    expect([text, found]).toEqual([text, kind === 'double' ? 'number' : kind]);
    if (kind === 'double') expect(value).toBe(Number(literal));
    else expect(String(value)).toBe(literal);
  }
});

test('texts stay as they are', () => {
  const long = '9007199254740993';
  for (const text of [long, `\\${long}`, `"${long}"`, `${long}\\`, `a\\"${long}\\\\`, `\u2028${long}`])
    expect(parse(JSON.stringify({ [text]: text, number: 1 }))).toEqual({ [text]: text, number: 1 });
  expect(Object.keys(parse(`{"__proto__":${long},"a":${long}}`))).toEqual(['__proto__', 'a']);
});

test('a text that is not JSON fails as with the parser', () => {
  for (const text of ['[9007199254740993', '{"a":09007199254740993}', '9007199254740993x', '"9007199254740993'])
    expect(() => parse(text)).toThrow(SyntaxError);
});
