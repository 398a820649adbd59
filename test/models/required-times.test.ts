/** Times that a schema requires are set before validation, in every way of making a user or another document. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWithoutUsers } from '../support/fixtures/accounts/index.ts';
import { emailOf, makeRoot, rootBasic } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { openProvider, type Provider } from '../support/provider.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { oneProvider, outcomeOf } from '../support/trip.ts';
import { until } from '../support/waiting.ts';

const time = '{ type: Date, required: true }';
/** A user model that requires its times, which is created by one command, or saved because of its middleware. */
const user = (more: string): string => `export default ({ Schema }) => {
  const schema = new Schema(
    { nick: String, createdAt: ${time}, updatedAt: ${time}, joined: ${time} },
    { timestamps: { createdAt: 'joined' }, perms: { admin: 'crud', owner: 'ru' }, advanced_queries: { bulkwrite: true } });
  ${more}
  return schema;
};`;
const models = {
  'created by one command': { 'user.ts': user('') },
  'saved with middleware': { 'user.ts': user("schema.pre('save', () => undefined);") },
};

let provider: Provider;
let mailbox: Mailbox;
beforeAll(async () => {
  provider = await openProvider();
  mailbox = await openMailbox();
});
afterAll(async () => {
  await provider.close();
  await mailbox.close();
});

const asRoot = { headers: rootBasic };
const email = 'new@x.test';
const password = 'a long password';
type Way = (server: TestServer) => Promise<unknown>;
const bulk =
  (operation: object): Way =>
  ({ post }) =>
    post('/bulkwrite/user', [operation], asRoot);

/** The ways of making a user. */
const ways: Readonly<Record<string, Way>> = {
  'POST /api/user': ({ post }) => post('/api/user', { email, password }, asRoot),
  'PUT /api/user': ({ put }) => put('/api/user?on=email', { email, password }, asRoot),
  insertOne: bulk({ insertOne: { document: { email } } }),
  'an upsert of /bulkwrite': bulk({ updateOne: { filter: { email }, update: { nick: 'n' }, upsert: true } }),
  replaceOne: bulk({ replaceOne: { filter: { email }, replacement: { email }, upsert: true } }),
  '/setup/data': ({ post }) => post('/setup/data', { user: [{ email, password }] }, asRoot),
  '/signup': async ({ post }) => {
    await post('/signup', { email, password });
    await until(() => mailbox.sentTo(email).length > 0);
  },
  'a provider': (server) => outcomeOf(server, provider, { sub: `n${server.url}`, email, email_verified: true }),
  'the operator': ({ dossier }) =>
    dossier.services.apis.operator('command line').model('user').create({ email, password, admin: false }),
  invitation: async ({ post }) => {
    await post('/api/user', { email }, asRoot);
    await post('/login/recover', { email }, asRoot);
  },
};

describe.each(Object.entries(models))('a user model that is %s', (_kind, files) => {
  test.each(Object.entries(ways))('%s sets the times that it requires', async (_name, way) => {
    mailbox.letters.length = 0;
    const server = await openWithoutUsers({
      ...{ models: files, signup: 'verified', smtp: { url: mailbox.url }, oauth: oneProvider(provider) },
      ...{ api_url: 'https://api.example/v1', verify_url: 'https://app.example/v?jwt=' },
      password_recovery_url: 'https://app.example/r?jwt=',
    });
    // by /setup
    await makeRoot(server);
    const done = await way(server);
    const { rows } = await server.get('/api/user?sort=email', asRoot);
    expect([done, rows.map((row) => row['email'])]).toEqual([done, [email, emailOf('root')]]);
    for (const row of rows)
      for (const name of ['createdAt', 'updatedAt', 'joined'])
        expect(Date.parse(String(row[name]))).toBeGreaterThan(Date.now() - 600_000);
    await server.close();
  });

  test('the first admin of the settings has them', async () => {
    const server = await startServer({ models: files, admin: { email: emailOf('root'), password: 'pw-root-1' } });
    expect((await server.get('/api/user', asRoot)).rows).toHaveLength(1);
  });
});

test('a time that a caller gives to setup data stays', async () => {
  const server = await openWithoutUsers({ models: models['saved with middleware'] });
  await makeRoot(server);
  const createdAt = '2001-02-03T04:05:06.000Z';
  await server.post('/setup/data', { user: [{ email, password, createdAt }] }, asRoot);
  const { rows } = await server.get(`/api/user?filter[email]=${email}`, asRoot);
  expect(rows).toEqual([expect.objectContaining({ createdAt, joined: createdAt })]);
});
