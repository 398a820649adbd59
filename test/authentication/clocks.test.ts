/** Setting the clock back extends nothing. */
import { expect, test } from '@jest/globals';
import { modelOf, ObjectId } from '../../src/models/mongoose.ts';
import type { ServerOptions } from '../../src/server.ts';
import { openAccounts, type World } from '../support/fixtures/accounts/index.ts';
import { basic, bearer, emailOf, logIn, passwordOf } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';

const hour = 3_600_000;
let world: World;
let now = Date.now();
let passed = 0;
const open = async (options: ServerOptions = {}): Promise<void> => {
  world = await openAccounts({ clock: () => new Date(now), elapsed: () => passed, ...options }, ['ann']);
};

const internal = (name: string) => modelOf(world.dossier.services.registry.internal(name)).collection;
const read = async (headers: Readonly<Record<string, string>>): Promise<number> =>
  (await world.send('GET', '/api/note', { headers })).status;
const refresh = async (token: string): Promise<number> =>
  (await world.send('POST', '/refresh', { headers: bearer(token) })).status;

test('what another server has ended is not believed beyond the few seconds', async () => {
  await open();
  const { user_id, token } = await logIn(world, 'ann');
  const password = basic(emailOf('ann'), passwordOf('ann'));
  expect([await read(bearer(token)), await read(password)]).toEqual([200, 200]);
  now -= hour;
  const _id = new ObjectId(user_id);
  await internal('_session').deleteMany({ user_id: _id });
  await internal('user').updateOne({ _id }, { $unset: { password: 1 } });
  passed += 4001;
  expect([await read(bearer(token)), await read(password)]).toEqual([401, 401]);
});

test('a token ends at its time, though the belief in it would last', async () => {
  await open({ token_expiry: 1 });
  const { token } = await logIn(world, 'ann');
  expect(await read(bearer(token))).toBe(200);
  now += 1001;
  expect(await read(bearer(token))).toBe(401);
});

test('a refresh token that was used before the clock was set back is used up', async () => {
  await open({ refresh_grace: 10 });
  const { refresh_token } = await logIn(world, 'ann');
  expect([await refresh(refresh_token), await refresh(refresh_token)]).toEqual([200, 200]);
  now -= hour;
  expect(await refresh(refresh_token)).toBe(401);
});

test('the grace of a used refresh token ends while the clock stands still', async () => {
  await open({ refresh_grace: 1 });
  const { user_id, refresh_token } = await logIn(world, 'ann');
  expect([await refresh(refresh_token), await refresh(refresh_token)]).toEqual([200, 200]);
  await until(async () => {
    const session = await internal('_session').findOne({ user_id: new ObjectId(user_id) });
    return (session?.['used'] as unknown[]).length === 0;
  });
  expect(await refresh(refresh_token)).toBe(401);
});
