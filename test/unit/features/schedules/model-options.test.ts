/** The option `schedules`: what it accepts, its defaults, and the sentences that name what is wrong. */
import { describe, expect, test } from '@jest/globals';
import { schedulesOption } from '../../../../src/features/schedules/model-options.ts';

const statics = new Set(['tidy', 'report']);
const read = (value: unknown) => schedulesOption.read(value, statics);

test('a schedule has defaults', () => {
  const input = { size: 3 };
  const found = read({ nightly: { call: 'tidy', cron: '0 3 * * *', input } })?.get('nightly');
  expect(found).toMatchObject({
    ...{ call: 'tidy', cron: '0 3 * * *', zone: 'UTC', overlap: 'skip', missed: 'skip', timeoutMs: 300_000 },
    input: { size: 3 },
  });
  input.size = 4;
  expect(found?.input).toEqual({ size: 3 });
});

test('a schedule has all of its parts', () => {
  const given = { call: 'report', cron: '*/10 0 3 * * 1', zone: 'Europe/Berlin', overlap: 'wait', missed: 'once' };
  const found = read({ a: { ...given, timeout: '90s' } })?.get('a');
  expect(found).toMatchObject({ ...given, timeoutMs: 90_000, input: undefined });
});

test('a model without the option has none', () => {
  expect(read(undefined)).toBeUndefined();
});

describe('refuses', () => {
  const one = { call: 'tidy', cron: '0 3 * * *' };
  test.each<[string, unknown, string]>([
    ['a list', [one], 'schedules must be an object: name → { call, cron, … }'],
    ['a bad name', { '1st': one }, 'schedules.1st: the name must start with a letter'],
    ['a name with a dot', { 'a.b': one }, 'schedules.a.b: the name must start with a letter'],
    ['a text', { a: '0 3 * * *' }, 'schedules.a must be an object: { call, cron, … }'],
    [
      'no static',
      { a: { cron: '0 3 * * *' } },
      'schedules.a.call must be the name of a static of the schema, got undefined',
    ],
    [
      'an unknown static',
      { a: { ...one, call: 'tydi' } },
      'schedules.a.call must be the name of a static of the schema, got "tydi"; did you mean "tidy"?',
    ],
    ['a static of all objects', { a: { ...one, call: 'toString' } }, 'schedules.a.call must be the name of a static'],
    [
      'an unknown part',
      { a: { ...one, zoen: 'UTC' } },
      'schedules.a.zoen is unknown; there are call, input, cron, zone, overlap, missed, timeout; did you mean "zone"?',
    ],
    ['no expression', { a: { call: 'tidy' } }, 'schedules.a.cron must be text such as "0 3 * * *", got undefined'],
    [
      'a bad expression',
      { a: { ...one, cron: '0 99 * * *' } },
      'schedules.a.cron "0 99 * * *" is not valid: Invalid value for hour: 99',
    ],
    [
      'a bad zone',
      { a: { ...one, zone: 'Mars' } },
      'schedules.a.zone must be the name of a time zone such as Europe/Berlin, got "Mars"',
    ],
    [
      'a zone that is no text',
      { a: { ...one, zone: 1 } },
      'schedules.a.zone must be the name of a time zone such as Europe/Berlin, got 1',
    ],
    [
      'a bad duration',
      { a: { ...one, timeout: 5 } },
      'schedules.a.timeout must be a duration such as 30s, 15m, 12h or 90d, got 5',
    ],
    [
      'a duration that no timer has',
      { a: { ...one, timeout: '25d' } },
      'schedules.a.timeout must be at most 24d, got "25d"',
    ],
    [
      'a bad overlap',
      { a: { ...one, overlap: 'wiat' } },
      'schedules.a.overlap must be "skip" or "wait", got "wiat"; did you mean "wait"?',
    ],
    [
      'a bad rule of what was missed',
      { a: { ...one, missed: true } },
      'schedules.a.missed must be "skip" or "once", got true',
    ],
    [
      'a function as input',
      { a: { ...one, input: { run: () => 1 } } },
      'schedules.a.input must consist of plain values',
    ],
  ])('%s', (_, value, reason) => {
    expect(() => read(value)).toThrow(reason);
  });
});
