/** What a history says: words that differ between texts, and the steps of an entry, in order and by their labels. */
import { describe, expect, test } from '@jest/globals';
import type { Field } from '../src/api/models.ts';
import { shownEntries } from '../src/document/history/entries.ts';
import { longestCommon } from '../src/document/history/longest-common.ts';
import { stepsOf } from '../src/document/history/steps.ts';
import { shortened, wordDifferences } from '../src/document/history/word-differences.ts';

const field = (type: string, more: Partial<Field> = {}): Field => ({
  type,
  input: 'text',
  required: false,
  unique: false,
  index: false,
  array: false,
  ...more,
});

const model = {
  fields: {
    title: field('String', { label: 'Betreff' }),
    tags: field('String', { array: true }),
    'address.city': field('String'),
    'address.geo.lat': field('Number', { input: 'number' }),
    parts: field('Embedded', { input: 'object', array: true }),
    'parts._id': field('ObjectId', { input: 'id' }),
    'parts.name': field('String', { label: 'Called' }),
    'parts.pieces': field('Embedded', { input: 'object', array: true }),
    'parts.pieces.size': field('Number', { input: 'number' }),
    'parts.pieces.words': field('String', { array: true }),
    plain: field('Embedded', { input: 'object', array: true }),
    'plain.name': field('String'),
    extra: field('Mixed', { input: 'json' }),
    counts: field('Map', { input: 'json' }),
    grid: field('Array', { input: 'json', array: true }),
  },
};

/** Texts with [removed-] and {+added} words. */
const marked = (from: string, to: string): string =>
  wordDifferences(from, to)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'removed' ? `[${text}]` : `{${text}}`))
    .join('');

describe('words that differ', () => {
  test.each([
    ['the quick fox', 'the slow fox', 'the [quick]{slow} fox'],
    ['the quick brown fox', 'the slow red fox', 'the [quick brown]{slow red} fox'],
    ['one two', 'one two three', 'one two{ three}'],
    ['', 'new', '{new}'],
    ['old', '', '[old]'],
    ['same', 'same', 'same'],
    ['a\nb\n', 'a\nc\nb\n', 'a\n{c\n}b\n'],
    ['<b>x</b>', '<i>x</i>', '<[b]{i}>x</[b]{i}>'],
    ['日本語を読む', '日本語を書く', '日本語を[読む]{書く}'],
  ])('%j and %j', (from, to, expected) => {
    expect(marked(from, to)).toBe(expected);
  });

  test('both texts are complete, also where they are too long for words, and for lines', () => {
    const lines = (count: number, one: string): string =>
      Array.from({ length: count }, (_, at) => `${one} ${at}\n`).join('');
    for (const [from, to] of [
      [lines(3000, 'same'), `${lines(1500, 'same')}new\n`],
      [lines(3000, 'one'), lines(3000, 'other')],
      ['x'.repeat(50_000), `${'x'.repeat(50_000)}y`],
    ] as const) {
      const pieces = wordDifferences(from, to);
      const of = (kind: string): string => pieces.flatMap((one) => (one.kind === kind ? [] : [one.text])).join('');
      expect([of('added') === from, of('removed') === to]).toEqual([true, true]);
    }
    expect(longestCommon(lines(3000, 'one').split(' '), lines(3000, 'other').split('r'))).toBeUndefined();
  });

  test('what stays the same is cut to what is beside a change', () => {
    const long = 'word '.repeat(100);
    const pieces = shortened(wordDifferences(`${long}old${long}`, `${long}new${long}`));
    expect(pieces.map(({ text }) => text.length)).toEqual([41, 7, 7, 41]);
  });
});

/** Steps as short texts: "label: from > to", "label: +added -removed ~moved(from>to)". */
const said = (changes: Parameters<typeof stepsOf>[1]): string[] =>
  stepsOf(model, changes).map((step) => {
    const text = (value: unknown): string => JSON.stringify(value) ?? '';
    if (step.kind === 'value') return `${step.place.label}: ${text(step.from)} > ${text(step.to)}`;
    return [
      `${step.place.label}:`,
      ...step.added.map(({ value }) => `+${text(value)}`),
      ...step.removed.map(({ value }) => `-${text(value)}`),
      ...step.moved.map(({ at, to, value }) => `~${text(value)}(${at}>${to})`),
    ].join(' ');
  });

describe('steps', () => {
  const [a, b, c] = [
    { _id: '1', name: 'a' },
    { _id: '2', name: 'b' },
    { _id: '3', name: 'c' },
  ];
  test.each<[what: string, changes: Parameters<typeof stepsOf>[1], expected: string[]]>([
    ['a value by its label', [{ path: 'title', from: 'a', to: 'b' }], ['Betreff: "a" > "b"']],
    ['a nested path', [{ path: 'address.city', to: 'b' }], ['Address: City:  > "b"']],
    [
      'a nested document as a whole',
      [{ path: 'address', to: { city: 'Rome', geo: { lat: 1 } } }],
      ['Address: City:  > "Rome"', 'Address: Geo: Lat:  > 1'],
    ],
    ['a list that grew', [{ path: 'tags', from: ['a', 'b'], to: ['a', 'x', 'b'] }], ['Tags: +"x"']],
    ['a list that is new', [{ path: 'tags', to: ['a'] }], ['Tags: +"a"']],
    ['an empty list', [{ path: 'tags', to: [] }], []],
    ['a list without members', [{ path: 'tags', from: ['a'] }], ['Tags: -"a"']],
    ['the same text twice', [{ path: 'tags', from: ['a'], to: ['a', 'a'] }], ['Tags: +"a"']],
    [
      'members that changed places',
      [
        { path: 'tags.0', from: 'a', to: 'c' },
        { path: 'tags.2', from: 'c', to: 'a' },
      ],
      ['Tags: ~"a"(1>3)'],
    ],
    ['a member that was replaced', [{ path: 'tags.1', from: 'a', to: 'b' }], ['Tags: +"b" -"a"']],
    [
      'documents by their ids',
      [{ path: 'parts', from: [a, b], to: [b, c, a] }],
      ['Parts: +{"_id":"3","name":"c"} ~{"_id":"1","name":"a"}(1>3)'],
    ],
    [
      'a document that was changed while another one came',
      [{ path: 'parts', from: [a], to: [b, { ...a, name: 'z' }] }],
      ['Parts: +{"_id":"2","name":"b"}', 'Parts 2: Called: "a" > "z"'],
    ],
    ['a field of a member', [{ path: 'parts.1.name', from: 'a', to: 'b' }], ['Parts 2: Called: "a" > "b"']],
    [
      'a list in a list',
      [{ path: 'parts.1.pieces.0.words', from: ['a'], to: ['a', 'b'] }],
      ['Parts 2: Pieces 1: Words: +"b"'],
    ],
    [
      'a member of a list in a list',
      [{ path: 'parts.1.pieces.0.size', from: 1, to: 2 }],
      ['Parts 2: Pieces 1: Size: 1 > 2'],
    ],
    [
      'documents that changed places',
      [
        { path: 'parts.0._id', from: '1', to: '2' },
        { path: 'parts.0.name', from: 'a', to: 'b' },
        { path: 'parts.1._id', from: '2', to: '1' },
        { path: 'parts.1.name', from: 'b', to: 'z' },
      ],
      ['Parts: ~{"_id":"1","name":"a"}(1>2)', 'Parts 2: Called: "a" > "z"'],
    ],
    [
      'documents without ids',
      [{ path: 'plain', from: [{ name: 'a' }, { name: 'b' }], to: [{ name: 'x' }, { name: 'b' }, { name: 'c' }] }],
      ['Plain: +{"name":"c"}', 'Plain 1: Name: "a" > "x"'],
    ],
    [
      'free-form names are as they are',
      [{ path: 'extra.first_name.0', from: 1, to: 2 }],
      ['Extra: first_name: 0: 1 > 2'],
    ],
    ['names of maps are as they are', [{ path: 'counts.2', to: 1 }], ['Counts: 2:  > 1']],
    ['lists of lists', [{ path: 'grid.0.1', from: 1, to: 2 }], ['Grid 1: +2 -1']],
    [
      'names of prototypes',
      [{ path: 'extra.constructor', to: { toString: 1 } }],
      ['Extra: constructor:  > {"toString":1}'],
    ],
  ])('%s', (_what, changes, expected) => {
    expect(said(changes)).toEqual(expected);
  });

  test('lists of any length take no long time, and are complete', () => {
    const numbers = Array.from({ length: 5000 }, (_, at) => `n${at}`);
    const [step] = stepsOf(model, [{ path: 'tags', from: numbers, to: ['first', ...numbers.toReversed(), 'last'] }]);
    expect(step).toMatchObject({
      kind: 'list',
      removed: [],
      moved: [],
      added: [{ value: 'first' }, { value: 'last' }],
    });
  });

  test('what the head of an entry says is left out', () => {
    const entry = { rev: 1, at: '', who: 'u', via: null, request_id: null };
    const changes = [
      { path: '_owner_id', to: 'u' },
      { path: '_deleted', from: false, to: true },
    ];
    const counts = (['create', 'delete', 'change'] as const).map(
      (op) => shownEntries(model, [{ ...entry, op, changes }])[0]?.steps.length,
    );
    expect(counts).toEqual([1, 1, 2]);
  });
});
