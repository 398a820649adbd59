/** Emails of users: which values are valid, how users change their own, what a change ends, and which are verified. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { modelOf, ObjectId } from '../../src/models/mongoose.ts';
import { readSettings } from '../../src/settings/read.ts';
import type { Answer } from '../support/client.ts';
import { openAccounts, openWithoutUsers, ownUser, type World } from '../support/fixtures/accounts/index.ts';
import { makeKey } from '../support/fixtures/keys.ts';
import { basic, bearer, emailOf, type Login, logIn, passwordOf } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { openProvider, type Provider } from '../support/provider.ts';
import type { TestServer } from '../support/server.ts';
import { oneProvider, outcomeOf } from '../support/trip.ts';
import { until } from '../support/waiting.ts';

const page = 'https://app.example/reset?jwt=';
let provider: Provider;
let mailbox: Mailbox;
let world: World;
beforeAll(async () => {
  provider = await openProvider();
  mailbox = await openMailbox();
  world = await openAccounts({
    models: ownUser,
    api_url: 'https://api.example/v1',
    oauth: oneProvider(provider),
    smtp: { url: mailbox.url, from: 'Dossier <dossier@app.example>' },
    password_recovery_url: page,
  });
});
afterAll(async () => {
  await mailbox.close();
  await provider.close();
});

const root = (): Readonly<Record<string, string>> => basic(emailOf('root'), passwordOf('root'));
const asRoot = (method: string, path: string, body?: unknown) => world.send(method, path, { headers: root(), body });
const errorAt = ({ body }: Answer): unknown => (body['errors'] as { path: string; kind: string }[] | undefined)?.[0];
const stored = async (email: string) =>
  (await modelOf(world.dossier.services.registry.internal('user')).collection.findOne({ email })) as Record<
    string,
    unknown
  > | null;

/** A new user, whose email an admin has verified unless `more` differs. */
async function newUser(
  name: string,
  more: object = { email_verified: true },
): Promise<Login & { headers: Record<string, string> }> {
  const made = { email: emailOf(name), password: passwordOf(name), ...more };
  expect((await asRoot('POST', '/api/user', made)).status).toBe(201);
  const login = await logIn(world, name);
  return { ...login, headers: { ...bearer(login.token) } };
}

/** Those who may change users, and are no admins: an editor, and a key of an admin with the letter for users. */
const changers: readonly [string, string, () => Promise<Readonly<Record<string, string>>>][] = [
  ['an editor', 'target1', () => Promise.resolve(basic(emailOf('ed'), passwordOf('ed')))],
  [
    "an admin's key with scopes",
    'target2',
    async () => (await makeKey(world, { headers: root() }, { scopes: { user: 'cru' } })).headers,
  ],
];

test.each(changers)(
  '%s does not change the email of another user, which stays verified',
  async (_who, name, headersOf) => {
    const email = 'mine@x.test';
    const { user_id } = await newUser(name);
    const headers = await headersOf();
    const filter = { email: emailOf(name) };
    const path = `/api/user/${user_id}`;
    const patch = 'application/json-patch+json';
    const merge = 'application/merge-patch+json';
    for (const [method, address, body, type = 'application/json'] of [
      ['PUT', path, { email }],
      ['PUT', `/update/user/${user_id}`, { email, email_verified: true }],
      ['PUT', '/api/user?on=email', { ...filter, email_verified: false }],
      ['PATCH', path, { email }],
      ['PATCH', path, { email }, merge],
      ['PATCH', path, [{ op: 'replace', path: '/email', value: email }], patch],
      ['PATCH', path, { $set: { email } }],
      ['POST', '/bulkwrite/user', [{ updateOne: { filter, update: { $set: { email } } } }]],
      ['POST', '/bulkwrite/user', [{ replaceOne: { filter, replacement: { email, email_verified: false } } }]],
    ] as const) {
      const { status } = await world.send(method, address, { headers: { ...headers, 'content-type': type }, body });
      expect({ method, address, body, status }).toEqual({ method, address, body, status: 200 });
      expect(await stored(emailOf(name))).toMatchObject({ _id: new ObjectId(user_id), email_verified: true });
    }
  },
);

const bad: readonly [string, unknown][] = [
  ['no address', 'nobody'],
  ['two addresses', 'a@x.test,b@x.test'],
  ['a list', ['a@x.test', 'b@x.test']],
  ['two at signs', 'a@b@x.test'],
  ['a display name', 'Ann <ann@x.test>'],
  ['a quoted name', '"ann"@x.test'],
  ['a comment', 'ann(root)@x.test'],
  ['a group', 'all:a@x.test;'],
  ['a line break', 'ann@x.test\r\nBcc: eve@x.test'],
  ['a NUL', 'ann\u0000@x.test'],
  ['a zero-width space', 'ann\u200b@x.test'],
  ['a right-to-left override', 'ann\u202e@x.test'],
  ['a soft hyphen', 'ann\u00ad@x.test'],
  ['a byte order mark inside', 'a\ufeffnn@x.test'],
  ['a space', 'an n@x.test'],
  ['an empty label', 'ann@x..test'],
  ['an object', { $ne: 1 }],
  ['255 characters', `${'a'.repeat(250)}@x.te`],
];

const bulk = (operation: object): Promise<Answer> => asRoot('POST', '/bulkwrite/user', [operation]);
const bob = { email: emailOf('bob') };
const nobody = { nick: 'nobody' };
/** How a user is written with an email. */
const ways: Readonly<Record<string, (email: unknown) => Promise<Answer>>> = {
  own: (email) => world.send('PUT', '/login/email', { headers: root(), body: { email, password: passwordOf('root') } }),
  post: (email) => asRoot('POST', '/api/user', { email, password: 'p' }),
  put: (email) => asRoot('PUT', `/api/user/${world.ids['bob'] ?? ''}`, { email }),
  update: (email) => asRoot('PUT', `/update/user/${world.ids['bob'] ?? ''}`, { email }),
  updateOne: (email) => bulk({ updateOne: { filter: bob, update: { email } } }),
  updateMany: (email) => bulk({ updateMany: { filter: bob, update: { $set: { email } } } }),
  upsert: (email) => bulk({ updateOne: { filter: nobody, update: { $set: { email } }, upsert: true } }),
  onInsert: (email) => bulk({ updateOne: { filter: nobody, update: { $setOnInsert: { email } }, upsert: true } }),
  replaceOne: (email) => bulk({ replaceOne: { filter: bob, replacement: { email } } }),
  insertOne: (email) => bulk({ insertOne: { document: { email } } }),
  setupData: (email) => asRoot('POST', '/setup/data', { user: [{ email, password: 'p' }] }),
};
/** Each way is tried with every kind of value: what is no text, a text without an address, and every third of the other texts. */
const waysFor = (at: number, email: unknown): readonly string[] =>
  Object.keys(ways).filter(
    (way, nth) => typeof email !== 'string' || at === 0 || way === 'own' || (at + nth) % 3 === 0,
  );

describe.each(bad.map(([what, email], at) => [what, email, at] as const))('%s is no email', (what, email, at) => {
  test('wherever a user is written', async () => {
    const replies: Record<string, Answer> = {};
    for (const way of waysFor(at, email)) replies[way] = (await ways[way]?.(email)) as Answer;
    const statuses = Object.fromEntries(Object.entries(replies).map(([way, { status }]) => [way, status]));
    expect(statuses).toEqual(Object.fromEntries(waysFor(at, email).map((way) => [way, 400])));
    expect(errorAt(replies['own'] as Answer)).toMatchObject({ path: 'email', kind: 'email' });
    expect(await stored(emailOf('bob'))).not.toBeNull();
    const profile = { sub: `odd ${what}`, email, email_verified: true };
    expect(await outcomeOf(world, provider, profile)).toBe('email_missing');
  });
});

describe('for the first admin', () => {
  // none of the requests succeeds, so that it stays without users
  let empty: TestServer;
  beforeAll(async () => {
    empty = await openWithoutUsers();
  });

  test.each(bad)('%s is no email either', async (_what, email) => {
    expect((await empty.send('POST', '/setup', { body: { email, password: 'p' } })).status).toBe(400);
    expect(
      (await empty.send('POST', '/setup/data', { body: { user: [{ email, password: 'p', admin: true }] } })).status,
    ).toBe(400);
    if (typeof email === 'string') expect(() => readSettings({ ADMIN_EMAIL: email })).toThrow('ADMIN_EMAIL');
  });
});

test('no operator but $set writes an email', async () => {
  const filter = { email: emailOf('bob') };
  for (const update of [{ $min: { email: 'a,b@x' } }, { $rename: { nick: 'email' } }, { $unset: { email: 1 } }])
    expect((await asRoot('POST', '/bulkwrite/user', [{ updateOne: { filter, update } }])).status).toBe(400);
});

test('an address with a tag, of a sub-domain or in other letters is one', async () => {
  for (const email of ['ann+tag@x.test', "o'neil@mail.x.test", 'jürgen@bücher.test', 'root@localhost'])
    expect((await asRoot('POST', '/api/user', { email, password: 'p' })).status).toBe(201);
});

describe('one’s own password and email', () => {
  const own = { password: '/login/password', email: '/login/email' } as const;
  const valueOf = { password: 'other', email: 'other@x.test' } as const;
  test.each(['ann', 'root'])('of %s are a 400 by any other write, which names where', async (who) => {
    const headers = basic(emailOf(who), passwordOf(who));
    const id = world.ids[who] ?? '';
    for (const name of ['password', 'email'] as const) {
      const update = { [name]: valueOf[name] };
      const many = who === 'root' ? [{ updateMany: { filter: { admin: true }, update } }] : [];
      const sent: [string, string, unknown][] = [
        ['PUT', `/api/user/${id}`, update],
        ['PUT', `/api/user/${id.toUpperCase()}`, { nick: 'n', ...update }],
        ['PUT', `/update/user/${id}`, update],
        ['POST', `/update/user/${id}`, update],
        ...[
          { updateOne: { filter: { email: emailOf(who) }, update: { $set: update } } },
          { updateOne: { filter: { _id: id }, update } },
          { replaceOne: { filter: { _id: id }, replacement: { email: 'other@x.test', ...update } } },
          ...many,
        ].map((operation): [string, string, unknown] => ['POST', '/bulkwrite/user', [operation]]),
      ];
      for (const [method, path, body] of sent) {
        const reply = await world.send(method, path, { headers, body });
        expect({ method, path, body, status: reply.status }).toEqual({ method, path, body, status: 400 });
        expect(reply.text).toMatch(/\/login\/(password|email)/);
        if (!reply.text.includes('replaceOne') && path !== '/bulkwrite/user') expect(reply.text).toContain(own[name]);
      }
    }
    expect((await world.send('GET', `/api/user/${id}`, { headers })).body['data']).toMatchObject({
      email: emailOf(who),
    });
  });

  test('an operation before it cannot make a filter fit', async () => {
    const headers = basic(emailOf('ann'), passwordOf('ann'));
    const body = [
      { updateOne: { filter: { _id: world.ids['ann'] }, update: { nick: 'fits' } } },
      { updateOne: { filter: { nick: 'fits' }, update: { email: 'other@x.test' } } },
    ];
    const reply = await world.send('POST', '/bulkwrite/user', { headers, body });
    expect(reply.body['data']).toMatchObject({ nMatched: 1 });
    expect(await stored('other@x.test')).toBeNull();
  });

  test('a document that is sent back whole, with the email as it is, is no change of it', async () => {
    const headers = basic(emailOf('ann'), passwordOf('ann'));
    const path = `/api/user/${world.ids['ann'] ?? ''}`;
    const { body } = await world.send('GET', path, { headers });
    const sent = { ...(body['data'] as object), email: ' ANN@x.test ', nick: 'whole' };
    const reply = await world.send('PUT', path, { headers, body: sent });
    expect(reply.body['data']).toMatchObject({ email: 'ann@x.test', nick: 'whole', email_verified: false });
  });
});

describe('PUT /login/email', () => {
  const change = (headers: Readonly<Record<string, string>>, email: unknown, password: unknown) =>
    world.send('PUT', '/login/email', { headers, body: { email, password } });

  test('sets the email for the right password, ends no session, and notifies the old address', async () => {
    const { headers, apikey, user_id } = await newUser('mover');
    expect((await world.send('POST', '/login/recover', { body: { email: emailOf('mover') } })).status).toBe(200);
    const link = mailbox.link().slice(page.length);
    const before = mailbox.sentTo(emailOf('mover')).length;
    const reply = await change(headers, ' Moved@X.test ', passwordOf('mover'));
    expect([reply.status, reply.body['data']]).toEqual([200, { email: 'moved@x.test', email_verified: false }]);
    for (const credential of [headers, { 'x-api-key': apikey }])
      expect((await world.send('GET', '/api/note', { headers: credential })).status).toBe(200);
    const login = async (email: string): Promise<unknown> =>
      (await world.send('POST', '/login', { body: { email, password: passwordOf('mover') } })).body['user_id'];
    expect([await login('moved@x.test'), await login(emailOf('mover'))]).toEqual([user_id, undefined]);
    await until(() => mailbox.sentTo(emailOf('mover')).length > before);
    expect(mailbox.sentTo(emailOf('mover')).at(-1)?.raw).not.toContain('moved@x.test');
    const late = await world.send('POST', '/login/reset', { body: { jwt: link, password: 'by the old link' } });
    expect(late.status).toBe(401);
    // the same again changes nothing, and sends no mail
    expect((await change({ 'x-api-key': apikey }, 'moved@x.test', passwordOf('mover'))).status).toBe(200);
    expect([mailbox.sentTo(emailOf('mover')).length, mailbox.sentTo('moved@x.test').length]).toEqual([before + 1, 0]);
  });

  test('is refused without the password, for an email that is taken, and for anonymous callers', async () => {
    const { headers } = await newUser('stayer');
    expect((await change(headers, 'new@x.test', 'wrong')).status).toBe(401);
    expect((await change(headers, 'new@x.test', undefined)).status).toBe(401);
    expect((await change({}, 'new@x.test', passwordOf('stayer'))).status).toBe(401);
    const taken = await change(headers, emailOf('bob').toUpperCase(), passwordOf('stayer'));
    expect([taken.status, errorAt(taken)]).toEqual([
      409,
      { path: 'email', kind: 'unique', message: 'email must be unique' },
    ]);
    expect(await stored(emailOf('stayer'))).toMatchObject({ email_verified: true });
  });

  test('of two who take one address at once, one gets it', async () => {
    const [a, b] = [await newUser('racer1'), await newUser('racer2')];
    const replies = await Promise.all([
      change(a.headers, 'prize@x.test', passwordOf('racer1')),
      change(b.headers, 'prize@x.test', passwordOf('racer2')),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test.each([
    ['other addresses', ['one@x.test', 'two@x.test', 'three@x.test']],
    ['one address', ['same@x.test', 'same@x.test', 'same@x.test']],
    ['an address that is taken', ['free@x.test', emailOf('bob'), emailOf('bob')]],
  ])('of one user at once to %s, one succeeds and the others are a 409', async (what, emails) => {
    const name = what.replaceAll(' ', '-');
    const { headers, user_id } = await newUser(name);
    const replies = await Promise.all(emails.map((email) => change(headers, email, passwordOf(name))));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    const email = replies.flatMap(({ body }) => (body['data'] as { email: string } | undefined)?.email ?? []);
    expect((await asRoot('GET', `/api/user/${user_id}`)).body['data']).toMatchObject({ email: email[0] });
  });

  test('a link for the old address dies by an admin’s change too', async () => {
    const { user_id } = await newUser('moved-by-admin');
    expect((await world.send('POST', '/login/recover', { body: { email: emailOf('moved-by-admin') } })).status).toBe(
      200,
    );
    const jwt = mailbox.link().slice(page.length);
    expect((await asRoot('PUT', `/api/user/${user_id}`, { email: 'elsewhere@x.test' })).status).toBe(200);
    expect((await world.send('POST', '/login/reset', { body: { jwt, password: 'n' } })).status).toBe(401);
  });
});

test('a mail server that refuses does not fail PUT /login/email, and wrong passwords count as failed logins', async () => {
  const refusing = await openMailbox('refuses');
  const options = { smtp: { url: refusing.url }, throttle: { enabled: true, max: 100_000, login_max: 3 } };
  const other = await openAccounts(options);
  const headers = (await logIn(other, 'ann')).headers;
  const change = (email: string, password: string) =>
    other.send('PUT', '/login/email', { headers, body: { email, password } });
  expect((await change('new-ann@x.test', passwordOf('ann'))).status).toBe(200);
  await until(() => other.log.some((line) => line.includes('Your email address was changed')));
  const statuses: number[] = [];
  for (let n = 0; n < 4; n++) statuses.push((await change('newer@x.test', `wrong ${n}`)).status);
  expect(statuses).toEqual([401, 401, 401, 429]);
  await other.close();
  await refusing.close();
});

describe('email_verified', () => {
  const isVerified = async (name: string): Promise<unknown> => (await stored(emailOf(name)))?.['email_verified'];
  const theft = (sub: string, name: string): Promise<string> =>
    outcomeOf(world, provider, { sub, email: emailOf(name), email_verified: true });

  test('is false for new users, and users cannot set their own by any endpoint', async () => {
    const { headers, user_id } = await newUser('hopeful', {});
    const update = { email_verified: true };
    const filter = { email: emailOf('hopeful') };
    const replacement = { email: emailOf('hopeful'), ...update };
    for (const [method, path, body] of [
      ['PUT', `/api/user/${user_id}`, update],
      ['PUT', `/update/user/${user_id}`, update],
      ['POST', '/bulkwrite/user', [{ updateOne: { filter, update } }]],
      ['POST', '/bulkwrite/user', [{ updateOne: { filter, update: { $set: update } } }]],
      ['POST', '/bulkwrite/user', [{ updateOne: { filter, update: { $max: update } } }]],
      ['POST', '/bulkwrite/user', [{ updateOne: { filter, update: { $rename: { nick: 'email_verified' } } } }]],
      ['POST', '/bulkwrite/user', [{ replaceOne: { filter, replacement } }]],
    ] as const)
      expect([200, 400]).toContain((await world.send(method, path, { headers, body })).status);
    expect(await isVerified('hopeful')).toBe(false);
    expect(await theft('hopeful', 'hopeful')).toBe('email_taken');
    expect((await asRoot('PUT', `/api/user/${world.ids['root'] ?? ''}`, update)).status).toBe(400);
    expect((await asRoot('POST', '/bulkwrite/user', [{ updateMany: { filter: {}, update } }])).status).toBe(400);
    expect(await isVerified('root')).toBe(false);
  });

  test('is set by an admin and by a recovery, and is what find_by_email asks for', async () => {
    const { user_id } = await newUser('asked', {});
    expect(await theft('asked1', 'asked')).toBe('email_taken');
    expect((await world.send('POST', '/login/recover', { body: { email: emailOf('asked') } })).status).toBe(200);
    const jwt = mailbox.link().slice(page.length);
    expect((await world.send('POST', '/login/reset', { body: { jwt, password: 'recovered' } })).status).toBe(200);
    expect(await isVerified('asked')).toBe(true);
    expect(await theft('asked2', 'asked')).toBe(user_id);
    const { user_id: other } = await newUser('vouched', {});
    expect((await asRoot('PUT', `/api/user/${other}`, { email_verified: true })).status).toBe(200);
    expect(await theft('vouched', 'vouched')).toBe(other);
  });

  test('is set by a provider that asserts it, for the address that the user has', async () => {
    const silent = { sub: 'says', email: emailOf('says') };
    const id = await outcomeOf(world, provider, silent);
    expect(await isVerified('says')).toBe(false);
    expect(await outcomeOf(world, provider, { ...silent, email: emailOf('other'), email_verified: true })).toBe(id);
    expect(await isVerified('says')).toBe(false);
    expect(await outcomeOf(world, provider, { ...silent, email_verified: true })).toBe(id);
    expect(await isVerified('says')).toBe(true);
    await outcomeOf(world, provider, { sub: 'sure', email: emailOf('sure'), email_verified: true });
    expect(await isVerified('sure')).toBe(true);
  });

  const ways: readonly [string, (id: string, from: string, to: string) => Promise<Answer>][] = [
    ['PUT', (id, _from, email) => asRoot('PUT', `/api/user/${id}`, { email })],
    ['/update', (id, _from, email) => asRoot('PUT', `/update/user/${id}`, { email })],
    [
      'a bulk update',
      (_id, from, email) =>
        asRoot('POST', '/bulkwrite/user', [{ updateOne: { filter: { email: from }, update: { email } } }]),
    ],
    [
      'a bulk replacement',
      (_id, from, email) =>
        asRoot('POST', '/bulkwrite/user', [{ replaceOne: { filter: { email: from }, replacement: { email } } }]),
    ],
    ['a function of a model', (_id, from, to) => asRoot('POST', '/call/book/renameUser', { from, to })],
  ];
  test.each(ways)('%s clears it with another email', async (way, change) => {
    const at = ways.findIndex(([name]) => name === way);
    const { user_id } = await newUser(`changer${at}`);
    expect((await change(user_id, emailOf(`changer${at}`), `changed${at}@x.test`)).status).toBe(200);
    expect((await stored(`changed${at}@x.test`))?.['email_verified']).toBe(false);
    expect(await theft(`changed${at}`, `changed${at}`)).toBe('email_taken');
  });

  test.each(['/api', '/update'])('an admin keeps or gives it by %s', async (endpoint) => {
    const name = `kept${endpoint.length}`;
    const { user_id } = await newUser(name);
    const path = `${endpoint}/user/${user_id}`;
    expect((await asRoot('PUT', path, { email: emailOf(name).toUpperCase(), nick: 'n' })).status).toBe(200);
    expect(await isVerified(name)).toBe(true);
    expect((await asRoot('PUT', path, { email: `x-${emailOf(name)}`, email_verified: true })).status).toBe(200);
    expect(await isVerified(`x-${name}`)).toBe(true);
  });

  test('of users from before it was kept, nothing is known: they are not taken over', async () => {
    const { user_id } = await newUser('old', {});
    const users = modelOf(world.dossier.services.registry.internal('user')).collection;
    await users.updateOne({ email: emailOf('old') }, { $unset: { email_verified: 1, _incarnation: 1 } });
    expect(await theft('old', 'old')).toBe('email_taken');
    expect((await logIn(world, 'old')).user_id).toBe(user_id);
  });
});
