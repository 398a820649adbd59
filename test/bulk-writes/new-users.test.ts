/** Upserts of users by callers who may create users and change them: what each may set in a new user and in an existing one. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Answer, Document } from '../support/client.ts';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let callers: Callers<'root' | 'ann' | 'ed'>;

const user = `import { Schema } from 'mongoose';
export default new Schema(
  { name: String, email: { type: String, unique: true, sparse: true, alias: 'mail' }, password: String, admin: Boolean, groups: [String],
    first: { type: String, perms: { editors: 'cr' } }, later: { type: String, perms: { editors: 'ur' } } },
  { perms: { admin: 'crud', editors: 'cru', owner: 'ru' }, advanced_queries: { bulkwrite: true } },
);`;

beforeAll(async () => {
  server = await startServer({ models: { 'user.ts': user } });
  callers = await makeCallers(server, ['root', 'ann', 'ed']);
});
const users = () => server.dossier.services.connection.collection('users');
beforeEach(() => users().deleteMany({ name: 'new' }));

const upsert = (filter: Document, update: Document): Promise<Answer> =>
  server.post('/bulkwrite/user', [{ updateOne: { filter, update, upsert: true } }], callers.ed);
const email = 'new@x.test';
const hash = expect.stringMatching(/^\$2b\$04\$/);

describe('a new user has', () => {
  const rows: readonly (readonly [Document, Document, Document])[] = [
    [{ name: 'new' }, { $set: { email } }, { email }],
    [{ name: 'new' }, { email }, { email }],
    [{ name: 'new' }, { $set: { mail: email } }, { email }],
    [{ name: 'new' }, { $setOnInsert: { email } }, { email }],
    [{ name: 'new' }, { $setOnInsert: { email, password: 'pw-new-1' } }, { email, password: hash }],
    [{ name: 'new' }, { $set: { email, password: 'pw-new-1' } }, { email, password: hash }],
    [{ email }, { $set: { email, name: 'new' } }, { email }],
    [{ email: 'other@x.test' }, { $set: { email, name: 'new' } }, { email }],
    [{ email }, { $set: { name: 'new' } }, { email }],
    [{ name: 'new' }, { $set: { email, admin: true, groups: ['editors'] } }, { email, admin: undefined, groups: [] }],
    [{ name: 'new' }, { $setOnInsert: { email, first: 'f' } }, { email, first: 'f' }],
  ];
  test.each(rows)('%j %j: %j', async (filter, update, fields) => {
    expect(await upsert(filter, update)).toMatchObject({ status: 200, body: { data: { nUpserted: 1 } } });
    const { admin, groups, ...row } = (await users().findOne({ name: 'new' })) as Document;
    expect({ admin, groups, ...row }).toMatchObject({ admin: undefined, groups: [], ...fields });
  });

  test('the first password of an upsert signs the user in', async () => {
    await upsert({ name: 'new' }, { $set: { email, password: 'pw-new-1' } });
    expect((await server.post('/login', { email, password: 'pw-new-1' })).status).toBe(200);
  });
});

describe('an existing user keeps the email and the password', () => {
  test.each([
    [{ $set: { email, password: 'pw-taken-1', note: undefined, name: 'ann' } }],
    [{ $set: { mail: email } }],
    [{ $setOnInsert: { email, password: 'pw-taken-1' }, $set: { name: 'ann' } }],
  ] as readonly (readonly [Document])[])('%j', async (update) => {
    const { email, password } = (await users().findOne({ name: 'ann' })) as Document;
    expect(await upsert({ name: 'ann' }, update)).toMatchObject({
      status: 200,
      body: { data: { nMatched: 1, nUpserted: 0 } },
    });
    expect(await users().findOne({ name: 'ann' })).toMatchObject({ email, password });
  });
});

describe('letters of fields', () => {
  test.each([
    ['$setOnInsert needs c', { $setOnInsert: { email, later: 'x' } }, 403],
    ['$set of an upsert needs u', { $set: { email, first: 'x' } }, 403],
    ['$set needs c, where it creates', { $set: { email, later: 'x' } }, 403],
  ] as const)('%s', async (_, update, status) => {
    expect((await upsert({ name: 'new' }, update)).status).toBe(status);
    expect(await users().findOne({ name: 'new' })).toBeNull();
  });
});
