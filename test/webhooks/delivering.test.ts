/** Webhooks: what is sent for which change, signed how, and what follows from the answer of the receiver. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { internalCollection } from '../../src/models/mongoose.ts';
import type { Answer } from '../support/client.ts';
import { basic, emailOf, makeUsers, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';
import { accept, isSigned, type Received, type Receiver, startReceiver } from './receiver.ts';

const models = {
  'film.js': `const { Schema } = require('mongoose');
module.exports = new Schema(
  { title: String, n: Number, status: String, budget: { type: Number, perms: { admin: 'cru' } }, login: { password: String } },
  { perms: { user: { r: { where: { status: { $ne: 'secret' } } } } } },
);`,
  'note.js': `module.exports = new (require('mongoose').Schema)({ text: String }, { history: true, advanced_queries: { bulkwrite: true } });`,
};

let now = Date.now();
let server: TestServer;
let receiver: Receiver;
let mailbox: Mailbox;
let ids: Readonly<Record<'root' | 'rita' | 'ann', string>>;
const root = { headers: rootBasic };
const as = (name: 'rita' | 'ann') => ({ headers: basic(emailOf(name), passwordOf(name)) });
const hour = 3_600_000;

beforeAll(async () => {
  [receiver, mailbox] = [await startReceiver(), await openMailbox()];
  server = await startServer({
    ...{ models, clock: () => new Date(now), smtp: { url: mailbox.url, from: 'dossier@x.test' } },
    webhook: { allow: ['127.0.0.1'], timeout: 1 },
  });
  ids = await makeUsers(server, ['root', 'rita', 'ann']);
});
afterAll(async () => {
  await server.close();
  await receiver.close();
  await mailbox.close();
});

interface Made {
  readonly id: string;
  readonly secret: string;
}
let made: Made | undefined;
const create = async (body: object = {}, by = root): Promise<Made> => {
  const answer = await server.post('/webhooks', { url: receiver.url, models: ['film'], ...body }, by);
  expect([answer.status, answer.body['err']]).toEqual([201, undefined]);
  return (made = answer.document as unknown as Made);
};
const at = (id: string, rest = ''): string => `/webhooks/${id}${rest}`;
const film = async (body: object, id = ''): Promise<string> => {
  const path = id === '' ? '/api/film' : `/api/film/${id}`;
  const answer = await server.send(id === '' ? 'POST' : 'PUT', path, { body, ...root });
  expect(answer.status).toBeLessThan(300);
  return String(answer.document['_id']);
};
const untilReceived = (count: number): Promise<void> =>
  until(
    () => receiver.received.length >= count,
    () => `received: ${receiver.received.map(({ message }) => message.type).join()}; ${server.log.slice(-5).join('')}`,
  );
const types = (): string[] => receiver.received.map(({ message }) => message.type);
const deliveriesOf = async (id: string, query = ''): Promise<readonly any[]> =>
  (await server.get(at(id, `/deliveries${query}`), root)).rows;
const untilNonePending = (id: string): Promise<void> =>
  until(async () => (await deliveriesOf(id, '?status=pending')).length === 0);
/** Waits until no delivery is under way: one that fails after the clock was set would be tried again after a pause from there. */
const untilNoneRuns = (id: string): Promise<void> =>
  until(async () => {
    const pending = await deliveriesOf(id, '?status=pending&limit=100');
    return pending.every(({ next }) => next !== undefined && Date.parse(next) > now);
  });
const pass = (ms: number): void => {
  now += ms;
  server.dossier.services.outbox.committed();
};
const shown = async (id: string): Promise<Readonly<Record<string, unknown>>> =>
  (await server.get(at(id), root)).document;

beforeEach(async () => {
  if (made !== undefined) await server.remove(at(made.id), root);
  made = undefined;
  receiver.respond = accept;
  receiver.received.length = 0;
});

describe('a webhook', () => {
  test('is created, shown without its secret, changed and removed, by admins only', async () => {
    const { id, secret } = await create({ description: 'films', events: ['post'], filter: { n: 1 } });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const expected = { id, url: receiver.url, models: ['film'], events: ['post'], filter: { n: 1 }, active: true };
    expect(await shown(id)).toMatchObject({ ...expected, description: 'films', user_id: ids.root, off_reason: null });
    const changed = await server.put(at(id), { events: ['put', 'del'], filter: null, active: false }, root);
    expect(changed.document).toMatchObject({ events: ['put', 'del'], filter: null, active: false, url: receiver.url });
    const list = await server.get('/webhooks', root);
    expect([list.rows.length, list.body['limit']]).toEqual([1, 20]);
    for (const { text } of [changed, list]) expect(text).not.toContain('whsec_');
    const stored = await internalCollection(server.dossier.services.registry, '_webhook').findOne({});
    expect(JSON.stringify(stored)).not.toContain(secret.slice(8));
    for (const [method, path] of [
      ['GET', '/webhooks'],
      ['POST', '/webhooks'],
      ['GET', at(id)],
      ['DELETE', at(id)],
      ['POST', at(id, '/test')],
      ['GET', at(id, '/deliveries')],
    ] as const) {
      expect((await server.send(method, path, as('ann'))).status).toBe(403);
      expect((await server.send(method, path)).status).toBe(401);
    }
    expect((await server.remove(at(id), root)).status).toBe(200);
    expect((await server.get(at(id), root)).status).toBe(404);
    expect((await server.get(at('x'), root)).status).toBe(400);
  });

  test.each<readonly [string, object, string]>([
    ['an unknown model', { models: ['flim'] }, 'did you mean "film"'],
    ['an internal model', { models: ['_session'] }, 'there is no model'],
    ['no models', { models: [] }, 'must be a list'],
    ['an unknown event', { events: ['patch'] }, 'events.0 must be one of post, put, del'],
    ['a number as an event', { events: [1] }, 'events must be a list of post, put, del'],
    ['a number as a model', { models: [1] }, 'models must be a list of 1 to 100 names'],
    ['an unknown field', { filter: { tilte: 'x' } }, 'tilte'],
    ['an operator that is not allowed', { filter: { $where: '1' } }, '$where'],
    ['a password-named path', { filter: { 'login.password': 'x' } }, 'login.password'],
    ['a filter that is no object', { filter: 'x' }, 'must be a filter'],
    ['a wrong active', { active: 'yes' }, 'must be true or false'],
    ['an unknown name', { urls: 'x' }, 'did you mean "url"'],
    ['no URL', { url: 'here' }, 'must be an https URL'],
    ['credentials', { url: 'http://a:b@127.0.0.1/' }, 'must not contain credentials'],
  ])('with %s is a 400', async (_name, body, reason) => {
    const answer = await server.post('/webhooks', { url: receiver.url, models: ['film'], ...body }, root);
    expect([answer.status, answer.body['err']]).toEqual([400, expect.stringContaining(reason)]);
  });
});

describe('a message', () => {
  test('of each write has its type, the document and the user, and is signed', async () => {
    const { id, secret } = await create({ models: ['*'] });
    const film1 = await film({ title: 'Alien', n: 1, login: { password: 'CANARY-1' } });
    await film({ n: 2 }, film1);
    await server.remove(`/api/film/${film1}`, root);
    await film({ _deleted: false }, film1);
    await server.remove(`/api/film/${film1}?_permaDelete=1`, root);
    await untilReceived(5);
    const [first, , third, , last] = receiver.received as [Received, Received, Received, Received, Received];
    expect(types()).toEqual(['film.created', 'film.updated', 'film.deleted', 'film.created', 'film.deleted']);
    expect(receiver.received.every((one) => isSigned(one, secret))).toBe(true);
    expect(isSigned({ ...first, body: `${first.body} ` }, secret)).toBe(false);
    expect(first.message.data).toMatchObject({
      ...{ model: 'film', id: film1, user_id: ids.root, position: expect.any(String) },
      item: { _id: film1, title: 'Alien', n: 1, login: {} },
    });
    expect(new Date(first.message.timestamp).toISOString()).toBe(first.message.timestamp);
    for (const { message } of [third, last]) expect(message.data).not.toHaveProperty('item');
    expect(receiver.received.map(({ message }) => message.data.item?.['n'])).toEqual([1, 2, undefined, 2, undefined]);
    expect(JSON.stringify(receiver.received)).not.toMatch(/CANARY|\$2[aby]\$/);
    await untilNonePending(id);
    const delivered = await deliveriesOf(id);
    expect(delivered.map(({ type }) => type as string).reverse()).toEqual(types());
    expect(delivered.map((one) => one.id as string).reverse()).toEqual(receiver.received.map((one) => one.id));
    expect(delivered[0]).toMatchObject({ tries: 1, status: 'ok', code: 204, ms: expect.any(Number), answer: '' });
    expect(
      (await server.get(`/events/film?since=${encodeURIComponent(String(first.message.data.position))}`, root)).status,
    ).toBe(200);
  });

  test.each<readonly [string, () => Promise<Answer>, readonly string[]]>([
    [
      'a bulk write',
      () => server.post('/bulkwrite/note', [insert('a'), insert('b'), deletion('a')], root),
      ['note.created', 'note.created', 'note.deleted'],
    ],
    [
      'data of a setup',
      () => server.post('/setup/data', { note: [{ text: 'a' }, { text: 'b' }] }, root),
      ['note.created', 'note.created'],
    ],
    ['a silent write', () => server.post('/api/note?_silence=1', { text: 'a' }, root), ['note.created']],
  ])('of %s', async (_name, work, expected) => {
    expect(await typesOf(work)).toEqual(expected);
  });

  needs('transactions')('of a batch', async () => {
    const operations = ['a', 'b'].map((text) => ({ method: 'POST', path: '/api/note', body: { text } }));
    expect(await typesOf(() => server.post('/batch', { operations }, root))).toEqual(['note.created', 'note.created']);
  });

  const insert = (text: string): object => ({ insertOne: { document: { text } } });
  const deletion = (text: string): object => ({ deleteOne: { filter: { text } } });

  /** The types of the messages of writes of notes. */
  async function typesOf(work: () => Promise<Answer>): Promise<readonly string[]> {
    const { id } = await create({ models: ['note'] });
    const { status, text } = await work();
    if (status >= 300) throw new Error(text);
    await server.post('/api/note', { text: 'last' }, root);
    await until(() => receiver.received.some(({ message }) => message.data.item?.['text'] === 'last'));
    await untilNonePending(id);
    const others = receiver.received.filter(({ message }) => message.data.item?.['text'] !== 'last');
    return others.map(({ message }) => message.type).sort();
  }

  test('is for what enters and leaves the filter, too, and for chosen events only', async () => {
    const { id } = await create({ filter: { status: 'shipped' } });
    const one = await film({ title: 'a', status: 'new' });
    await film({ status: 'shipped' }, one);
    await film({ title: 'b' }, one);
    await film({ status: 'paid' }, one);
    await film({ title: 'c' }, one);
    await server.remove(`/api/film/${one}`, root);
    await untilReceived(3);
    await untilNonePending(id);
    expect(types()).toEqual(['film.created', 'film.updated', 'film.deleted']);
    expect(receiver.received[2]?.message.data).not.toHaveProperty('item');
    expect(await deliveriesOf(id)).toHaveLength(3);
    expect((await server.put(at(id), { events: ['del'] }, root)).status).toBe(200);
    await film({ title: 'x', status: 'shipped' });
    await server.remove(`/api/film/${await film({ title: 'y', status: 'shipped' })}`, root);
    await untilReceived(4);
    expect(types()[3]).toBe('film.deleted');
  });

  test('over 256 kB has no item', async () => {
    await create();
    await film({ title: 'x'.repeat(200_000) });
    await film({ title: 'x'.repeat(300_000) });
    await untilReceived(2);
    const sizes = receiver.received.map(({ message }) => String(message.data.item?.['title'] ?? '').length);
    expect(sizes.sort()).toEqual([0, 200_000]);
  });

  test('has what the maker may read at that time, and ends with them', async () => {
    const { id } = await create({}, as('rita'));
    await film({ title: 'a', budget: 7 });
    await untilReceived(1);
    expect(receiver.received[0]?.message.data.item).toMatchObject({ budget: 7 });
    expect((await server.put(`/api/user/${ids.rita}`, { admin: false }, root)).status).toBe(200);
    await film({ title: 'secret', status: 'secret' });
    const two = await film({ title: 'b', budget: 8 });
    await untilReceived(2);
    await untilNonePending(id);
    expect(receiver.received.map(({ message }) => message.data.item?.['title'])).toEqual(['a', 'b']);
    expect(receiver.received[1]?.message.data.item).not.toHaveProperty('budget');
    // it leaves what she may read
    await film({ status: 'secret' }, two);
    await untilReceived(3);
    expect(types()[2]).toBe('film.deleted');
    expect((await server.remove(`/api/user/${ids.rita}`, root)).status).toBe(200);
    await film({ title: 'c' });
    await until(async () => (await shown(id))['active'] === false);
    expect(await shown(id)).toMatchObject({ off_reason: expect.stringContaining('has ended') });
    expect(await deliveriesOf(id, '?status=dead')).toHaveLength(1);
    expect(receiver.received).toHaveLength(3);
  });

  test('is signed by both secrets while they overlap', async () => {
    const { id, secret } = await create();
    const rotated = await server.post(at(id, '/rotate'), { overlap: 60 }, root);
    const next = (rotated.document as unknown as Made).secret;
    expect(next).not.toBe(secret);
    await film({ title: 'a' });
    await untilReceived(1);
    const [one] = receiver.received as [Received];
    expect([isSigned(one, secret), isSigned(one, next)]).toEqual([true, true]);
    expect(one.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    pass(61_000);
    await film({ title: 'b' });
    await untilReceived(2);
    const [, two] = receiver.received as [Received, Received];
    const time = new Date(Number(two.headers['webhook-timestamp']) * 1000);
    expect(two.headers['webhook-signature']).toBe(new Webhook(next).sign(two.id, time, two.body));
    expect((await server.post(at(id, '/rotate'), { overlap: -1 }, root)).status).toBe(400);
  });
});

describe('a receiver', () => {
  test('that is down for hours gets everything, with the same id, in order for each document', async () => {
    const { id } = await create();
    receiver.respond = (_one, answer) => void answer.writeHead(500).end('broken '.repeat(300));
    const one = await film({ title: 'a', n: 0 });
    await untilReceived(1);
    for (const n of [1, 2, 3]) await film({ n }, one);
    // the pauses of the contract, each a tenth longer at most
    const pauses = [5000, 300_000, 0.5 * hour, 2 * hour, 5 * hour, 10 * hour];
    for (const [tries, pause] of pauses.entries()) {
      await until(async () =>
        (await deliveriesOf(id)).some(({ tries: tried, next }) => tried === tries + 1 && next !== undefined),
      );
      pass(pause - 2000);
      await film({ title: `other ${tries}` });
      await until(() => receiver.received.some(({ message }) => message.data.item?.['title'] === `other ${tries}`));
      expect(receiver.received.filter(({ message }) => message.data.id === one)).toHaveLength(tries + 1);
      pass(pause * 0.1 + 3000);
      await until(() => receiver.received.filter(({ message }) => message.data.id === one).length === tries + 2);
    }
    await untilNoneRuns(id);
    const [failing] = (await deliveriesOf(id, '?status=pending&limit=100')).filter(({ tries }) => tries > 6);
    expect(failing).toMatchObject({
      status: 'pending',
      code: 500,
      reason: 'the status is not 2xx',
      next: expect.any(String),
    });
    expect(failing.answer).toHaveLength(1024);
    receiver.respond = accept;
    pass(30 * hour);
    await untilNonePending(id);
    const ofOne = receiver.received.filter(({ message }) => message.data.id === one);
    expect(ofOne.map(({ message }) => message.data.item?.['n'])).toEqual([...Array<number>(8).fill(0), 1, 2, 3]);
    expect(new Set(ofOne.slice(0, 8).map((received) => received.id)).size).toBe(1);
  });

  test('that is always down has dead deliveries, which hold up nothing', async () => {
    const { id } = await create();
    receiver.respond = ({ message }, answer) => void answer.writeHead(message.data.item?.['n'] === 0 ? 503 : 200).end();
    const one = await film({ n: 0 });
    await film({ n: 1 }, one);
    for (let tries = 1; tries <= 10; tries++) {
      await until(async () =>
        (await deliveriesOf(id)).some(
          ({ tries: tried, next, status }) => tried === tries && (next !== undefined || status === 'dead'),
        ),
      );
      // less than five days in all
      pass(([0.1, 0.2, 1, 3, 6, 12, 16, 23, 27][tries - 1] ?? 0) * hour);
    }
    await untilNonePending(id);
    expect((await deliveriesOf(id)).map(({ status, tries }) => `${status} ${tries}`)).toEqual(['ok 1', 'dead 10']);
    expect(await shown(id)).toMatchObject({ active: true, failing_since: null });
  });

  const answers: readonly (readonly [string, Receiver['respond'], object])[] = [
    [
      'resets the connection',
      (_one, _answer, request) => request.socket.destroy(),
      { code: null, reason: expect.stringContaining('failed') },
    ],
    ['stalls', () => undefined, { code: null, reason: 'no answer within 1 s' }],
    [
      'redirects',
      (_one, answer) => void answer.writeHead(307, { location: receiver.url }).end(),
      { code: 307, reason: 'redirects are not followed' },
    ],
    ['answers 429', (_one, answer) => void answer.writeHead(429, { 'retry-after': '7200' }).end(), { code: 429 }],
  ];
  test.each(answers)('that %s has failed, and is tried again', async (_name, respond, expected) => {
    const { id } = await create();
    receiver.respond = respond;
    await film({ title: 'a' });
    await until(async () => (await deliveriesOf(id))[0]?.reason !== undefined);
    const [delivery] = await deliveriesOf(id);
    expect(delivery).toMatchObject({ status: 'pending', tries: 1, ...expected });
    expect(receiver.received).toHaveLength(1);
    receiver.respond = accept;
    pass(6000);
    if (delivery.code === 429) {
      await film({ title: 'meanwhile' });
      await untilReceived(2);
      expect(new Date(delivery.next as string).getTime() - now).toBeGreaterThan(1.9 * hour);
      pass(2 * hour);
    }
    await untilNonePending(id);
    expect((await deliveriesOf(id)).every(({ status }) => status === 'ok')).toBe(true);
  });

  test('that answers 2xx and stalls then has its delivery', async () => {
    const { id } = await create();
    receiver.respond = (_one, answer) => void answer.writeHead(202).write('thanks');
    await film({ title: 'a' });
    await untilNonePending(id);
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'ok', code: 202, answer: 'thanks' }]);
  });

  test('that answers 410 switches the webhook off', async () => {
    const { id } = await create();
    receiver.respond = (_one, answer) => void answer.writeHead(410).end();
    await film({ title: 'a' });
    await until(async () => (await shown(id))['active'] === false);
    await untilNonePending(id);
    await film({ title: 'b' });
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'dead', code: 410 }]);
    receiver.respond = accept;
    expect((await server.put(at(id), { active: true }, root)).document).toMatchObject({ off_reason: null });
    await film({ title: 'c' });
    await untilReceived(2);
  });

  test('that fails for five days is switched off, and admins get a mail', async () => {
    const { id } = await create();
    receiver.respond = (_one, answer) => void answer.writeHead(500).end();
    await film({ title: 'a' });
    await until(async () => (await deliveriesOf(id)).some(({ code, next }) => code === 500 && next !== undefined));
    expect((await shown(id))['failing_since']).not.toBeNull();
    pass(5 * 24 * hour + 1000);
    await until(async () => (await shown(id))['active'] === false);
    await until(() => mailbox.about('A webhook was switched off').length > 0);
    expect(mailbox.about('A webhook was switched off').flatMap(({ to }) => to)).toEqual([emailOf('root')]);
    expect(await shown(id)).toMatchObject({ off_reason: 'all deliveries of five days have failed' });
  });
});

describe('deliveries', () => {
  test('are listed in pages, and repeated by ids and by time, with the same id', async () => {
    const { id } = await create();
    const since = new Date(now).toISOString();
    for (const n of [1, 2, 3]) await film({ n });
    await untilReceived(3);
    await untilNonePending(id);
    const page = await server.get(at(id, '/deliveries?limit=2'), root);
    expect(page.rows).toHaveLength(2);
    const rest = await server.get(at(id, `/deliveries?limit=2&after=${page.body['next_cursor']}`), root);
    expect(rest.rows).toHaveLength(1);
    expect(rest.body).not.toHaveProperty('next_cursor');
    const [delivery] = rest.rows;
    const replayed = await server.post(at(id, '/replay'), { ids: [delivery?.['id']] }, root);
    expect([replayed.status, replayed.document]).toEqual([202, { replayed: 1 }]);
    await untilReceived(4);
    expect(receiver.received[3]?.id).toBe(delivery?.['id']);
    expect(receiver.received[3]?.body).toBe(receiver.received[0]?.body);
    await untilNonePending(id);
    expect((await server.post(at(id, '/replay'), { since }, root)).document).toEqual({ replayed: 3 });
    await untilReceived(7);
    await untilNonePending(id);
    pass(1000);
    const later = new Date(now).toISOString();
    expect((await server.post(at(id, '/replay'), { since: later, until: later }, root)).document).toEqual({
      replayed: 0,
    });
  });

  test.each<readonly [string, object]>([
    ['nothing', {}],
    ['both forms', { ids: ['0'.repeat(24)], since: '2026-01-01' }],
    ['wrong ids', { ids: ['x'] }],
    ['a wrong time', { since: 'soon' }],
  ])('are not repeated for %s', async (_name, body) => {
    const { id } = await create();
    expect((await server.post(at(id, '/replay'), body, root)).status).toBe(400);
    expect((await server.get(at(id, '/deliveries?status=lost'), root)).status).toBe(400);
  });

  test('are sent as a test, also where the webhook is off', async () => {
    const { id, secret } = await create({ active: false });
    const tested = await server.post(at(id, '/test'), undefined, root);
    expect(tested.status).toBe(202);
    await untilReceived(1);
    expect([types(), isSigned(receiver.received[0] as Received, secret)]).toEqual([
      ['dossier.test'],
      now < Date.now() + 240_000,
    ]);
    await film({ title: 'a' });
    expect(await deliveriesOf(id)).toMatchObject([{ id: tested.document['id'], type: 'dossier.test' }]);
  });

  needs('transactions')('of a write that fails are none', async () => {
    await create({ models: ['note'] });
    const operations = [
      { method: 'POST', path: '/api/note', body: { text: 'a' } },
      { method: 'POST', path: '/api/note', body: { tex: 'b' } },
    ];
    expect((await server.post('/batch', { operations }, root)).status).toBe(400);
    await server.post('/api/note', { text: 'last' }, root);
    await untilReceived(1);
    expect(receiver.received.map(({ message }) => message.data.item?.['text'])).toEqual(['last']);
  });
});
