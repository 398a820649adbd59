/** Where a text is not JSON. */
import { expect, test } from '@jest/globals';
import { jsonFaultOf, whereNotJson } from '../../src/text/json-fault.ts';
import { numbersFrom } from '../support/numbers.ts';

test.each([
  ['', 'line 1, column 1: expected a value, got the end'],
  ['{"a": }', 'line 1, column 7: expected a value, got "}"'],
  ['{"a": 1,}', 'line 1, column 9: expected a name in double quotes, got "}"'],
  ['[1, 2,]', 'line 1, column 7: expected a value, got "]"'],
  ['[1 2]', 'line 1, column 4: expected "," or "]", got "2"'],
  ['{"a": 1 "b": 2}', 'line 1, column 9: expected "," or "}", got "\\""'],
  ["{'a': 1}", 'line 1, column 2: expected a name in double quotes, got "\'"'],
  ['{a: 1}', 'line 1, column 2: expected a name in double quotes, got "a"'],
  ['{"a" 1}', 'line 1, column 6: expected ":", got "1"'],
  ['{\n  "title": "x",\n  "pages": 05\n}', 'line 3, column 13: expected "," or "}", got "5"'],
  ['{"a": "x\n"}', 'line 1, column 9: a control character in a text must be escaped, such as \\n'],
  ['{"a": "\\x"}', 'line 1, column 8: a backslash must begin an escape, such as \\\\'],
  ['{"a": "x', 'line 1, column 9: expected a closing quote, got the end'],
  ['{"a": [1', 'line 1, column 9: expected "," or "]", got the end'],
  ['{} {}', 'line 1, column 4: expected the end, got "{"'],
  ['undefined', 'line 1, column 1: expected a value, got "u"'],
  ['NaN', 'line 1, column 1: expected a value, got "N"'],
  ['nul', 'line 1, column 1: expected a value, got "n"'],
  ['1.', 'line 1, column 2: expected the end, got "."'],
  ['[\u{1F600}]', 'line 1, column 2: expected a value, got "\u{1F600}"'],
])('%j', (text, message) => {
  expect(whereNotJson(text)).toBe(`: ${message}`);
});

test('a million levels and a text of a million characters are read without recursion', () => {
  expect(jsonFaultOf('['.repeat(1_000_000))).toMatchObject({ column: 1_000_001 });
  expect(jsonFaultOf(`"${'a'.repeat(1_000_000)}`)).toMatchObject({ column: 1_000_002 });
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('random texts have a fault exactly where JSON.parse refuses them', () => {
  const parts = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '1',
    '-0.5e3',
    'true',
    'null',
    ' ',
    '\n',
    '\\',
    '\\u00e9',
    '0',
    'x',
  ];
  const whole = '{"a":[1,{"b":"c\\n"},null],"d":-1.5e+3}';
  const random = numbersFrom(7);
  const below = (count: number): number => Math.floor(random() * count);
  const part = (): string => parts[below(parts.length)] ?? '';
  let faults = 0;
  for (let round = 0; round < 20_000; round++) {
    const at = below(whole.length);
    const text =
      round % 2 === 0
        ? Array.from({ length: below(6) }, part).join('')
        : whole.slice(0, at) + part() + whole.slice(at + below(3));
    const fault = jsonFaultOf(text);
    if (fault !== undefined) faults += 1;
    expect({ text, isJson: fault === undefined }).toEqual({ text, isJson: isJson(text) });
  }
  expect(faults).toBeGreaterThan(1000);
  expect(faults).toBeLessThan(19_000);
});
