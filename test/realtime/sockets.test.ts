/** The WebSocket: protocol, rights and events (docs/realtime.md; threats: docs/threats.md). */
import { setTimeout as later } from 'node:timers/promises';
import WebSocket from 'ws';
import { connect, type Connection } from '../support/connection.ts';
import { listen } from '../support/event-stream.ts';
import { openWriting, type Person, type World } from '../support/fixtures/writing/index.ts';
import { until } from '../support/waiting.ts';

let world: World;
const open: Connection[] = [];
const connected = async (as?: Person): Promise<Connection> => {
  const connection = await connect(world.url, as === undefined ? {} : world.callers[as].headers);
  open.push(connection);
  return connection;
};
/** Waits until everything that was sent before the answer to a ping has arrived. */
const settled = (connection: Connection): Promise<unknown> => connection.ask('ping');
const idOf = async (as: Person, body: object): Promise<string> =>
  String((await world.as(as, 'POST', '/api/note', { body })).body['data']._id);

beforeAll(async () => {
  world = await openWriting();
});
afterEach(() => open.splice(0).forEach(({ socket }) => socket.terminate()));

test('ping, auth by each way, subscribe and unsubscribe are answered', async () => {
  const anonymous = await connected();
  expect(await anonymous.ask('ping')).toMatchObject({ action: 'ping', status: 'okay', result: 'pong!' });
  expect(await anonymous.ask('subscribe', { model: 'book' })).toMatchObject({ status: 'error' });
  expect(await anonymous.ask('auth', { email: 'ann@x.test', password: 'wrong' })).toMatchObject({ status: 'error' });
  expect(await anonymous.ask('auth', { email: 'ann@x.test', password: 'pw-ann-1' })).toMatchObject({ status: 'okay' });
  expect(await anonymous.ask('auth', { token: world.callers.ann.token })).toMatchObject({
    status: 'okay',
    result: { user_id: world.callers.ann.user_id },
  });
  const { result } = await anonymous.ask('subscribe', { model: 'note' });
  expect(result).toEqual({ subscription: expect.any(String) });
  expect(await anonymous.ask('unsubscribe', result)).toMatchObject({ status: 'okay' });
  expect(await anonymous.ask('unsubscribe', { model: 'note' })).toMatchObject({ status: 'error' });
});

test('writes are sent to subscribers that may read them, without password-named fields', async () => {
  const [ann, eve] = [await connected('ann'), await connected('eve')];
  for (const socket of [ann, eve])
    expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'okay' });
  const id = await idOf('ann', { title: 'a', login: { site: 's', password: 'p' }, meta: { password: 'p' } });
  await world.as('ann', 'PUT', `/api/note/${id}`, { body: { title: 'b' } });
  await world.as('ann', 'PUT', `/update/note/${id}`, { body: { title: 'c' } });
  await world.as('ann', 'POST', '/bulkwrite/note', {
    body: [{ updateOne: { filter: { title: 'c' }, update: { title: 'd' } } }],
  });
  await world.as('ann', 'DELETE', `/api/note/${id}`);
  await world.as('ann', 'PUT', `/api/note/${id}`, { body: { _deleted: false } });
  await world.as('ann', 'PUT', `/api/note/${id}`, { body: { title: 'quiet', _silence: true } });
  await world.as('ann', 'DELETE', `/api/note/${id}?_permaDelete=1`);
  await ann.until(7);
  await settled(eve);
  expect(ann.events()).toEqual([
    ['post', 'a'],
    ['put', 'b'],
    ['put', 'c'],
    ['put', 'd'],
    ['del', id],
    ['post', 'd'],
    ['del', id],
  ]);
  expect(JSON.stringify(ann.received)).not.toMatch(/password|\$2[aby]\$/i);
  expect(ann.received.at(-1)).toMatchObject({
    client_id: expect.any(String),
    data: { modelname: 'note', user_id: world.callers.ann.user_id },
  });
  expect(eve.events()).toEqual([]);
});

test('a filter matches as in a query, and a document that stops matching is sent as del with its id only', async () => {
  const ann = await connected('ann');
  await ann.ask('subscribe', { model: 'note', filter: { title: { $regex: '^x' }, n: { $gte: 2 } } });
  await idOf('ann', { title: 'x1', n: 1 });
  const id = await idOf('ann', { title: 'x2', n: 2 });
  await world.as('ann', 'PUT', `/api/note/${id}`, { body: { n: 1 } });
  await world.as('ann', 'PUT', `/api/note/${id}`, { body: { n: 5 } });
  await ann.until(3);
  expect(ann.events()).toEqual([
    ['post', 'x2'],
    ['del', id],
    ['put', 'x2'],
  ]);
});

test('a document that leaves one filter of a socket for another is changed, and not gone', async () => {
  const [board, one] = [await connected('ann'), await connected('ann')];
  for (const title of ['open', 'done']) await board.ask('subscribe', { model: 'note', filter: { title } });
  await one.ask('subscribe', { model: 'note', filter: { title: 'open' } });
  const id = await idOf('ann', { title: 'open' });
  for (const title of ['done', 'open', 'kept', 'done'])
    await world.as('ann', 'PUT', `/api/note/${id}`, { body: { title } });
  await world.as('ann', 'DELETE', `/api/note/${id}`);
  await board.until(6);
  expect(board.events()).toEqual([
    ['post', 'open'],
    ['put', 'done'],
    ['put', 'open'],
    ['del', id],
    ['put', 'done'],
    ['del', id],
  ]);
  await settled(one);
  expect(one.events()).toEqual([
    ['post', 'open'],
    ['del', id],
    ['put', 'open'],
    ['del', id],
  ]);
});

test.each([
  ['subscribe', { model: 'note', filtre: { title: 'x' } }, '"filtre"; did you mean "filter"?'],
  ['subscribe', { model: 'note', populate: 'book' }, '"populate"'],
  ['unsubscribe', { model: 'note', subscripton: 'x' }, '"subscripton"; did you mean "subscription"?'],
])('%s refuses a part that would have no effect: %j', async (action, data, named) => {
  const ann = await connected('ann');
  await ann.ask('subscribe', { model: 'note' });
  expect(await ann.ask(action, data)).toMatchObject({ status: 'error', message: expect.stringContaining(named) });
  expect(await ann.ask('unsubscribe', { model: 'note' })).toMatchObject({
    status: 'okay',
    result: { unsubscribed: [expect.any(String)] },
  });
});

test('a soft-deleted document is not sent as del again, and is sent as post when it is restored', async () => {
  const make = async (): Promise<string> =>
    String((await world.as('root', 'POST', '/api/book', { body: { title: 'one' } })).body['data']._id);
  const always = await connected('eve');
  await always.ask('subscribe', { model: 'book' });
  const [removed, restored] = [await make(), await make()];
  for (const id of [removed, restored]) await world.as('root', 'DELETE', `/api/book/${id}`);
  const late = await connected('eve');
  await late.ask('subscribe', { model: 'book' });
  await world.as('root', 'DELETE', `/api/book/${removed}?_permaDelete=1`);
  await world.as('root', 'PUT', `/api/book/${restored}`, { body: { _deleted: false } });
  await world.as('root', 'DELETE', `/api/book/${restored}?_permaDelete=1`);
  await Promise.all([late.until(2), always.until(6)]);
  const end = [
    ['post', 'one'],
    ['del', restored],
  ];
  expect(late.events()).toEqual(end);
  expect(always.events()).toEqual([['post', 'one'], ['post', 'one'], ['del', removed], ['del', restored], ...end]);
});

test('unsubscribe with an id ends the subscriptions to that document only', async () => {
  const ann = await connected('ann');
  const ids = [await idOf('ann', { title: 'a' }), await idOf('ann', { title: 'b' })];
  const model = 'note';
  await ann.ask('subscribe', { model });
  for (const id of ids) await ann.ask('subscribe', { model, id });
  expect(await ann.ask('unsubscribe', { model, id: 'x' })).toMatchObject({ status: 'error' });
  expect(await ann.ask('unsubscribe', { model, id: ids[0] })).toMatchObject({
    result: { unsubscribed: [expect.any(String)] },
  });
  expect(await ann.ask('unsubscribe', { model, id: ids[0] })).toMatchObject({ status: 'error' });
  expect(await ann.ask('unsubscribe', { model })).toMatchObject({
    result: { unsubscribed: [expect.any(String), expect.any(String)] },
  });
});

test('a subscription may be to one document', async () => {
  const [id, other] = [await idOf('ann', { title: 'one' }), await idOf('ann', { title: 'other' })];
  const ann = await connected('ann');
  await ann.ask('subscribe', { model: 'note', id });
  await world.as('ann', 'PUT', `/api/note/${other}`, { body: { title: 'no' } });
  await world.as('ann', 'PUT', `/api/note/${id}`, { body: { title: 'yes' } });
  await ann.until(1);
  expect(ann.events()).toEqual([['put', 'yes']]);
});

test.each([
  [{ model: 'nosuch' }],
  [{ model: '__proto__' }],
  [{ model: '_session' }],
  [{ model: { $ne: null } }],
  [{ model: 'note', id: 'x' }],
  [{ model: 'note', id: { $ne: null } }],
  [{ model: 'note', id: ['64b64b64b64b64b64b64b64b'] }],
  [{ model: 'note', filter: { 'login.password': { $regex: '^.' } } }],
  [{ model: 'note', filter: { $where: '1' } }],
  [{ model: 'note', filter: { title: { $regex: '(a+)+$' } } }],
  [{ model: 'note', filter: { title: { $regex: '(' } } }],
  [{ model: 'note', filter: [] }],
  [{ model: 'note', filter: 'x' }],
])('%j is refused and the socket stays open', async (data) => {
  const eve = await connected('eve');
  expect(await eve.ask('subscribe', data)).toMatchObject({ status: 'error', message: expect.any(String) });
  expect(await eve.ask('ping')).toMatchObject({ status: 'okay' });
});

test.each([
  [{ apikey: { $ne: null } }],
  [{ token: { $regex: '^' } }],
  [{ token: 5 }],
  [{ email: { $ne: 1 }, password: 'pw-root-1' }],
  [{}],
])('%j does not sign in', async (data) => {
  const anonymous = await connected();
  expect(await anonymous.ask('auth', data)).toMatchObject({ status: 'error' });
  expect(await anonymous.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'error' });
});

test('another user who signs in receives nothing of the previous one', async () => {
  const socket = await connected('ann');
  await socket.ask('subscribe', { model: 'note' });
  expect(await socket.ask('auth', { token: 'da_bad' })).toMatchObject({ status: 'error' });
  expect(await socket.ask('auth', { token: world.callers.eve.token })).toMatchObject({ status: 'okay' });
  await idOf('ann', { title: 'hers' });
  await settled(socket);
  expect(socket.events()).toEqual([]);
});

test.each([
  'null',
  '[]',
  '1',
  '"x"',
  '{',
  '',
  '{"action":"constructor","msg_id":1}',
  '{"action":"ping"}',
  '{"action":"ping","msg_id":{}}',
])('%s is answered with an error', async (text) => {
  const socket = await connected();
  socket.socket.send(text);
  await settled(socket);
  expect(socket.received[0]).toMatchObject({ status: 'error' });
});

test('messages that are too large or too many close the socket', async () => {
  const large = await connected();
  large.socket.send('x'.repeat(65_537));
  expect(await large.closed()).toBe(1009);
  const many = await connected();
  for (let at = 0; at < 101; at++) many.socket.send('{}');
  expect(await many.closed()).toBe(1008);
});

test('the socket of an ended session is closed with 1008', async () => {
  const { body } = await world.send('POST', '/login', { body: { email: 'eve@x.test', password: 'pw-eve-1' } });
  const socket = await connect(world.url, { authorization: `Bearer ${String(body['token'])}` });
  open.push(socket);
  await socket.ask('subscribe', { model: 'note' });
  await world.get('/logout', { headers: { authorization: `Bearer ${String(body['token'])}` } });
  expect(await socket.closed()).toBe(1008);
});

interface ByJwt {
  readonly socket: Connection;
  readonly stream: Awaited<ReturnType<typeof listen>>;
  /** When the JWT expires, in milliseconds. */
  readonly end: number;
  /** Writes a document for each of the two. */
  write(): Promise<void>;
}

const receivedBy = ({ socket, stream }: Pick<ByJwt, 'socket' | 'stream'>) => [
  ...socket.received.flatMap(({ data }) => (data === undefined ? [] : [data])),
  ...stream.received,
];
const modelsOf = (one: Pick<ByJwt, 'socket' | 'stream'>) => new Set(receivedBy(one).map(({ modelname }) => modelname));

/**
 * Opens a socket and a stream by a JWT, until both have received something.
 * @returns undefined if it is about to expire by then: a slow machine needs one that is valid for longer
 */
async function openByJwt(of: World): Promise<ByJwt | undefined> {
  const got = await of.as('root', 'POST', '/login/getjwt', { body: { email: 'ann@x.test' } });
  const jwt = String(got.body['jwt']);
  const { exp } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as { exp: number };
  const end = exp * 1000;
  const isLate = (): boolean => Date.now() > end - 250;
  const write = async (): Promise<void> => {
    await of.as('root', 'POST', '/api/book', { body: { title: 'book' } });
    await of.as('ann', 'POST', '/api/note', { body: { title: 'note' } });
  };
  const opened = async (): Promise<ByJwt | undefined> => {
    const socket = await connect(of.url, {}, `?jwt=${jwt}`);
    const subscribed = await socket.ask('subscribe', { model: 'book' });
    const stream = await listen(`${of.url}/events/note?jwt=${jwt}`);
    if (!isLate()) expect([subscribed['status'], stream.status]).toEqual(['okay', 200]);
    await write();
    await until(() => isLate() || modelsOf({ socket, stream }).size === 2);
    return isLate() ? undefined : { socket, stream, end, write };
  };
  const openedInTime = opened().catch((error: unknown) => {
    if (!isLate()) throw error;
    return undefined;
  });
  return Promise.race([openedInTime, later(end - Date.now()).then(() => undefined)]);
}

test('nothing is sent once the JWT of a socket or a stream has expired', async () => {
  for (const seconds of [3, 20, 60]) {
    const short = await openWriting({ jwt_expiry: seconds });
    const open = await openByJwt(short);
    if (open === undefined) {
      await short.close();
      continue;
    }
    // continuous writes around the expiry, so that some follow it immediately
    await later(open.end - 250 - Date.now());
    while (Date.now() <= open.end + 400) await open.write();
    expect([await open.socket.closed(), await open.stream.ended()]).toEqual([1008, 'closed']);
    for (const { item } of receivedBy(open)) expect(Date.parse(String(item.createdAt))).toBeLessThan(open.end);
    await short.close();
    return;
  }
  throw new Error('no JWT was valid for long enough');
}, 300_000);

const upgrade = (path: string, headers: Readonly<Record<string, string | string[]>>): Promise<number> =>
  new Promise((done, failed) => {
    const socket = new WebSocket(`${world.url.replace('http', 'ws')}${path}`, { headers });
    socket.on('unexpected-response', (_request, response) => done(response.statusCode ?? 0));
    socket.on('open', () => {
      socket.terminate();
      done(101);
    });
    socket.on('error', failed);
  });

test.each([
  ['/websocket', {}, 101],
  ['/', {}, 404],
  ['/api/book', {}, 404],
  ['/websocket?apikey=bad', {}, 401],
  ['/websocket', { authorization: 'Bearer bad' }, 401],
  ['/websocket', { authorization: ['Basic cm9vdEB4LnRlc3Q6cHctcm9vdC0x', 'Bearer bad'] as string[] }, 401],
  ['/websocket', { authorization: 'Basic cm9vdEB4LnRlc3Q6cHctcm9vdC0x' }, 101],
] as const)('an upgrade of %s with %j is %i', async (path, headers, status) => {
  expect(await upgrade(path, headers)).toBe(status);
});
