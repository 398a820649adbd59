/** A server without a feature, on the database of one that has had it: what is stored gives no access. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open as openStore } from 'dossier-store';
import type { ServerOptions } from '../../src/server.ts';
import { features } from '../../src/features/index.ts';
import { byKey, type MadeKey, makeKey } from '../support/fixtures/keys.ts';
import { bearer, logIn, makeUsers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { secret } from '../support/workers.ts';

const models = {
  'note.js': `const { Schema } = require('mongoose');
    module.exports = new Schema({ title: String }, { perms: { user: 'r' } });`,
};

let store: Awaited<ReturnType<typeof openStore>>;
let whole: TestServer;
beforeAll(async () => {
  store = await openStore({});
  whole = await startServer({ models, ...shared() });
  await makeUsers(whole);
});
afterAll(async () => {
  await whole.close();
  await store.close();
});

const shared = (): ServerOptions => ({ mongodb_url: store.url, shared_secret: secret });
const openWithout = (left: string, options: ServerOptions = {}): Promise<TestServer> =>
  startServer({ models, ...shared(), ...options, features: features.filter(({ name }) => name !== left) });

describe('without named keys', () => {
  let made: MadeKey;
  let server: TestServer;
  const maximum = 5;
  beforeAll(async () => {
    made = await makeKey(whole, { headers: bearer((await logIn(whole, 'ann')).token) });
    expect((await whole.get('/api/note', made)).status).toBe(200);
    server = await openWithout('keys', { throttle: { enabled: true, max: 100_000, login_max: maximum } });
  });
  afterAll(() => server.close());

  test('one is an unknown key', async () => {
    const answer = await server.get('/api/note', made);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual((await server.get('/api/note', { headers: byKey('dk_unknown') })).body);
  });

  test('each use counts as a guess, so that further ones are refused', async () => {
    for (let used = 1; used < maximum; used++) await server.get('/api/note', made);
    expect((await server.get('/api/note', made)).status).toBe(429);
  });

  test('it is no bearer token either, where keys are ones', () => {
    expect(server.dossier.services.auth.isKey(made.key)).toBe(false);
    expect(whole.dossier.services.auth.isKey(made.key)).toBe(true);
  });
});
