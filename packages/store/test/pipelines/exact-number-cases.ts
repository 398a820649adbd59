/** Numbers at their limits and dates where clocks change, with MongoDB's results. */
import { Decimal128, Double, Long } from 'mongodb';
import type { ExpressionCase } from './expression-cases.ts';

const decimal = (text: string): Decimal128 => Decimal128.fromString(text);
const at = (text: string): Date => new Date(text);
const value = (expression: unknown, result: unknown): ExpressionCase => ({ expression, value: result });

const newYork = 'America/New_York';
const berlin = 'Europe/Berlin';
const trunc = (date: string, unit: string, timezone: string, more = {}): unknown => ({
  $dateTrunc: { date: at(date), unit, timezone, ...more },
});
const add = (date: string, unit: string, amount: number, timezone: string): unknown => ({
  $dateAdd: { startDate: at(date), unit, amount, timezone },
});
const parts = (month: number, day: number, hour: number, timezone: string): unknown => ({
  $dateFromParts: { year: 2024, month, day, hour, minute: 30, timezone },
});

/** Hours, minutes and seconds are absolute time; days and longer units follow the calendar of the zone. */
const zones: readonly ExpressionCase[] = [
  value(trunc('2024-07-03T06:30Z', 'hour', newYork, { binSize: 2 }), at('2024-07-03T05:00Z')),
  value(trunc('2024-11-03T06:30Z', 'second', newYork), at('2024-11-03T06:30Z')),
  value(trunc('2022-04-19T20:16:21Z', 'hour', 'Australia/Lord_Howe'), at('2022-04-19T20:00Z')),
  value(trunc('2024-07-03T06:30Z', 'hour', 'Asia/Kathmandu'), at('2024-07-03T06:15Z')),
  value(trunc('2024-11-05T12:00Z', 'week', newYork), at('2024-11-03T04:00Z')),
  value(trunc('2024-12-05T12:00Z', 'quarter', newYork), at('2024-10-01T04:00Z')),
  value(add('2024-11-03T06:30Z', 'day', 0, newYork), at('2024-11-03T06:30Z')),
  value(add('2024-10-27T00:30Z', 'day', 0, berlin), at('2024-10-27T00:30Z')),
  value(add('2024-11-04T06:30Z', 'day', -1, newYork), at('2024-11-03T06:30Z')),
  value(add('2024-10-26T00:30Z', 'day', 1, berlin), at('2024-10-27T00:30Z')),
  value(parts(11, 3, 1, newYork), at('2024-11-03T06:30Z')),
  value(parts(10, 27, 2, berlin), at('2024-10-27T01:30Z')),
  value(parts(3, 10, 2, newYork), at('2024-03-10T07:30Z')),
  value(parts(3, 31, 2, berlin), at('2024-03-31T01:30Z')),
  value({ $dateFromString: { dateString: '2024-11-03T01:30:00', timezone: newYork } }, at('2024-11-03T06:30Z')),
  value(
    {
      $dateDiff: {
        startDate: at('2024-01-01T10:20Z'),
        endDate: at('2024-01-01T10:40Z'),
        unit: 'hour',
        timezone: 'Asia/Kolkata',
      },
    },
    1,
  ),
];

/** A double takes part in the arithmetic of decimals with 15 digits. */
const decimals: readonly ExpressionCase[] = [
  value({ $divide: [0.1, decimal('3')] }, decimal('0.03333333333333333333333333333333333')),
  value({ $mod: [0.1, decimal('0.03')] }, decimal('0.010000000000000')),
  value({ $mod: [decimal('0.35'), 0.1] }, decimal('0.050000000000000')),
  value({ $add: [decimal('0.2'), { $multiply: [0.1, decimal('1')] }] }, decimal('0.300000000000000')),
  value({ $subtract: [decimal('0.3'), 0.1] }, decimal('0.200000000000000')),
  value({ $multiply: [0.1, decimal('3')] }, decimal('0.300000000000000')),
  value({ $toDecimal: 0.1 }, decimal('0.100000000000000')),
  value({ $toDecimal: new Double(0) }, decimal('0')),
  value({ $divide: [decimal('1E-6176'), decimal('1E-6176')] }, decimal('1')),
];

const zerosAndInfinities: readonly ExpressionCase[] = [
  value({ $multiply: [decimal('-0'), 1] }, decimal('-0')),
  value({ $multiply: [decimal('0'), -1] }, decimal('-0')),
  value({ $multiply: [decimal('-0'), -1] }, decimal('0')),
  value({ $abs: decimal('-0') }, decimal('0')),
  value({ $round: [decimal('-0.4'), 0] }, decimal('-0')),
  value({ $ceil: decimal('-0.4') }, decimal('-0')),
  value({ $mod: [decimal('-6'), 3] }, decimal('-0')),
  value({ $divide: [decimal('-0'), 5] }, decimal('-0')),
  value({ $divide: [-5, decimal('Infinity')] }, decimal('-0E-6176')),
  value({ $divide: [5, decimal('Infinity')] }, decimal('0E-6176')),
  value({ $divide: [decimal('-Infinity'), 5] }, decimal('-Infinity')),
  value({ $multiply: [decimal('1E-6000'), decimal('Infinity')] }, decimal('Infinity')),
  value({ $subtract: [decimal('1E+6000'), decimal('Infinity')] }, decimal('-Infinity')),
  value({ $mod: [5, decimal('Infinity')] }, decimal('5')),
  value({ $toString: { $toDouble: decimal('-0') } }, '-0'),
];

const longs: readonly ExpressionCase[] = [
  { expression: { $round: [Long.MAX_VALUE, -1] }, code: 51080 },
  { expression: { $round: [Long.MIN_VALUE, -1] }, code: 51080 },
  value({ $toString: { $trunc: [Long.MAX_VALUE, -1] } }, '9223372036854775800'),
  value({ $toString: { $trunc: [Long.MIN_VALUE, -1] } }, '-9223372036854775800'),
  value({ $toString: { $round: [Long.MAX_VALUE, -2] } }, '9223372036854775800'),
  value({ $type: { $round: [2_147_483_647, -1] } }, 'long'),
];

/** The cases by topic. */
export const exactNumberCases: Readonly<Record<string, readonly ExpressionCase[]>> = {
  'dates where clocks change': zones,
  'decimals and doubles': decimals,
  'negative zero and infinities': zerosAndInfinities,
  'limits of longs': longs,
};
