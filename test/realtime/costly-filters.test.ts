/** Costly filters delay nothing else, and end their own subscription. */
import { Worker } from 'node:worker_threads';
import { jest } from '@jest/globals';
import { Schema } from 'mongoose';
import { Matching, type MatchResult } from '../../src/features/events/matching/matching.ts';
import { compileSchema } from '../../src/models/fields/compile-schema.ts';
import { matcherOf } from '../../src/read/matches.ts';
import { connect, type Connection } from '../support/connection.ts';
import { listen } from '../support/event-stream.ts';
import { openWriting, type Person, type World } from '../support/fixtures/writing/index.ts';

let world: World;
const open: Connection[] = [];
const connected = async (as: Person): Promise<Connection> => {
  const connection = await connect(world.url, world.callers[as].headers);
  open.push(connection);
  return connection;
};

beforeAll(async () => {
  world = await openWriting();
});
afterEach(() => {
  jest.restoreAllMocks();
  open.splice(0).forEach(({ socket }) => socket.terminate());
});

const model = { schema: compileSchema(new Schema({})) };
/** Starting its thread takes longer than the tests that share it. */
const matching = new Matching();
afterAll(() => matching.close());
const long = 'ab '.repeat(300_000);
/** Case-insensitive, because a text required in one case would be searched for first and end the match early. */
const patterns = (at: number) => ({
  $or: Array.from({ length: 10 }, (_, n) => ({
    'meta.text': { $regex: `[ab ]{500}[ab ]{500}[ab ]{500}${'c'.repeat(at + 1)}x${'d'.repeat(n + 1)}`, $options: 'i' },
  })),
});

describe('patterns that take too long for a text', () => {
  test('end their subscriptions with a reason; others receive their events in order, and answers', async () => {
    const [costly, other] = [await connected('root'), await connected('root')];
    const keys: unknown[] = [];
    for (let at = 0; at < 2; at++)
      keys.push((await costly.ask('subscribe', { model: 'note', filter: patterns(at) }))['result'].subscription);
    await costly.ask('subscribe', { model: 'note', filter: { title: { $regex: '^last' } } });
    await other.ask('subscribe', { model: 'note', filter: { title: { $in: ['first', 'wide', 'last'] } } });
    for (const body of [{ title: 'first' }, { title: 'wide', meta: { text: long } }, { title: 'last' }])
      await world.as('root', 'POST', '/api/note', { body });
    await other.until(3);
    const expected = ['first', 'wide', 'last'].map((title) => ['post', title]);
    expect(other.events()).toEqual(expected);
    expect(await costly.ask('ping')).toMatchObject({ result: 'pong!' });
    await costly.until(1);
    expect(costly.events()).toEqual([['post', 'last']]);
    const ended = costly.received.filter(({ action }) => action === 'unsubscribe');
    expect(ended).toEqual(
      ended.map(({ result }) => ({
        action: 'unsubscribe',
        status: 'error',
        msg_id: null,
        client_id: expect.any(String),
        result,
        message: expect.stringContaining('Filter too costly'),
      })),
    );
    expect(ended.flatMap(({ result }) => result.unsubscribed).sort()).toEqual([...keys].sort());
  });

  test('end an event stream, which a browser reopens after a minute', async () => {
    const filter = patterns(0)
      .$or.map(
        (one, at) => `filter[$or][${at}][meta.text]=${encodeURIComponent(`$regex:/${one['meta.text'].$regex}/i`)}`,
      )
      .join('&');
    const response = await fetch(`${world.url}/events/note?${filter}`, {
      headers: world.callers.root.headers,
    });
    await world.as('root', 'POST', '/api/note', { body: { title: 'wide', meta: { text: long } } });
    const text = await response.text();
    expect(text).toContain('retry: 60000\nevent: ended\ndata: {"message":"Filter too costly');
  });

  test("are not tried after the first that uses up their subscriber's time", async () => {
    const hasty = new Matching({ filter: 50, question: 50 });
    const row = { meta: { text: long } };
    const matchers = Array.from({ length: 3 }, (_, at) => matcherOf(patterns(at), model));
    const post = jest.spyOn(Worker.prototype, 'postMessage');
    await hasty.evaluate({ row, matchers }, 'ann');
    expect(matchers.map((matcher) => hasty.known(row, matcher))).toEqual(matchers.map(() => 'too costly'));
    expect(post).toHaveBeenCalledTimes(1);
    await hasty.close();
  });

  test('do not use up their time while other programs have the processors', async () => {
    jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
    const starved = new Matching({ filter: 1, question: 1 });
    const row = { a: long };
    const matchers = ['x.*y', 'x.*z'].map(($regex) => matcherOf({ a: { $regex } }, model));
    await starved.evaluate({ row, matchers }, 'ann');
    expect(matchers.map((matcher) => starved.known(row, matcher))).toEqual([false, false]);
    await starved.close();
  });

  test('do not use up their time while their thread starts', async () => {
    // the processors work until the thread has its first task, and no longer, however slow the machine is
    const post = jest.spyOn(Worker.prototype, 'postMessage');
    const began = performance.now();
    let used = 0;
    jest.spyOn(process, 'cpuUsage').mockImplementation((before) => {
      if (post.mock.calls.length === 0) used = (performance.now() - began) * 1000;
      return { user: used - (before?.user ?? 0), system: 0 };
    });
    const fresh = new Matching({ filter: 100, question: 100 });
    const row = { a: 'x' };
    const matchers = ['y', 'z'].map((a) => matcherOf({ a }, model));
    await fresh.evaluate({ row, matchers }, 'ann');
    expect(matchers.map((matcher) => fresh.known(row, matcher))).toEqual([false, false]);
    await fresh.close();
  });

  test('work like any other filter if they finish in time', async () => {
    const stream = await listen(
      `${world.url}/events/note?filter[meta.text]=${encodeURIComponent('$regex:/ab ab$/')}`,
      world.callers.root.headers,
    );
    for (const [title, text] of [
      ['long', `${long}ab ab`],
      ['other', long],
      ['short', 'ab ab'],
    ])
      await world.as('root', 'POST', '/api/note', { body: { title, meta: { text } } });
    await stream.until(2);
    expect(stream.events()).toEqual([
      ['post', 'long'],
      ['post', 'short'],
    ]);
    stream.close();
  });
});

describe('the main thread', () => {
  let nested: unknown = 1;
  for (let level = 0; level < 20; level++) nested = [{ 0: nested }];
  const numbers = Array.from({ length: 20_000 }, (_, at) => at);
  const objects = numbers.map((at) => ({ at }));
  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['a pattern over a long text', { a: { $regex: 'x.*y' } }, { a: long }],
    ['a pattern in $not', { a: { $not: { $regex: 'x.*y' } } }, { a: long }],
    ['a pattern in $elemMatch', { a: { $elemMatch: { b: { $regex: 'x.*y' } } } }, { a: [{ b: long }] }],
    ['many values of $all', { a: { $all: numbers.slice(0, 1000) } }, { a: numbers }],
    [
      'many $elemMatch',
      { $or: numbers.slice(0, 100).map((at) => ({ a: { $elemMatch: { at: -at } } })) },
      { a: objects },
    ],
    ['objects in $in', { $or: numbers.slice(0, 100).map((at) => ({ a: { $in: [{ at: -at }] } })) }, { a: objects }],
    ['numbers in a path', { [`a${'.0'.repeat(24)}.x`]: 1 }, { a: nested }],
  ])('leaves %s to the worker thread', async (_name, filter, row) => {
    const matcher = matcherOf(filter, model);
    expect(matching.evaluateNow(row, matcher)).toBeUndefined();
    await matching.evaluate({ row, matchers: [matcher] }, 'ann');
    expect(matching.known(row, matcher)).toBeDefined();
  });

  test.each<[string, Record<string, unknown>]>([
    ['an equality', { title: 'a' }],
    ['a range', { year: { $gte: 1990, $lt: 2000 } }],
    ['a long $in', { title: { $in: numbers.map(String).slice(0, 1000) } }],
    ['a pattern that scans a text repeatedly', { title: { $regex: 'a.*a.*a.*a.*x' } }],
    ['a plain pattern', { title: { $regex: 'star', $options: 'i' } }],
  ])('decides %s by itself', (_name, filter) => {
    const row = { title: 'a star is born', year: 1994, text: 'x'.repeat(500) };
    expect(typeof matching.evaluateNow(row, matcherOf(filter, model))).toBe('boolean');
  });
});

test('callers take turns at the worker thread', async () => {
  const verdicts: [string, MatchResult | undefined][] = [];
  const ask = async (name: string, at: number, caller: string): Promise<void> => {
    const matcher = matcherOf({ a: { $regex: `ab${at}` } }, model);
    await matching.evaluate({ row, matchers: [matcher] }, caller);
    verdicts.push([name, matching.known(row, matcher)]);
  };
  const row = { a: `${long}ab7` };
  await Promise.all([ask('eve 1', 1, 'eve'), ask('eve 2', 2, 'eve'), ask('eve 3', 3, 'eve'), ask('ann', 7, 'ann')]);
  expect(verdicts).toEqual([
    ['eve 1', false],
    ['eve 2', false],
    ['ann', true],
    ['eve 3', false],
  ]);
});

test('equal filters of several callers are evaluated once for each state of a document', async () => {
  const row = { a: `${long}ab7` };
  const equal = () => matcherOf({ a: { $regex: 'ab7' } }, model);
  const post = jest.spyOn(Worker.prototype, 'postMessage');
  await Promise.all(['eve', 'ann', 'bob'].map((caller) => matching.evaluate({ row, matchers: [equal()] }, caller)));
  expect(post).toHaveBeenCalledTimes(1);
  expect(matching.known(row, equal())).toBe(true);
  await matching.evaluate({ row: { ...row }, matchers: [equal()] }, 'ann');
  expect(post).toHaveBeenCalledTimes(2);
});
