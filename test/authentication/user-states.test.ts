/** What admins see of users: when they were there last, and how they sign in. */
import { beforeAll, expect, test } from '@jest/globals';
import { internalCollection, ObjectId } from '../../src/models/mongoose.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

interface State {
  readonly id: string;
  readonly last_seen: string | null;
  readonly [name: string]: unknown;
}

let server: PeopledServer<'root' | 'eve' | 'ann'>;
let invited: string;
let begun: number;
beforeAll(async () => {
  begun = Date.now();
  server = await openPeople(['root', 'eve', 'ann'], {
    max_sessions: 5,
    throttle: { enabled: true, max: 10_000, login_max: 3 },
  });
  const made = await server.as('root', 'POST', '/api/user', { body: { email: 'new@x.test', name: 'new' } });
  invited = String(made.document['_id']);
});

const asked = async (query: string): Promise<{ data: readonly State[]; next_cursor?: string }> => {
  const { status, body, text } = await server.as('root', 'GET', `/users/states?${query}`);
  if (status !== 200) throw new Error(text);
  return body as unknown as { data: readonly State[]; next_cursor?: string };
};
const idOf = (name: 'root' | 'eve' | 'ann'): string => server.callers[name].user_id;
const one = async (id: string): Promise<State | undefined> => (await asked(`user=${id}`)).data[0];

test('admins alone read it, and it is not cached', async () => {
  for (const query of ['', `?user=${idOf('eve')}`]) {
    expect((await server.get(`/users/states${query}`)).status).toBe(401);
    expect((await server.as('eve', 'GET', `/users/states${query}`)).status).toBe(403);
  }
  expect((await server.as('root', 'GET', '/users/states')).headers.get('cache-control')).toContain('no-store');
});

test('users by their ids: who has signed in, and who has not', async () => {
  const { data } = await asked(`user=${idOf('eve')},${invited},${new ObjectId().toHexString()}`);
  expect(data).toEqual([
    {
      id: idOf('eve'),
      last_seen: expect.any(String),
      ...{ never_signed_in: false, unverified: false, factor: false, locked: false },
    },
    { id: invited, last_seen: null, never_signed_in: true, unverified: false, factor: false, locked: false },
  ]);
  expect(Date.parse(String(data[0]?.last_seen))).toBeGreaterThanOrEqual(begun);
});

test('the use of a key counts, and a session that has ended leaves the day', async () => {
  const { user_id: id } = server.callers.ann;
  const made = await server.as('ann', 'POST', '/login/keys', { body: { name: 'a key' } });
  expect(made.status).toBe(201);
  expect((await server.as('ann', 'GET', '/login/logout')).status).toBe(200);
  const left = await one(id);
  expect([left?.last_seen === null, left?.['never_signed_in']]).toEqual([false, false]);
  const accounts = internalCollection(server.dossier.services.registry, '_account');
  await accounts.updateOne({ _id: new ObjectId(id) }, { $set: { addresses: [] } });
  expect((await one(id))?.last_seen).toBeNull();
  const key = String(made.document['key']);
  expect((await server.get('/me', { headers: { 'x-api-key': key } })).status).toBe(200);
  expect(Date.parse(String((await one(id))?.last_seen))).toBeGreaterThanOrEqual(begun);
});

test('a state selects users, in pages', async () => {
  const accounts = internalCollection(server.dossier.services.registry, '_account');
  await accounts.updateOne({ _id: new ObjectId(idOf('eve')) }, { $set: { factor: { step: 0 } } });
  expect((await asked('status=never_signed_in')).data.map(({ id }) => id)).toEqual([invited]);
  expect((await asked('status=factor')).data.map(({ id }) => id)).toEqual([idOf('eve')]);
  const walked: string[] = [];
  let after = '';
  do {
    const page = await asked(`limit=1${after}`);
    walked.push(...page.data.map(({ id }) => id));
    after = page.next_cursor === undefined ? '' : `&after=${page.next_cursor}`;
  } while (after !== '');
  expect(walked).toEqual([...[idOf('root'), idOf('eve'), idOf('ann'), invited]].sort());
  await accounts.updateOne({ _id: new ObjectId(idOf('eve')) }, { $unset: { factor: '' } });
});

test('an account is locked after too many wrong passwords', async () => {
  const wrong = { email: 'eve@x.test', password: 'wrong' };
  for (let tries = 0; tries < 4; tries++) await server.post('/login', wrong);
  expect(await one(idOf('eve'))).toMatchObject({ locked: true });
  expect((await asked('status=locked')).data.map(({ id }) => id)).toEqual([idOf('eve')]);
});

test.each([
  ['user=x', /user/],
  [`user=${Array.from({ length: 101 }, () => new ObjectId().toHexString()).join()}`, /at most 100 ids, got 101/],
  ['status=asleep', /must be one of never_signed_in, unverified, factor, no_factor, locked, got "asleep"/],
  ['status=locked&user=0123456789abcdef01234567', /not accepted together with user/],
  ['limit=0', /limit/],
  ['after=x', /after/],
])('%s is refused', async (query, message) => {
  const { status, body } = await server.as('root', 'GET', `/users/states?${query}`);
  expect([status, String(body['err'])]).toEqual([400, expect.stringMatching(message)]);
});
