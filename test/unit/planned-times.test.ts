/** Planned times of cron expressions: zones, daylight saving, and what is refused. */
import { describe, expect, test } from '@jest/globals';
import { plannedTimes } from '../../src/adapters/planned-times.ts';

/** The times after another one, without milliseconds. */
function following(cron: string, zone: string, after: string, count: number): string[] {
  const times = plannedTimes(cron, zone);
  const found: string[] = [];
  let at: number | undefined = Date.parse(after);
  while (found.length < count && (at = times.next(at)) !== undefined)
    found.push(new Date(at).toISOString().replace(':00.000Z', 'Z').replace('.000Z', 'Z'));
  return found;
}

describe('daylight saving', () => {
  // the local hour that is skipped or doubled: Berlin 02, London 01, Lord Howe 02:00–02:30 and 01:30–02:00, Cairo 00, São Paulo 00
  test.each([
    // a skipped hour runs once, at its end
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00Z', '2026-03-30T00:30Z']],
    ['15 30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00Z', '2026-03-30T00:30:15Z']],
    [
      '*/20 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:00Z', '2026-03-30T00:00Z', '2026-03-30T00:20Z'],
    ],
    [
      '30 2,3 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      ['2026-03-29T01:00Z', '2026-03-29T01:30Z', '2026-03-30T00:30Z'],
    ],
    ['0 2,3 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29T01:00Z', '2026-03-30T00:00Z']],
    [
      '0 */2 * * *',
      'Europe/Berlin',
      '2026-03-28T23:30Z',
      ['2026-03-29T01:00Z', '2026-03-29T02:00Z', '2026-03-29T04:00Z'],
    ],
    ['30 1 * * *', 'Europe/London', '2026-03-28T12:00Z', ['2026-03-29T01:00Z', '2026-03-30T00:30Z']],
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00Z', ['2026-10-03T15:30Z', '2026-10-04T15:15Z']],
    ['30 0 * * *', 'Africa/Cairo', '2026-04-23T12:00Z', ['2026-04-23T22:00Z', '2026-04-24T21:30Z']],
    ['0 0 * * *', 'America/Sao_Paulo', '2018-11-03T12:00Z', ['2018-11-04T03:00Z', '2018-11-05T02:00Z']],
    // a doubled hour runs once, in the first of both
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25T00:30Z', '2026-10-26T01:30Z']],
    [
      '*/30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:00Z', '2026-10-25T00:30Z', '2026-10-26T01:00Z'],
    ],
    [
      '30 2,3 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      ['2026-10-25T00:30Z', '2026-10-25T02:30Z', '2026-10-26T01:30Z'],
    ],
    [
      '0 1-3 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      ['2026-10-24T23:00Z', '2026-10-25T00:00Z', '2026-10-25T02:00Z'],
    ],
    ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00Z', ['2026-04-04T14:45Z', '2026-04-05T15:15Z']],
    ['30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', ['2026-11-01T05:30Z', '2026-11-02T06:30Z']],
    // begun within the doubled hour, whose times have passed
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:40Z', ['2026-10-26T01:30Z']],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-25T01:10Z', ['2026-10-26T01:30Z']],
    // every hour follows elapsed time
    [
      '0 * * * *',
      'Europe/Berlin',
      '2026-03-28T23:30Z',
      ['2026-03-29T00:00Z', '2026-03-29T01:00Z', '2026-03-29T02:00Z'],
    ],
    [
      '0 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:30Z',
      ['2026-10-25T00:00Z', '2026-10-25T01:00Z', '2026-10-25T02:00Z'],
    ],
    [
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-10-25T00:00Z',
      ['2026-10-25T00:30Z', '2026-10-25T01:00Z', '2026-10-25T01:30Z'],
    ],
  ])('%s in %s after %s', (cron, zone, after, expected) => {
    expect(following(cron, zone, after, expected.length)).toEqual(expected);
  });

  test.each(['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu'])(
    'each day of a year has each named time once in %s',
    (zone) => {
      const times = plannedTimes('10,50 1-2 * * *', zone);
      const perDay = new Map<string, number>();
      const day = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' });
      let last = Date.parse('2026-01-01T14:00Z');
      for (let at = times.next(last); at !== undefined && at < Date.parse('2027-01-01T12:00Z'); at = times.next(at)) {
        expect(at).toBeGreaterThan(last);
        expect(times.last(at)).toBe(at);
        expect(times.last(at - 1) ?? -Infinity).toBeLessThan(at);
        perDay.set(day.format(at), (perDay.get(day.format(at)) ?? 0) + 1);
        last = at;
      }
      expect(perDay.size).toBeGreaterThanOrEqual(364);
      const counts = [...perDay.values()].slice(1, -1);
      // two times of a skipped hour are one
      expect(counts.filter((count) => count !== 4).length).toBeLessThanOrEqual(1);
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
    },
  );
});

describe('the last time', () => {
  test.each([
    ['0 3 * * *', 'UTC', '2026-05-05T02:59:59Z', '2026-05-04T03:00:00.000Z'],
    ['0 3 * * *', 'UTC', '2026-05-05T03:00:00Z', '2026-05-05T03:00:00.000Z'],
    ['0 3 * * *', 'UTC', '2026-05-05T03:00:00.500Z', '2026-05-05T03:00:00.000Z'],
    ['*/5 * * * * *', 'UTC', '2026-05-05T03:00:09Z', '2026-05-05T03:00:05.000Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T01:00:00.000Z'],
    ['30 2 * * *', 'Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-28T01:30:00.000Z'],
    ['*/30 2 * * *', 'Europe/Berlin', '2026-10-25T01:10:00Z', '2026-10-25T00:30:00.000Z'],
    ['0 * * * *', 'Europe/Berlin', '2026-10-25T01:10:00Z', '2026-10-25T01:00:00.000Z'],
  ])('%s in %s up to %s', (cron, zone, until, expected) => {
    const last = plannedTimes(cron, zone).last(Date.parse(until));
    expect(last === undefined ? undefined : new Date(last).toISOString()).toBe(expected);
  });
});

describe('refuses', () => {
  test.each([
    ['', 'UTC', 'cron must have five or six fields'],
    ['0 3 * *', 'UTC', 'cron must have five or six fields'],
    ['0 0 3 * * * 2026', 'UTC', 'cron must have five or six fields'],
    ['@daily', 'UTC', 'cron must have five or six fields'],
    ['2026-01-01T00:00:00', 'UTC', 'cron must have five or six fields'],
    ['61 3 * * *', 'UTC', 'cron "61 3 * * *" is not valid: Invalid value for minute: 61'],
    ['0 25 * * *', 'Europe/Berlin', 'cron "0 25 * * *" is not valid: Invalid value for hour: 25'],
    ['0 3 * * NEVER', 'UTC', 'cron "0 3 * * NEVER" is not valid'],
    ['0 3 30 2 *', 'UTC', 'cron "0 3 30 2 *" names no time that comes'],
    [
      '0 3 * * *',
      'Europe/Berlim',
      'zone must be the name of a time zone such as Europe/Berlin, got "Europe/Berlim"; did you mean "Europe/Berlin"?',
    ],
    ['0 3 * * *', '', 'zone must be the name of a time zone'],
  ])('%j in %j', (cron, zone, reason) => {
    expect(() => plannedTimes(cron, zone)).toThrow(reason);
  });
});
