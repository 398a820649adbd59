/** The conditions of the filter form, and the equivalent filters. */
import { describe, expect, test } from '@jest/globals';
import type { Field, Input } from '../src/api/models.ts';
import {
  type Condition,
  conditionsOf,
  conditionText,
  filterOf,
  isUnfinished,
  operators,
  operatorsFor,
} from '../src/documents/filter/conditions.ts';

const field = (type: string, input: Input): Field => ({
  ...{ type, input, required: false, unique: false, index: false, array: false },
});
const fields = {
  title: field('String', 'text'),
  pages: field('Number', 'number'),
  lent: field('Boolean', 'boolean'),
  at: field('Date', 'date'),
};

const cases: readonly (readonly [Condition, unknown])[] = [
  [{ path: 'title', operator: 'contains', value: 'a.b*' }, { title: { $regex: 'a\\.b\\*', $options: 'i' } }],
  [{ path: 'title', operator: 'starts', value: '^x' }, { title: { $regex: '^\\^x', $options: 'i' } }],
  [{ path: 'title', operator: 'matches', value: '^a|b' }, { title: { $regex: '^a|b', $options: 'i' } }],
  [{ path: 'title', operator: 'is', value: '12' }, { title: '12' }],
  [{ path: 'pages', operator: 'is', value: '12' }, { pages: 12 }],
  [{ path: 'pages', operator: 'is', value: 'x' }, { pages: 'x' }],
  [{ path: 'pages', operator: 'least', value: '3' }, { pages: { $gte: 3 } }],
  [{ path: 'pages', operator: 'in', value: '1, 2' }, { pages: { $in: [1, 2] } }],
  [{ path: 'lent', operator: 'is', value: 'true' }, { lent: true }],
  [{ path: 'lent', operator: 'empty', value: '' }, { lent: null }],
  [{ path: 'lent', operator: 'filled', value: '' }, { lent: { $ne: null } }],
  [{ path: 'at', operator: 'below', value: '2020-01-01T00:00:00.000Z' }, { at: { $lt: '2020-01-01T00:00:00.000Z' } }],
];

describe('one condition', () => {
  test.each(cases)('%j is converted to a filter and back', (condition, filter) => {
    expect(filterOf([condition], fields)).toEqual(filter);
    expect(conditionsOf(filter as Readonly<Record<string, unknown>>)).toEqual([condition]);
  });
});

test('several conditions, also on one path', () => {
  const range: Condition[] = [
    { path: 'pages', operator: 'least', value: '1' },
    { path: 'pages', operator: 'most', value: '9' },
  ];
  const filter = { $and: [{ pages: { $gte: 1 } }, { pages: { $lte: 9 } }] };
  expect(filterOf(range, fields)).toEqual(filter);
  expect(conditionsOf(filter)).toEqual(range);
  const two: Condition[] = [{ path: 'title', operator: 'is', value: 'a' }, ...range.slice(0, 1)];
  expect(filterOf(two, fields)).toEqual({ title: 'a', pages: { $gte: 1 } });
  expect(filterOf([], fields)).toEqual({});
});

test.each([
  [{ $or: [{ a: 1 }] }],
  [{ pages: { $gte: 1, $lte: 2 } }],
  [{ a: { b: 1 } }],
  [{ a: { $elemMatch: { b: 1 } } }],
  [{ $and: ['x'] }],
  [{ a: { $regex: 'x' } }],
])('%j has no conditions and stays text', (filter) => {
  expect(conditionsOf(filter as Readonly<Record<string, unknown>>)).toBeUndefined();
});

test('fields have the operators of their types', () => {
  expect(operatorsFor(fields.lent)).toEqual(['is', 'empty', 'filled']);
  expect(operatorsFor(fields.pages)).not.toContain('contains');
  expect(operatorsFor(fields.title)).toContain('contains');
  const choice = { ...fields.title, enum: ['a', 'b'] };
  expect(operatorsFor(choice)).toEqual(['is', 'not', 'in', 'empty', 'filled']);
  expect(operatorsFor({ ...fields.title, input: 'id', link: 'author' })).toEqual([
    'is',
    'not',
    'in',
    'empty',
    'filled',
  ]);
  const [unfinished, finished] = [false, true].map((is) => ({
    path: 'title',
    operator: 'is' as const,
    value: is ? 'a' : '',
  }));
  expect(unfinished && isUnfinished(unfinished, choice)).toBe(true);
  expect(unfinished && isUnfinished(unfinished, fields.title)).toBe(false);
  expect(unfinished && isUnfinished({ ...unfinished, operator: 'contains' }, fields.title)).toBe(true);
  expect(finished && isUnfinished(finished, choice)).toBe(false);
  expect(new Set(Object.values(operators).map(({ label }) => label)).size).toBe(Object.keys(operators).length);
});

test('one of several values that have commas', () => {
  const filter = { title: { $in: ['paper, ink', 'oak'] } };
  const [condition] = conditionsOf(filter) ?? [];
  expect(condition?.value).toBe('["paper, ink","oak"]');
  expect(condition && filterOf([condition], fields)).toEqual(filter);
  expect(condition && conditionText(condition, 'Title')).toBe('Title is one of paper, ink, oak');
});

test('conditions in plain text', () => {
  expect(conditionText({ path: 'pages', operator: 'least', value: '3' }, 'Pages')).toBe('Pages is at least 3');
  expect(conditionText({ path: 'pages', operator: 'empty', value: '' }, 'Pages')).toBe('Pages is empty');
  expect(conditionText({ path: 'title', operator: 'is', value: '' }, 'Title')).toBe('Title is an empty text');
  expect(conditionText({ path: 'lent', operator: 'is', value: 'true' }, 'Lent', fields.lent)).toBe('Lent is yes');
  expect(conditionText({ path: 'at', operator: 'below', value: '2020-01-01T00:00:00.000Z' }, 'At', fields.at)).toBe(
    'At is below Jan 1, 2020',
  );
});
