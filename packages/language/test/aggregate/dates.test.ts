/** Which texts are dates, with and without a format, as in MongoDB. Never is a text that it refuses taken for a date. */
import { describe, expect, test } from '@jest/globals';
import { compileExpression } from '../../src/aggregate/index.ts';
import { StoreError } from '../../src/errors.ts';
import type { Value } from '../../src/values/types.ts';
import { context } from './context.ts';

/** The date of an expression as ISO text without seconds that are 0, or the code of its error. */
function outcome(expression: Value): string | number {
  try {
    const date = compileExpression(expression, context)({});
    return date instanceof Date ? date.toISOString().replace(/(:00)?\.000Z$/, '') : 0;
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
}

describe('a text without a format', () => {
  test.each([
    ['2024-02-29', '2024-02-29T00:00'],
    [' 2024-2-9 ', '2024-02-09T00:00'],
    ['2020-01-05T10:00:30.1239Z', '2020-01-05T10:00:30.123Z'],
    ['2020-01-05 10:00:00 EST', '2020-01-05T15:00'],
    ['2020-01-05 10:00 cest', '2020-01-05T08:00'],
    ['2020-01-05T10:00-5', '2020-01-05T15:00'],
    ['2020-01-05T10:00-05', '2020-01-05T15:00'],
    ['2020-01-05T10:00+0530', '2020-01-05T04:30'],
    ['2024-01-01 10:00 PM', '2024-01-01T22:00'],
    ['2024-01-01 10pm', '2024-01-01T22:00'],
    ['2024-01-01 12:00 AM', '2024-01-01T00:00'],
    ['2024-01-01 12:00 PM', '2024-01-01T12:00'],
    ['2024-01-01 10:30 p.m.', '2024-01-01T22:30'],
    ['2024-01-01 10:00 PM +02:00', '2024-01-01T20:00'],
    ['July 20, 1969', '1969-07-20T00:00'],
    ['July 20, 1969 20:17', '1969-07-20T20:17'],
    ['July 20, 1969, 20:17 GMT+2', '1969-07-20T18:17'],
    ['July 4th 2017', '2017-07-04T00:00'],
    ['Sept 4 2017', '2017-09-04T00:00'],
    ['4th of July 2017', 241],
    ['4 jul 2017 1:02:03', '2017-07-04T01:02:03'],
    ['04-Jul-2017', '2017-07-04T00:00'],
    ['July 2017', '2017-07-01T00:00'],
    ['Tue, 04 Jul 2017 10:00:00 +0200', '2017-07-04T08:00'],
    ['Tue, 04 Jul 2017 10:00:00 GMT', '2017-07-04T10:00'],
    ['Tue Jul 04 2017 10:00:00 GMT+0200', '2017-07-04T08:00'],
    ['Tue Jan 2 10:00:00 2024', '2024-01-02T10:00'],
    // a weekday moves the date forward
    ['Tue, 01 Jan 2024 10:00:00 GMT', '2024-01-02T10:00'],
    ['Sunday, 01 Jan 2024', '2024-01-07T00:00'],
  ])('%j is %j', (text, date) => {
    expect(outcome({ $toDate: text })).toBe(date);
  });

  test.each([
    ...['', 'x', 'Room 12', 'item 5', 'Chapter 3', 'hello world 2020', 'July 4th', 'July', '10:00', '12:00 PM'],
    ...['Feb 30, 2021', '31 April 2021', '2024-02-30', '2024-13-01', '0 July 2017', 'Smarch 4 2017', '5 item 2020'],
    ...['2024-01-01 23:59:60', '2024-01-01T24:00', '2024-01-01T25:00', '2024-01-01T10:60'],
    ...['2024-01-01 13:00 PM', '2024-01-01 0:30 am'],
    ...['2024-01-01T00:00:00+25:00', '2024-01-01T00:00+01:60', '2024-01-01T00:00 NST'],
    ...['2020-06-05T10:00:00 Europe/Berlin', 'Tue Jul 04 2017 10:00:00 GMT+0200 (Central European Summer Time)'],
  ])('%j is not a date', (text) => {
    expect(outcome({ $toDate: text })).toBe(241);
  });

  test.each([
    ['July 4 2017 10:00', '2017-07-04T08:00'],
    ['2017-01-04 10:00', '2017-01-04T09:00'],
    ['Tue, 04 Jul 2017 10:00:00 GMT', 241],
    ['2017-07-04T10:00 EST', 241],
    ['2017-07-04T10:00-05:00', 241],
  ])('%j with a time zone is %j', (dateString, date) => {
    expect(outcome({ $dateFromString: { dateString, timezone: 'Europe/Paris' } })).toBe(date);
  });
});

describe('a text with a format', () => {
  test.each([
    ['2017-05-04', '%Y-%m-%d', '2017-05-04T00:00'],
    ['May 4 2017', '%B %d %Y', '2017-05-04T00:00'],
    ['2017-060', '%Y-%j', '2017-03-01T00:00'],
    ['2017', '%G', '2017-01-02T00:00'],
    ['2017-05-04 10', '%Y-%m-%d %H', '2017-05-04T10:00'],
    ['2017-05-04 -01:30', '%Y-%m-%d %z', '2017-05-04T01:30'],
    ['2017-05-04 Z', '%Y-%m-%d %z', '2017-05-04T00:00'],
    ['2017-05-04 +90', '%Y-%m-%d %Z', '2017-05-03T22:30'],
    ['2017-05', '%Y-%m', 241],
    ['07-04', '%m-%d', 241],
    ['10', '%H', 241],
    ['2017', '%Y', 241],
    ['060', '%j', 241],
    ['2017-02-29', '%Y-%m-%d', 241],
    ['2017-05-04 10:00:60', '%Y-%m-%d %H:%M:%S', 241],
    ['2017-05-04 +25:00', '%Y-%m-%d %z', 241],
  ])('%j by %j is %j', (dateString, format, date) => {
    expect(outcome({ $dateFromString: { dateString, format } })).toBe(date);
  });
});
