/** Places for requests: order, fairness, and what is refused at once (an injected clock). */
import { EventEmitter } from 'node:events';
import { mock } from 'node:test';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Admission, type AdmissionOptions, type Release } from '../../../src/http/admission.ts';
import { LoopDelay } from '../../../src/http/overload.ts';

beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
afterEach(() => mock.timers.reset());

let now = 0;
const admissionOf = (options: Partial<AdmissionOptions> = {}): Admission =>
  new Admission({
    ...{
      places: 1,
      placesOfCaller: 1,
      patient: 0,
      shedAfterMs: 500,
      maxWaitMs: 5000,
      maxWaiting: 100,
      maxWaitingBytes: 1000,
      elapsed: () => now,
    },
    ...options,
  });

/** Requests by name; those of one caller begin with the same letter. */
class Requests {
  readonly admitted: string[] = [];
  readonly refused: string[] = [];
  readonly #leaves = new Map<string, Release>();

  constructor(private readonly admission: Admission) {}

  send(name: string, bytes = 0, res = new EventEmitter()): void {
    void this.#send(name, bytes, res);
  }

  async #send(name: string, bytes: number, res: EventEmitter): Promise<void> {
    try {
      const leave = await this.admission.enter({ caller: name.slice(0, 1), bytes, res });
      this.#leaves.set(name, leave);
      this.admitted.push(name);
    } catch {
      this.refused.push(name);
    }
  }

  async leave(name: string, at = now): Promise<void> {
    now = at;
    this.#leaves.get(name)?.();
    await settled();
  }
}
const settled = (): Promise<void> => new Promise((done) => setImmediate(done));
async function pass(ms: number): Promise<void> {
  mock.timers.tick(ms);
  await settled();
}

test.each<[what: string, sent: readonly string[], order: readonly string[]]>([
  ['of one caller in their order', ['a1', 'a2', 'a3'], ['a1', 'a2', 'a3']],
  ['of many callers in turn', ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'], ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']],
])('requests get places: %s', async (_, sent, order) => {
  const requests = new Requests(admissionOf());
  for (const name of sent) requests.send(name);
  await settled();
  for (const name of order) await requests.leave(name);
  expect(requests).toMatchObject({ admitted: order, refused: [] });
});

test('one caller leaves places to the others', async () => {
  const requests = new Requests(admissionOf({ places: 4, placesOfCaller: 3 }));
  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1']) requests.send(name);
  await settled();
  expect(requests.admitted).toEqual(['a1', 'a2', 'a3', 'b1']);
  await requests.leave('b1');
  expect(requests.admitted).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
  await requests.leave('a2');
  expect(requests.admitted.at(-1)).toBe('a4');
});

test('a request waits as long as it may, then it is refused', async () => {
  const requests = new Requests(admissionOf());
  for (const name of ['a1', 'b1', 'b2']) requests.send(name);
  await pass(499);
  expect(requests.refused).toEqual([]);
  await pass(1);
  expect(requests).toMatchObject({ admitted: ['a1'], refused: ['b1', 'b2'] });
  requests.send('c1');
  await requests.leave('a1');
  expect(requests.admitted).toEqual(['a1', 'c1']);
});

test('the first ones of a queue wait longer', async () => {
  const requests = new Requests(admissionOf({ patient: 3 }));
  for (const name of ['x1', 'a1', 'a2', 'a3', 'a4', 'b1', 'b2']) requests.send(name);
  await pass(500);
  // a2 and a3 have been overtaken, and the others were not among the first ones
  expect(requests.refused).toEqual(['a2', 'a3', 'a4', 'b2']);
  await requests.leave('x1');
  await pass(4499);
  expect(requests).toMatchObject({ admitted: ['x1', 'a1'], refused: ['a2', 'a3', 'a4', 'b2'] });
  await pass(1);
  expect(requests.refused).toEqual(['a2', 'a3', 'a4', 'b2', 'b1']);
});

test('a caller who is gone waits no longer', async () => {
  const requests = new Requests(admissionOf());
  const res = new EventEmitter();
  requests.send('a1');
  requests.send('b1', 0, res);
  requests.send('c1');
  await settled();
  res.emit('close');
  await requests.leave('a1');
  expect(requests).toMatchObject({ admitted: ['a1', 'c1'], refused: ['b1'] });
});

test.each<[what: string, Partial<AdmissionOptions>, sent: readonly [name: string, bytes: number][], refused: string[]]>(
  [
    [
      'too many wait',
      { maxWaiting: 2 },
      [
        ['a1', 0],
        ['b1', 0],
        ['b2', 0],
        ['c1', 0],
      ],
      ['c1'],
    ],
    [
      'their bodies are too large',
      {},
      [
        ['a1', 900],
        ['b1', 600],
        ['b2', 600],
        ['c1', 400],
      ],
      ['b2'],
    ],
  ],
)('a request is refused at once where %s', async (_, options, sent, refused) => {
  const requests = new Requests(admissionOf(options));
  for (const [name, bytes] of sent) requests.send(name, bytes);
  await settled();
  expect(requests.refused).toEqual(refused);
});

test('a request that would wait too long is refused at once, and one of another caller is not', async () => {
  const requests = new Requests(admissionOf());
  for (let at = 1; at <= 40; at += 1) requests.send(`a${at}`);
  await settled();
  // places become free every 100 ms, which the mean approaches
  for (let at = 1; at <= 30; at += 1) await requests.leave(`a${at}`, at * 100);
  expect(requests.refused).toEqual([]);
  requests.send('a41');
  requests.send('b1');
  await settled();
  expect(requests.refused).toEqual(['a41']);
  await requests.leave('a31');
  await requests.leave('a32');
  expect(requests.admitted).toContain('b1');
});

test.each<[what: string, patient: number, interval: number, accepted: number]>([
  ['beyond the first ones', 3, 100, 6],
  ['but not among the first ones', 10, 100, 10],
  ['among these, too, where it is longer than these may', 20, 400, 13],
])('a request that would wait too long is refused at once: %s', async (_, patient, interval, accepted) => {
  const requests = new Requests(admissionOf({ patient }));
  for (let at = 0; at <= 60; at += 1) requests.send(`a${at}`);
  await settled();
  for (let at = 0; at < 60; at += 1) await requests.leave(`a${at}`, at * interval);
  expect(requests.refused).toEqual([]);
  for (let at = 0; at < 20; at += 1) requests.send(`b${at}`);
  await settled();
  expect(requests.refused).toEqual(Array.from({ length: 20 - accepted }, (_one, at) => `b${at + accepted}`));
});

test('the first ones of a queue are refused early where their wait is seen to be too long', async () => {
  const requests = new Requests(admissionOf({ patient: 100 }));
  for (let at = 0; at < 90; at += 1) requests.send(`a${at}`);
  await settled();
  for (let at = 0; at < 40; at += 1) await requests.leave(`a${at}`, at * 400);
  await pass(500);
  // of the 49 that wait, twelve are ahead of what 4500 ms are enough for
  expect(requests.refused).toEqual(Array.from({ length: 37 }, (_one, at) => `a${at + 53}`));
});

test('one long pause refuses none of those who come together after it', async () => {
  const requests = new Requests(admissionOf({ patient: 60 }));
  for (const name of ['a0', 'a1', 'a2']) requests.send(name);
  await settled();
  await requests.leave('a0', 0);
  await requests.leave('a1', 3_600_000);
  for (let at = 0; at < 60; at += 1) requests.send(`b${at}`);
  await settled();
  expect(requests.refused).toEqual([]);
});

test('the event loop is late where two looks in a row are', () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ['setInterval'] });
  now = 0;
  const delay = new LoopDelay(() => now);
  const look = (late: number): number => {
    now += 100 + late;
    mock.timers.tick(100);
    return delay.sustained;
  };
  expect([0, 800, 0, 900, 700, 600, 0].map(look)).toEqual([0, 0, 0, 0, 700, 600, 0]);
  delay.close();
});
