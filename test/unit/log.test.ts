/** The log contains no part of a URL that may be a credential. */
import { mock } from 'node:test';
import { afterEach, describe, expect, test } from '@jest/globals';
import { busy, throttled, tookTooLong } from '../../src/errors/errors.ts';
import { makeLog } from '../../src/ports/log.ts';
import { failures } from '../support/failures.ts';

const pathsOf = (path: string): string[] => {
  const lines: string[] = [];
  const log = makeLog('info', { write: (line) => void lines.push(line) });
  log.request({ id: 'r', method: 'GET', path, status: 200, ms: 1 });
  log.failed({ id: 'r', method: 'GET', path, error: new Error('x') });
  return lines.map((line) => String((JSON.parse(line) as { path: unknown }).path));
};

test.each(['?', '#', ';', '&', '%3f', '%3F', '%23', '%3b', '%26'])('%s ends the logged part of a path', (mark) => {
  expect(pathsOf(`/api/note${mark}apikey=CANARY`)).toEqual(['/api/note', '/api/note']);
  expect(pathsOf(`/login/jwt${mark}${mark}jwt=CANARY?x`)).toEqual(['/login/jwt', '/login/jwt']);
});

const circle = new RangeError('outer', { cause: new TypeError('inner') });
Object.assign(circle.cause as object, { cause: circle });
const unreadable = Object.defineProperty(new Error(), 'message', {
  get() {
    throw new Error('unreadable');
  },
});
const manyCauses = Array.from({ length: 20_000 }).reduce((cause) => new Error('n', { cause }), undefined);

test.each<[string, unknown, object]>([
  [
    'with causes in a circle',
    circle,
    { name: 'RangeError', message: 'outer', cause: { name: 'TypeError', message: 'inner' } },
  ],
  ['with 20,000 causes', manyCauses, { name: 'Error', cause: { cause: {} } }],
  ['whose message cannot be read', unreadable, { name: 'NotReadable' }],
  ['that is null', null, { name: 'NotAnError', message: 'object' }],
])('an error %s has one line, with its name', (_name, error, expected) => {
  const lines: string[] = [];
  makeLog('info', { write: (line) => void lines.push(line) }).error('failed', error);
  expect(lines).toHaveLength(1);
  const { err } = JSON.parse(lines[0] ?? '') as { err: object };
  expect(err).toMatchObject(expected);
  expect(err).not.toHaveProperty('type');
  expect(lines[0]?.length).toBeLessThan(20_000);
});

describe('refusals for load or time', () => {
  afterEach(() => mock.timers.reset());

  const made = failures.map(({ name, failure }) => [name, failure] as const);
  /** A database that is away, has stopped or refuses writes is a fault, and so is a mail server. */
  const faults = ['Database unavailable', 'Database read-only', 'Database stopped', 'Mail not sent'];
  const refusals = made.filter(([, { status, message }]) => [429, 503].includes(status) && !faults.includes(message));
  const others = made.filter(([name]) => !refusals.some(([refused]) => refused === name));

  test.each(refusals)('%s is counted, without an error or a stack', (_name, failure) => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const lines: string[] = [];
    const log = makeLog('info', { write: (line) => void lines.push(line) });
    for (let times = 0; times < 3; times++) log.failed({ id: 'r', method: 'GET', path: '/', error: failure });
    log.error('something in the background failed', failure);
    expect(lines).toEqual([]);
    mock.timers.tick(60_000);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      { level: 'warn', time: expect.any(String), refused: { [failure.message]: 4 }, msg: 'refused for load or time' },
    ]);
    mock.timers.tick(60_000);
    expect(lines).toHaveLength(1);
  });

  test.each(others)('%s is an error', (_name, failure) => {
    const lines: string[] = [];
    const log = makeLog('info', { write: (line) => void lines.push(line) });
    log.failed({ id: 'r', method: 'GET', path: '/', error: failure });
    expect(lines.map((line) => (JSON.parse(line) as { level: unknown }).level)).toEqual(['error']);
  });

  test('a minute has one line for all kinds, and closing writes the last one', () => {
    const lines: string[] = [];
    const log = makeLog('info', { write: (line) => void lines.push(line) });
    for (const error of [busy(), busy(), tookTooLong(), throttled(1)])
      log.failed({ id: 'r', method: 'GET', path: '/', error });
    log.close();
    log.close();
    expect(lines.map((line) => (JSON.parse(line) as { refused: unknown }).refused)).toEqual([
      { Busy: 2, 'Took too long': 1, 'Too many requests': 1 },
    ]);
  });
});
