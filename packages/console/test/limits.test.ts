/** The limits of fields: the hints of a form, and the values that it refuses without sending them. */
import { describe, expect, test } from '@jest/globals';
import type { Field } from '../src/api/models.ts';
import { faultsBelow, faultText, otherFaults } from '../src/document/faults.ts';
import { faultsOf, hintOf, isLeftOut, missingFaults } from '../src/document/limits.ts';

const plain = { type: 'String', input: 'text', required: false, unique: false, index: false, array: false } as const;
const day = '2020-01-01T00:00:00.000Z';
const later = '2030-01-01T00:00:00.000Z';

describe('hints', () => {
  test.each<[Partial<Field>, string | undefined]>([
    [{}, undefined],
    [{ min: 1 }, 'At least 1'],
    [{ max: 10 }, 'At most 10'],
    [{ min: 0, max: 10 }, '0 to 10'],
    [{ minlength: 2, maxlength: 5 }, '2 to 5 characters'],
    [{ maxlength: 5, match: { pattern: '^a', flags: 'i' } }, 'At most 5 characters, in a certain form (pattern /^a/i)'],
    [{ match: { pattern: '^[a-z]+$', flags: '' } }, 'In a certain form (pattern /^[a-z]+$/)'],
    [{ match: { pattern: '^a$', flags: '' } }, 'In a certain form (pattern /^a$/)'],
    [{ match: { pattern: 'a|b', flags: '' } }, 'In a certain form (pattern /a|b/)'],
    [{ match: { pattern: '\\d', flags: '' } }, 'In a certain form (pattern /\\d/)'],
    [{ match: { pattern: '', flags: '' } }, 'In a certain form (pattern //)'],
    [{ match: { pattern: '@', flags: '' } }, 'Contains "@"'],
    [{ match: { pattern: '^https:\\/\\/', flags: '' } }, 'Begins with "https://"'],
    [{ match: { pattern: '\\.pdf$', flags: '' } }, 'Ends with ".pdf"'],
    [{ maxlength: 5, match: { pattern: '@', flags: '', message: 'An email' } }, 'At most 5 characters. An email'],
    [{ match: { pattern: '@', flags: '', message: '{VALUE} is no email' } }, 'Contains "@"'],
    [{ match: { pattern: '@', flags: '', message: 'An email' }, description: 'Of the office' }, undefined],
    [{ match: { pattern: '^a', flags: '' }, description: 'Begins with a' }, undefined],
  ])('%j: %s', (limits, hint) => {
    expect(hintOf(limits)).toBe(hint);
  });

  test('of dates are readable', () => {
    expect(hintOf({ min: day })).toMatch(/^At least .*2020/);
  });
});

describe('faults', () => {
  const fields: Record<string, Field> = {
    number: { ...plain, type: 'Number', input: 'number', min: 1, max: 10 },
    text: {
      ...plain,
      minlength: 2,
      maxlength: 4,
      match: { pattern: '^[a-z]+$', flags: '' },
      trim: true,
      lowercase: true,
    },
    email: { ...plain, match: { pattern: '@', flags: '' } },
    site: { ...plain, match: { pattern: '^http', flags: '', message: 'Give an address of the web' } },
    code: { ...plain, match: { pattern: '^[A-Z]+$', flags: '', message: '{PATH}: {VALUE} is no code' } },
    described: { ...plain, match: { pattern: '^a', flags: '' }, description: 'Begins with a' },
    date: { ...plain, type: 'Date', input: 'date', min: day, max: later },
    kind: { ...plain, enum: ['a', 'b', null] },
    numbers: { ...plain, type: 'Number', input: 'number', array: true, max: 3 },
    parts: { ...plain, type: 'Object', input: 'object', array: true },
    'parts.size': { ...plain, type: 'Number', input: 'number', min: 0 },
    free: { ...plain, type: 'Mixed', input: 'json' },
  };
  const faults = (path: string, value: unknown) => faultsOf({ fields }, new Map([[path, value]]));

  test.each<[string, unknown]>([
    ['number', 1],
    ['number', 10],
    ['number', null],
    // the server names the fault
    ['number', 'many'],
    ['text', ' ABC '],
    ['text', ''],
    ['date', day],
    ['date', later],
    ['kind', 'b'],
    ['kind', null],
    ['numbers', [1, 2, null]],
    ['parts', [{ size: 0 }, { other: -1 }]],
    ['free', { any: [{ thing: -1 }] }],
    ['unknown', 1],
  ])('%s accepts %j', (path, value) => {
    expect(faults(path, value)).toEqual([]);
  });

  test.each<[string, unknown, string, string | RegExp]>([
    ['number', 0, 'number', 'must be at least 1, got 0'],
    ['number', 11, 'number', 'must be at most 10, got 11'],
    ['text', 'a', 'text', 'must have at least 2 characters, got 1'],
    ['text', 'abcde', 'text', 'must have at most 4 characters, got 5'],
    ['text', 'a-b', 'text', 'does not have the right form (pattern /^[a-z]+$/), got "a-b"'],
    ['email', 'x', 'email', 'must contain "@", got "x"'],
    ['site', 'x', 'site', /^Give an address of the web$/],
    ['code', '$&', 'code', /^code: "\$&" is no code$/],
    ['described', 'x', 'described', 'must be as described, got "x"'],
    ['date', '2019-12-31T23:59:59.999Z', 'date', /^date must be at least .*2020/],
    ['date', '2030-01-01T00:00:00.001Z', 'date', /^date must be at most .*2030/],
    ['kind', 'c', 'kind', /^kind must be one of a, b, .*got "c"$/],
    ['numbers', [1, 9], 'numbers.1', 'must be at most 3, got 9'],
    ['parts', [{ size: 1 }, { size: -1 }], 'parts.1.size', 'must be at least 0, got -1'],
  ])('%s refuses %j', (path, value, place, message) => {
    expect(faults(path, value)).toEqual([
      {
        path: place,
        kind: 'limit',
        message: typeof message === 'string' ? `${place} ${message}` : expect.stringMatching(message),
      },
    ]);
  });
});

describe('required values', () => {
  const required = { ...plain, required: true };
  const list = { ...plain, type: 'Object', input: 'object', array: true } as const;
  const fields: Record<string, Field> = {
    title: required,
    'cook.name': required,
    'nest.name': required,
    steps: { ...list, required: true },
    'steps.text': required,
    'steps.key': { ...required, hidden: true },
    'steps.place.room': required,
    'steps.cook.name': required,
    'steps.times': list,
    'steps.times.minutes': required,
    'steps.words': { ...required, array: true },
  };
  const nested = { cook: { optional: true }, nest: { label: 'Nest' }, 'steps.cook': { optional: true } } as const;
  test.each<[what: string, steps: unknown, places: string[]]>([
    ['no members', [], []],
    ['no list', null, []],
    ['an empty member', [{}], ['steps.0.text', 'steps.0.place.room']],
    ['a complete one', [{ text: 'a', place: { room: 'b' }, times: [] }], []],
    ['a part of a part', [{ text: 'a', place: { room: 'b' }, cook: { age: 1 } }], ['steps.0.cook.name']],
    [
      'the members of a member',
      [{ text: 'a', place: { room: '' }, times: [{ minutes: 0 }, {}] }],
      ['steps.0.place.room', 'steps.0.times.1.minutes'],
    ],
    ['what is no document', ['a', null], ['steps.0.text', 'steps.0.place.room', 'steps.1.text', 'steps.1.place.room']],
  ])('%s', (_what, steps, places) => {
    const found = missingFaults({ fields, nested }, new Map([['steps', steps]]), () => false);
    expect(found.map(({ path }) => path)).toEqual(places);
  });

  test('a nested document without values is left out where it may be missing', () => {
    const leftOut = (path: string, value?: string): boolean =>
      isLeftOut({ fields, nested }, path, (one) => (one === 'cook.name' ? value : undefined));
    expect([leftOut('cook.name'), leftOut('nest.name'), leftOut('title'), leftOut('cook.name', 'a')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test('faults are shown by their own inputs, by labels', () => {
    const fault = (path: string) => ({ path, kind: 'required', message: `${path} is required` });
    const all = [
      fault('steps.0.text'),
      fault('steps.10.text'),
      fault('steps'),
      { ...fault('title'), message: 'Title?' },
    ];
    expect(faultsBelow(all, 'steps.1')).toEqual([]);
    expect(faultText({ fields }, faultsBelow(all, 'steps.10'))).toBe('Steps 11: Text is required');
    expect(faultText({ fields }, faultsBelow(all, 'steps.0'), 'Text')).toBe('Text is required');
    expect(otherFaults(all, ['steps.0', 'steps.10']).map(({ path }) => path)).toEqual(['steps', 'title']);
    expect(faultText({ fields }, otherFaults(all, ['steps']))).toBe('Title?');
    expect(faultText({ fields }, [])).toBeUndefined();
  });

  test.each<[message: string, shown: string]>([
    ['{PATH}: {VALUE} is no code', 'Steps 1: Text: "steps.0.text" is no code'],
    ['{VALUE} is no code of {PATH}', '"steps.0.text" is no code of Steps 1: Text'],
    ['The {PATH} must be short', 'The Steps 1: Text must be short'],
    ['Give a code', 'Give a code'],
  ])('the words of a model, %j, have the label', (message, shown) => {
    const path = 'steps.0.text';
    const match = { pattern: '^[A-Z]+$', flags: '', message };
    const own = { steps: fields['steps'] ?? plain, 'steps.text': { ...plain, match } };
    const faults = faultsOf({ fields: own }, new Map([['steps', [{ text: path }]]]));
    expect(faultText({ fields: own }, faults)).toBe(shown);
  });
});
