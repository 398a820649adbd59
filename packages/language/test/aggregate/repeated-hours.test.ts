/** Dates around both changes of daylight-saving time, as MongoDB's sources calculate them (`date_time_support.cpp`). */
import { describe, expect, test } from '@jest/globals';
import { compileExpression } from '../../src/aggregate/index.ts';
import type { Doc, Value } from '../../src/values/types.ts';
import { context } from './context.ts';

const at = (text: string): Date => new Date(text);

function valueOf(expression: Doc): Value {
  const value = compileExpression(expression, context)({});
  return value instanceof Date ? value.toISOString().replace(/(:00)?\.000Z$/, 'Z') : value;
}

const newYork = 'America/New_York';
const lordHowe = 'Australia/Lord_Howe';
/** In each of them the clocks show an hour, or half of one, twice; both moments are listed. */
const repeated = [
  [newYork, '2024-11-03T05:30Z', '2024-11-03T06:30Z'],
  ['Europe/Berlin', '2024-10-27T00:30Z', '2024-10-27T01:30Z'],
  ['Europe/London', '2024-10-27T00:30Z', '2024-10-27T01:30Z'],
  ['Atlantic/Azores', '2024-10-27T00:30Z', '2024-10-27T01:30Z'],
  [lordHowe, '2024-04-06T14:45Z', '2024-04-06T15:15Z'],
  ['Pacific/Chatham', '2024-04-06T13:30Z', '2024-04-06T14:30Z'],
  ['America/St_Johns', '2024-11-03T04:00Z', '2024-11-03T05:00Z'],
] as const;

describe.each(repeated)('clocks of %s that show %s and %s alike', (timezone, first, second) => {
  const wall = compileExpression({ $dateToParts: { date: at(first), timezone } }, context)({}) as Doc;
  const units = ['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond'];

  test.each(units.flatMap((unit) => ['$dateAdd', '$dateSubtract'].map((name) => [name, unit] as const)))(
    '%s of no %s leaves both',
    (name, unit) => {
      for (const time of [first, second])
        expect(valueOf({ [name]: { startDate: at(time), unit, amount: 0, timezone } })).toBe(time);
    },
  );

  test('parts and strings are of the later one', () => {
    expect(compileExpression({ $dateToParts: { date: at(second), timezone } }, context)({})).toEqual(wall);
    expect(valueOf({ $dateFromParts: { ...wall, timezone } })).toBe(second);
    const dateString = valueOf({ $dateToString: { date: at(first), timezone } });
    expect(valueOf({ $dateFromString: { dateString: dateString ?? null, timezone } })).toBe(second);
  });

  test('days later are of the offset of the start', () => {
    const day = 86_400_000;
    const before = new Date(at(first).getTime() - day);
    const after = new Date(at(second).getTime() + day);
    expect(valueOf({ $dateAdd: { startDate: before, unit: 'day', amount: 1, timezone } })).toBe(first);
    expect(valueOf({ $dateSubtract: { startDate: after, unit: 'day', amount: 1, timezone } })).toBe(second);
  });

  test.each(['hour', 'minute', 'second', 'millisecond'])('a step of one %s is one of absolute time', (unit) => {
    const length = { hour: 3_600_000, minute: 60_000, second: 1000, millisecond: 1 }[unit] ?? 0;
    const date = compileExpression({ $dateAdd: { startDate: at(first), unit, amount: 1, timezone } }, context)({});
    expect(date).toEqual(new Date(at(first).getTime() + length));
  });
});

describe('clocks that skip an hour', () => {
  test.each([
    [newYork, { year: 2024, month: 3, day: 10, hour: 2, minute: 30 }, '2024-03-10T07:30Z'],
    ['Europe/Berlin', { year: 2024, month: 3, day: 31, hour: 2, minute: 30 }, '2024-03-31T01:30Z'],
    [lordHowe, { year: 2024, month: 10, day: 6, hour: 2, minute: 15 }, '2024-10-05T15:45Z'],
    ['Pacific/Chatham', { year: 2024, month: 9, day: 29, hour: 3, minute: 0 }, '2024-09-28T14:15Z'],
  ] as const)('in %s, %j is after the gap', (timezone, parts, date) => {
    expect(valueOf({ $dateFromParts: { ...parts, timezone } })).toBe(date);
  });

  test('a day that begins within the gap begins after it', () => {
    const date = at('2018-11-04T15:00Z');
    expect(valueOf({ $dateTrunc: { date, unit: 'day', timezone: 'America/Sao_Paulo' } })).toBe('2018-11-04T03:00Z');
  });
});

describe('$dateTrunc', () => {
  test.each([
    ['2024-07-03T06:30Z', 'hour', 2, newYork, '2024-07-03T05:00Z'],
    ['2024-11-03T06:30Z', 'second', 1, newYork, '2024-11-03T06:30Z'],
    ['2024-11-03T06:30:30Z', 'minute', 15, newYork, '2024-11-03T06:30Z'],
    ['2024-11-03T06:30Z', 'millisecond', 1000, newYork, '2024-11-03T06:30Z'],
    ['2022-04-19T20:16:21Z', 'hour', 1, lordHowe, '2022-04-19T20:00Z'],
    ['2024-07-03T06:30Z', 'hour', 1, 'Asia/Kathmandu', '2024-07-03T06:15Z'],
    ['2024-07-03T06:30Z', 'day', 1, 'Asia/Kathmandu', '2024-07-02T18:15Z'],
    ['2024-11-03T12:00Z', 'day', 1, newYork, '2024-11-03T04:00Z'],
    ['2024-11-05T12:00Z', 'week', 1, newYork, '2024-11-03T04:00Z'],
    ['2024-03-12T12:00Z', 'week', 1, newYork, '2024-03-10T05:00Z'],
    ['2024-11-05T12:00Z', 'month', 1, newYork, '2024-11-01T04:00Z'],
    ['2024-12-05T12:00Z', 'month', 1, newYork, '2024-12-01T05:00Z'],
    ['2024-11-05T12:00Z', 'quarter', 1, newYork, '2024-10-01T04:00Z'],
    ['2024-04-20T12:00Z', 'quarter', 1, lordHowe, '2024-03-31T13:00Z'],
    ['2024-11-05T12:00Z', 'year', 1, newYork, '2024-01-01T05:00Z'],
    ['1999-12-31T23:59Z', 'hour', 5, 'UTC', '1999-12-31T19:00Z'],
  ] as const)('%s by %s of %i in %s', (date, unit, binSize, timezone, start) => {
    expect(valueOf({ $dateTrunc: { date: at(date), unit, binSize, timezone } })).toBe(start);
  });
});

describe('$dateDiff', () => {
  test.each([
    // the clocks of India show full hours at half hours of UTC
    ['2024-01-01T10:20Z', '2024-01-01T10:40Z', 'hour', 'Asia/Kolkata', 1n],
    ['2024-01-01T10:50Z', '2024-01-01T11:10Z', 'hour', 'Asia/Kolkata', 0n],
    ['2024-11-03T05:30Z', '2024-11-03T06:30Z', 'hour', newYork, 1n],
    ['2024-11-03T05:30Z', '2024-11-03T06:30Z', 'minute', newYork, 60n],
    ['2024-11-03T05:30Z', '2024-11-03T06:30Z', 'day', newYork, 0n],
    ['2024-03-10T06:59Z', '2024-03-10T07:00Z', 'hour', newYork, 1n],
    ['2024-04-06T14:45Z', '2024-04-06T15:15Z', 'minute', lordHowe, 30n],
    ['2024-11-03T03:59Z', '2024-11-03T04:01Z', 'day', newYork, 1n],
    ['2024-11-02T12:00Z', '2024-11-03T12:00Z', 'week', newYork, 1n],
    ['2024-12-31T12:00Z', '2025-01-01T04:59Z', 'year', newYork, 0n],
  ] as const)('from %s to %s in %s of %s', (startDate, endDate, unit, timezone, count) => {
    expect(valueOf({ $dateDiff: { startDate: at(startDate), endDate: at(endDate), unit, timezone } })).toBe(count);
  });
});
