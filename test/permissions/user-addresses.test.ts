/** Row rules that compare with `$user.email`: an address that its user has not proved gives nothing, however it has come on the user. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { listen } from '../support/event-stream.ts';
import { makeKey } from '../support/fixtures/keys.ts';
import { basic, type Caller, emailOf, logIn, makeUsers, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const boss = 'boss@x.test';
const models = {
  'doc.ts': `export default ({ Schema }) => new Schema({ title: String, invited: [String] },
    { perms: { owner: 'crud', user: { r: { where: { invited: '$user.email' } } } } });`,
  'offer.ts': `const proved = { $or: [{ proved: '$user.verified' }, { title: 'both', '$user.verified': true }] };
    const not = { title: 'neither', $nor: [{ '$user.verified': true }] };
    export default ({ Schema }) => new Schema({ title: String, proved: Boolean },
      { perms: { all: { r: { where: { $or: [proved, not] } } } } });`,
  'user.ts': `export default ({ Schema }) => new Schema(
    { nick: { type: String, unique: true, sparse: true }, email: { type: String, required: true, alias: 'mail' } },
    { history: true, perms: { admin: 'crud', owner: 'ru' }, advanced_queries: { bulkwrite: true } });`,
};

const asRoot = { headers: rootBasic };
async function open(options: StartOptions): Promise<TestServer> {
  const server = await startServer({ models, ...options });
  await makeUsers(server, ['root', 'ann', 'bob', 'ed']);
  const made = {
    doc: [
      { title: 'for the boss', invited: [boss] },
      { title: 'for ann', invited: [emailOf('ann')] },
    ],
    offer: [{ title: 'yes', proved: true }, { title: 'no', proved: false }, { title: 'both' }, { title: 'neither' }],
  };
  expect((await server.post('/setup/data', made, asRoot)).status).toBe(200);
  return server;
}

const titles = async (server: TestServer, path: string, headers: Readonly<Record<string, string>>) =>
  (await server.get(path, { headers })).rows.map(({ title }) => title as string).sort();
const setVerified = async (server: TestServer, id: string): Promise<void> => {
  expect((await server.put(`/api/user/${id}`, { email_verified: true }, asRoot)).status).toBe(200);
};

describe('where people sign up', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await open({ signup: 'open', cache: { enabled: true } });
  });

  test('an address counts once it is verified, also for credentials and cached answers of before', async () => {
    const { user_id, apikey, headers } = await logIn(server, 'ann');
    const key = await makeKey(server, { headers });
    const callers = [headers, { 'x-api-key': apikey }, key.headers, basic(emailOf('ann'), passwordOf('ann'))];
    const read = (path: string) => Promise.all(callers.map((one) => titles(server, path, one)));
    expect(await read('/api/doc')).toEqual(callers.map(() => []));
    expect(await read('/api/offer')).toEqual(callers.map(() => ['neither', 'no']));
    await setVerified(server, user_id);
    expect(await read('/api/doc')).toEqual(callers.map(() => ['for ann']));
    expect(await read('/api/offer')).toEqual(callers.map(() => ['both', 'yes']));
  });

  test('callers who have not signed in have no address that is or is not verified', async () => {
    expect(await titles(server, '/api/offer', {})).toEqual([]);
  });

  test('a stream stops showing what the address before gave', async () => {
    const { user_id, headers } = await logIn(server, 'ann');
    await setVerified(server, user_id);
    const stream = await listen(`${server.url}/events/doc`, headers);
    const add = (title: string) =>
      server.post('/setup/data', { doc: [{ title, invited: [boss, emailOf('ann')] }] }, asRoot);
    await add('first');
    await stream.until(1);
    const body = { email: boss, password: passwordOf('ann') };
    expect((await server.put('/login/email', body, { headers })).status).toBe(200);
    await add('second');
    await server.put(`/api/user/${user_id}`, { email: emailOf('ann'), email_verified: true }, asRoot);
    await add('third');
    await stream.when(() => stream.events().some(([, title]) => title === 'third'));
    expect(stream.events().map(([, title]) => title)).not.toContain('second');
    stream.close();
  });
});

/** The entry of bob's history in which he has got the address. */
async function revWithBoss(server: TestServer, { user_id }: Caller): Promise<unknown> {
  const { rows } = await server.get(`/history/user/${user_id}`, asRoot);
  return rows.filter((row) => JSON.stringify(row).includes(boss)).at(-1)?.['rev'];
}

/** How another address gets on the user bob. */
type Way = (server: TestServer, bob: Caller) => Promise<Answer>;
const change = (body: object, method = 'PUT', type?: string): Way => {
  const headers = type === undefined ? rootBasic : { ...rootBasic, 'content-type': type };
  return (server, { user_id }) => server.send(method, `/api/user/${user_id}`, { headers, body });
};
const bulk =
  (operation: (filter: object) => object): Way =>
  (server, { user_id }) =>
    server.post('/bulkwrite/user', [operation({ _id: user_id })], asRoot);
const ways: Readonly<Record<string, Way>> = {
  'PUT /login/email': (server, { headers, password }) =>
    server.put('/login/email', { email: boss, password }, { headers }),
  PUT: change({ email: boss }),
  'PUT by an alias': change({ mail: boss }),
  PATCH: change({ $set: { email: boss } }, 'PATCH'),
  'a merge patch': change({ email: boss }, 'PATCH', 'application/merge-patch+json'),
  'a JSON Patch': change([{ op: 'replace', path: '/email', value: boss }], 'PATCH', 'application/json-patch+json'),
  '/update': (server, { user_id }) => server.put(`/update/user/${user_id}`, { email: boss }, asRoot),
  upsert: (server) => server.put('/api/user?on=nick', { nick: 'bobby', email: boss }, asRoot),
  updateOne: bulk((filter) => ({ updateOne: { filter, update: { $set: { email: boss } } } })),
  updateMany: bulk((filter) => ({ updateMany: { filter, update: { email: boss } } })),
  replaceOne: bulk((filter) => ({ replaceOne: { filter, replacement: { email: boss, password: passwordOf('bob') } } })),
  batch: (server, { user_id }) =>
    server.post(
      '/batch',
      { operations: [{ method: 'PUT', path: `/api/user/${user_id}`, body: { email: boss } }] },
      asRoot,
    ),
  revert: async (server, bob) => {
    await change({ email: boss })(server, bob);
    await change({ email: emailOf('bob') })(server, bob);
    await setVerified(server, bob.user_id);
    return server.post(`/history/user/${bob.user_id}/revert`, { rev: await revWithBoss(server, bob) }, asRoot);
  },
  'a deletion, a change and a restoration': async (server, bob) => {
    await server.remove(`/api/user/${bob.user_id}`, asRoot);
    return change({ email: boss, _deleted: false })(server, bob);
  },
};

test.each(Object.entries(ways))('an address written by %s is not verified, and shows nothing', async (_name, way) => {
  const server = await open({ signup: 'open' });
  const bob = await logIn(server, 'bob');
  await server.put(`/api/user/${bob.user_id}`, { nick: 'bobby', email_verified: true }, asRoot);
  const { status, text } = await way(server, bob);
  expect([status, status < 300 ? '' : text]).toEqual([200, '']);
  const stored = await server.get(`/api/user/${bob.user_id}`, asRoot);
  expect(stored.document).toMatchObject({ email: boss, email_verified: false });
  const headers = basic(boss, passwordOf('bob'));
  expect((await server.get('/me', { headers })).status).toBe(200);
  expect(await titles(server, '/api/doc', headers)).toEqual([]);
  await server.close();
});

test('users do not get an address back by reverting their own document', async () => {
  const server = await open({ signup: 'open' });
  const bob = await logIn(server, 'bob');
  await change({ email: boss, email_verified: true })(server, bob);
  await change({ email: emailOf('bob'), email_verified: true })(server, bob);
  const { headers } = await logIn(server, 'bob');
  await server.post(`/history/user/${bob.user_id}/revert`, { rev: await revWithBoss(server, bob) }, { headers });
  expect((await server.get(`/api/user/${bob.user_id}`, asRoot)).document).toMatchObject({ email: emailOf('bob') });
  expect(await titles(server, '/api/doc', { ...headers })).toEqual([]);
});

describe('SIGNUP=verified', () => {
  let mailbox: Mailbox;
  let server: TestServer;
  beforeEach(async () => {
    mailbox = await openMailbox();
    server = await open({
      signup: 'verified',
      smtp: { url: mailbox.url },
      verify_url: 'https://app.example/verify?jwt=',
    });
  });
  afterEach(async () => {
    await server.close();
    await mailbox.close();
  });

  /** Ann, whose address is verified. */
  async function verifiedAnn(): Promise<Caller> {
    const ann = await logIn(server, 'ann');
    await setVerified(server, ann.user_id);
    return ann;
  }
  const ask = ({ headers }: Pick<Caller, 'headers'>, email: string, password = passwordOf('ann')) =>
    server.put('/login/email', { email, password }, { headers });
  const jwtOfLink = (): string => new URL(mailbox.link()).searchParams.get('jwt') ?? '';
  const verify = (jwt: string) => server.post('/login/verify', { jwt });
  const emailNow = async ({ user_id }: Caller): Promise<unknown> =>
    (await server.get(`/api/user/${user_id}`, asRoot)).document['email'];

  test('the old address stays until the link to the new one is opened', async () => {
    const ann = await verifiedAnn();
    const asked = await ask(ann, ' Boss@x.test ');
    expect([asked.status, asked.document]).toEqual([
      200,
      { email: emailOf('ann'), email_verified: true, requested: boss },
    ]);
    expect(await titles(server, '/api/doc', ann.headers)).toEqual(['for ann']);
    expect(mailbox.sentTo(boss)).toHaveLength(1);
    const { status, body } = await verify(jwtOfLink());
    expect(status).toBe(200);
    const headers = { authorization: `Bearer ${String(body['token'])}` };
    expect(await titles(server, '/api/doc', headers)).toEqual(['for the boss']);
    expect((await server.get(`/api/user/${ann.user_id}`, asRoot)).document).toMatchObject({
      email: boss,
      email_verified: true,
    });
    expect((await verify(jwtOfLink())).status).toBe(401);
    await until(() => mailbox.sentTo(emailOf('ann')).length === 1);
  });

  test.each<[string, (ann: Caller) => Promise<Answer>, number]>([
    ['a request for another address', (ann) => ask(ann, 'third@x.test'), 200],
    ['a request for the address that the user has', (ann) => ask(ann, emailOf('ann')), 200],
    ['a new password', changePassword, 200],
    [
      "an admin's change of the address",
      ({ user_id }) => server.put(`/api/user/${user_id}`, { email: 'x@x.test' }, asRoot),
      200,
    ],
    ['a deletion of the user', ({ user_id }) => server.remove(`/api/user/${user_id}`, asRoot), 200],
  ])('%s ends the link', async (_name, ends, status) => {
    const ann = await verifiedAnn();
    await ask(ann, boss);
    const jwt = jwtOfLink();
    expect((await ends(ann)).status).toBe(status);
    expect((await verify(jwt)).status).toBe(401);
    const { rows } = await server.get(`/api/user?filter[email]=${boss}`, asRoot);
    expect(rows).toEqual([]);
  });
  async function changePassword({ headers, password }: Caller): Promise<Answer> {
    return server.post('/login/password', { password, new_password: 'another password' }, { headers });
  }

  test('the link can be sent again, and an address that is taken meanwhile is a 409', async () => {
    const ann = await verifiedAnn();
    await ask(ann, boss);
    expect((await server.post('/login/verify/send', undefined, { headers: ann.headers })).status).toBe(200);
    expect(mailbox.sentTo(boss)).toHaveLength(2);
    expect((await server.post('/api/user', { email: boss, password: 'pw-boss-1' }, asRoot)).status).toBe(201);
    expect((await verify(jwtOfLink())).status).toBe(409);
    expect(await emailNow(ann)).toBe(emailOf('ann'));
    expect((await ask(ann, boss)).status).toBe(409);
    expect((await ask(ann, 'free@x.test', 'wrong')).status).toBe(401);
  });

  test('a request whose mail is refused changes nothing', async () => {
    const ann = await verifiedAnn();
    const again = () => server.post('/login/verify/send', undefined, { headers: ann.headers });
    mailbox.refused.add('nowhere@x.test');
    expect((await ask(ann, 'nowhere@x.test')).status).toBe(503);
    expect((await again()).status).toBe(409);
    await ask(ann, boss);
    expect((await ask(ann, 'nowhere@x.test')).status).toBe(503);
    expect((await again()).status).toBe(200);
    expect(mailbox.sentTo(boss)).toHaveLength(2);
    expect((await verify(jwtOfLink())).status).toBe(200);
    expect(await emailNow(ann)).toBe(boss);
  });

  test('of two links for one address one works, also at once', async () => {
    const ann = await verifiedAnn();
    await ask(ann, boss);
    const first = jwtOfLink();
    await ask(ann, boss);
    const replies = await Promise.all([verify(first), verify(jwtOfLink())]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('a recovery link to the old address does not prove the new one, nor the other way round', async () => {
    const ann = await verifiedAnn();
    await ask(ann, boss);
    const reset = await server.post('/login/reset', { jwt: jwtOfLink(), password: 'a new password' });
    expect([reset.status, await emailNow(ann)]).toEqual([401, emailOf('ann')]);
  });
});

test('without sign-up an address counts as it is', async () => {
  const server = await open({});
  const { headers } = await logIn(server, 'ann');
  expect(await titles(server, '/api/doc', headers)).toEqual(['for ann']);
});
