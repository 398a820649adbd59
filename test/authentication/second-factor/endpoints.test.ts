/** Setting up a second factor, changing it and switching it off: every request and how it fails. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { internalCollection, ObjectId } from '../../../src/models/mongoose.ts';
import { codeAt, type FactorWorld, openFactors, switchOn } from '../../support/fixtures/factors.ts';
import { basic, emailOf, logIn, passwordOf, type Person } from '../../support/fixtures/people.ts';

let world: FactorWorld;
beforeAll(async () => {
  world = await openFactors({ api_url: 'https://api.example/v1' });
});

const prepare = (headers: Readonly<Record<string, string>>, body: unknown) =>
  world.post('/login/mfa', body, { headers });
const confirm = (headers: Readonly<Record<string, string>>, body: unknown) =>
  world.put('/login/mfa', body, { headers });
const remove = (headers: Readonly<Record<string, string>>, body?: unknown, query = '') =>
  world.remove(`/login/mfa${query}`, { headers, ...(body === undefined ? {} : { body }) });
const account = async (person: Person) =>
  internalCollection(world.dossier.services.registry, '_account').findOne({ _id: new ObjectId(world.ids[person]) });
const used = 'the code or the ticket is not valid, has expired or has been used';
const needed = 'a second factor is needed';

describe('setting up', () => {
  test('a secret and its URL, then a code, then ten recovery codes', async () => {
    const { headers, password } = await logIn(world, 'ann');
    const prepared = await prepare(headers, { password });
    expect([prepared.status, prepared.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(Object.keys(prepared.body)).toEqual(['data']);
    const secret = String(prepared.document['secret']);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = new URL(String(prepared.document['otpauth_url']));
    expect(decodeURIComponent(url.pathname)).toBe('/api.example:ann@x.test');
    expect(url.searchParams.get('secret')).toBe(secret);

    // until it is confirmed nothing has changed
    expect((await world.passwordOnly('ann')).status).toBe(200);
    const again = (await logIn(world, 'ann')).headers;
    const on = await confirm(again, { code: codeAt(secret, world.clock.step()) });
    expect(on.status).toBe(200);
    const codes = on.document['recovery_codes'] as string[];
    expect(codes).toHaveLength(10);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/);
    expect((await world.get('/api/note', { headers: again })).status).toBe(200);
    expect((await world.passwordOnly('ann')).status).toBe(401);
    expect((await world.get('/api/user/' + String(world.ids['ann']), { headers: again })).text).not.toContain(secret);

    const stored = JSON.stringify(await account('ann'));
    for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(stored).not.toContain(text);
    expect(world.log.join('\n')).not.toContain(secret);
  });

  test('the code that confirmed it signs in nowhere', async () => {
    const { app } = await world.withFactor('bob');
    const ticket = await world.ticketOf('bob');
    expect((await world.code(ticket, codeAt(app.secret, world.clock.now))).status).toBe(401);
    expect((await world.code(ticket, app.fresh())).status).toBe(200);
  });

  test.each<[string, unknown]>([
    ['a wrong password', { password: 'wrong' }],
    ['a number', { password: 123456 }],
    ['an operator', { password: { $ne: null } }],
  ])('%s is 401', async (_name, body) => {
    const { headers } = await logIn(world, 'cat');
    const { status, body: answer } = await prepare(headers, body);
    expect([status, answer['err'], answer['ticket']]).toEqual([401, 'the email or the password is wrong', undefined]);
    expect((await account('cat'))?.['new_factor']).toBeUndefined();
  });

  test.each<[string, unknown, number]>([
    ['a wrong code', { code: 'wrong' }, 401],
    ['an empty code', { code: '' }, 401],
    ['a recovery code', { code: '0000-0000-0000-0000' }, 401],
    ['a long code', { code: '1'.repeat(10_000) }, 401],
    ['a number', { code: 123456 }, 400],
    ['an operator', { code: { $ne: null } }, 400],
    ['no code', {}, 400],
    ['nothing', undefined, 400],
  ])('it is not confirmed by %s', async (_name, body, status) => {
    const { headers, password } = await logIn(world, 'cat');
    await prepare(headers, { password });
    const { body: answer, ...refused } = await confirm(headers, body);
    expect([refused.status, answer['err']]).toEqual([status, status === 401 ? used : 'send the code as text']);
    expect((await world.passwordOnly('cat')).status).toBe(200);
  });

  test.each<[string, string, unknown]>(
    ['POST', 'DELETE'].flatMap((method) => [
      [method, 'no password', { code: '123456' }],
      [method, 'nothing', undefined],
      [method, 'a list', [passwordOf('cat')]],
    ]),
  )('%s with %s is 400', async (method, _name, body) => {
    const { headers } = await logIn(world, 'cat');
    const { status, body: answer } = await world.send(method, '/login/mfa', { headers, body });
    expect([status, answer['err']]).toEqual([400, 'send the password']);
  });

  test('only the newest secret is confirmed', async () => {
    const { headers, password } = await logIn(world, 'eve');
    const [first, second] = [await prepare(headers, { password }), await prepare(headers, { password })];
    const now = world.clock.step();
    expect((await confirm(headers, { code: codeAt(String(first.document['secret']), now) })).status).toBe(401);
    expect((await confirm(headers, { code: codeAt(String(second.document['secret']), now) })).status).toBe(200);
  });

  test('without a secret there is nothing to confirm', async () => {
    const { headers } = await logIn(world, 'dan');
    const { status, body } = await confirm(headers, { code: '123456' });
    expect([status, body['err']]).toEqual([409, 'there is no secret to confirm: POST /login/mfa first']);
  });

  test.each(['POST', 'PUT', 'DELETE'])('%s by an anonymous caller is 401', async (method) => {
    const body = { password: passwordOf('ann'), code: '123456' };
    expect((await world.send(method, '/login/mfa', { body })).status).toBe(401);
  });
});

describe('with a second factor on', () => {
  test('a new secret needs a code, and replaces the old one when it is confirmed', async () => {
    const { caller, app } = await world.withFactor('ed');
    const { headers, password } = caller;
    for (const [code, err] of [
      [undefined, needed],
      [app.wrong(), used],
      [123456, used],
      [{ $gt: '' }, used],
      [codeAt(app.secret, world.clock.now), used],
    ] as const) {
      const { status, body } = await prepare(headers, { password, code });
      expect([status, body['err'], body['ticket']]).toEqual([401, err, undefined]);
    }
    const code = app.fresh();
    // a wrong password does not use the code up
    expect((await prepare(headers, { password: 'wrong', code })).status).toBe(401);
    const next = await switchOn(world, caller, world.clock, { code });
    const ticket = await world.ticketOf('ed');
    expect((await world.code(ticket, app.fresh())).status).toBe(401);
    expect((await world.code(ticket, app.recovery[0])).status).toBe(401);
    expect((await world.code(ticket, next.fresh())).status).toBe(200);
  });

  test('a recovery code stands in for a code, once', async () => {
    const { caller, app } = await world.withFactor('dan');
    const [first = '', second = ''] = app.recovery;
    expect((await prepare(caller.headers, { password: caller.password, code: first })).status).toBe(200);
    expect((await prepare(caller.headers, { password: caller.password, code: first })).status).toBe(401);
    const ticket = await world.ticketOf('dan');
    expect((await world.code(ticket, first)).status).toBe(401);
    expect((await world.code(ticket, ` ${second.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(200);
    expect((await world.code(await world.ticketOf('dan'), second)).status).toBe(401);

    // of several codes with one ticket at once, only the one that signs in is used up
    const codes = app.recovery.slice(2, 6);
    const shared = await world.ticketOf('dan');
    const statuses = (await Promise.all(codes.map((code) => world.code(shared, code)))).map(({ status }) => status);
    expect([...statuses].sort()).toEqual([200, 401, 401, 401]);
    for (const [at, code] of codes.entries()) {
      const { status } = await world.code(await world.ticketOf('dan'), code);
      expect([at, status]).toEqual([at, statuses[at] === 200 ? 401 : 200]);
    }
  });

  test('it is switched off by password and code, and only so', async () => {
    const { caller, app } = await world.withFactor('cat');
    const { headers, password } = caller;
    for (const [body, err] of [
      [{ password: 'wrong', code: app.fresh() }, 'the email or the password is wrong'],
      [{ password }, needed],
      [{ password, code: app.wrong() }, used],
    ] as const) {
      const refused = await remove(headers, body);
      expect([refused.status, refused.body['err']]).toEqual([401, err]);
    }
    expect((await world.passwordOnly('cat')).status).toBe(401);
    expect((await remove(headers, { password, code: app.fresh() })).status).toBe(200);
    // the session stays valid, the password suffices, and nothing of the factor is kept
    expect((await world.get('/api/note', { headers })).status).toBe(200);
    expect((await account('cat'))?.['factor']).toBeUndefined();
    expect((await remove(headers, { password })).body).toMatchObject({ err: 'no second factor is switched on' });
    expect((await world.passwordOnly('cat')).status).toBe(200);
  });

  test('one code at 20 requests at once switches it off once', async () => {
    const { caller, app } = await world.withFactor('cat');
    const body = { password: caller.password, code: app.fresh() };
    const all = await Promise.all(Array.from({ length: 20 }, () => remove(caller.headers, body)));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    // 409: the factor was off already when the request arrived
    expect(all.every(({ status }) => [200, 401, 409].includes(status))).toBe(true);
  });

  test('one code at 20 requests at once switches it on once', async () => {
    const { headers, password } = await logIn(world, 'cat');
    const secret = String((await prepare(headers, { password })).document['secret']);
    const body = { code: codeAt(secret, world.clock.step()) };
    const all = await Promise.all(Array.from({ length: 20 }, () => confirm(headers, body)));
    const on = all.filter(({ status }) => status === 200);
    expect(on).toHaveLength(1);
    expect(all.every(({ status }) => [200, 401, 409].includes(status))).toBe(true);
    const [first] = on[0]?.document['recovery_codes'] as string[];
    expect((await world.code(await world.ticketOf('cat'), first)).status).toBe(200);
  });
});

describe('admins', () => {
  test('need password and code for their own', async () => {
    const { caller, app } = await world.withFactor('rita');
    const own = `?user=${caller.user_id}`;
    expect((await remove(caller.headers, undefined, own)).status).toBe(400);
    expect((await remove(caller.headers, { password: caller.password }, own)).status).toBe(401);
    const proof = { password: caller.password, code: app.fresh() };
    expect((await remove(caller.headers, proof, own)).status).toBe(200);
  });
});

describe('of users whom no other test has', () => {
  let own: FactorWorld;
  beforeAll(async () => {
    own = await openFactors({}, ['root', 'ann', 'bob', 'eve']);
  });

  test('an admin switches off the factor of another user, which ends the sessions of that user', async () => {
    const { caller, app } = await own.withFactor('ann');
    const jwt = await own.post('/login/getjwt', { email: emailOf('ann') }, { headers: caller.headers });
    const ticket = await own.ticketOf('ann');
    const headers = (await logIn(own, 'root')).headers;
    const of = (id: unknown) => own.remove(`/login/mfa?user=${String(id)}`, { headers });
    const others = `/login/mfa?user=${String(own.ids['ann'])}`;
    const bob = basic(emailOf('bob'), passwordOf('bob'));
    expect((await own.remove(others, { headers: bob, body: { password: passwordOf('bob') } })).status).toBe(403);
    expect((await own.remove(others)).status).toBe(401);
    expect((await of(own.ids['ann'])).status).toBe(200);
    expect((await own.get('/api/note', { headers: caller.headers })).status).toBe(401);
    expect((await own.get(`/api/note?jwt=${String(jwt.body['jwt'])}`)).status).toBe(401);
    expect((await own.get('/api/note', { headers: { 'x-api-key': caller.apikey } })).status).toBe(200);
    expect((await own.code(ticket, app.fresh())).status).toBe(401);
    expect((await own.passwordOnly('ann')).status).toBe(200);
    expect((await of(own.ids['ann'])).body).toMatchObject({ err: 'no second factor is switched on' });
    expect((await of(new ObjectId())).status).toBe(404);
    expect((await of('nonsense')).status).toBe(400);
    expect((await own.remove('/login/mfa?user[$ne]=x', { headers })).status).toBe(400);
  });

  test('a factor is deleted with its user, and does not apply to a later user with the same id', async () => {
    const { caller } = await own.withFactor('eve');
    const rows = internalCollection(own.dossier.services.registry, '_account');
    const _id = new ObjectId(caller.user_id);
    const kept = await rows.findOne({ _id });
    const headers = basic(emailOf('root'), passwordOf('root'));
    expect((await own.remove(`/api/user/${caller.user_id}?_permaDelete=1`, { headers })).status).toBe(200);
    expect(await rows.findOne({ _id })).toBeNull();
    // as after a deletion by another program, which leaves the account behind
    await rows.insertOne(kept ?? {});
    const user = [{ _id: caller.user_id, email: emailOf('eve'), password: passwordOf('eve') }];
    expect((await own.post('/setup/data', { user }, { headers })).status).toBe(200);
    expect((await own.passwordOnly('eve')).status).toBe(200);
  });
});
