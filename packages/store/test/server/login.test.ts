/** Authentication at a shared store: with the driver and Mongoose, and message by message as a hostile client. */
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Binary, type Document } from 'bson';
import { MongoClient } from 'mongodb';
import mongoose from 'mongoose';
import { commands } from '../../src/commands/index.ts';
import { open, type OpenStore } from '../../src/index.ts';
import { commandMessage, RawConnection } from './raw.ts';

const user = 'ann';
const password = 'p:w/@ %&?# of ann';
const hasIPv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1');
const allowed = ['hello', 'isMaster', 'ping', 'buildInfo', 'saslStart', 'saslContinue'];

let store: OpenStore;
beforeAll(async () => {
  store = await open({ sharing: { port: 0, hosts: ['127.0.0.1', '::1'], user, password } });
});
afterAll(() => store.close());

const portOf = (): number => (store.address.kind === 'loopback' ? store.address.port : 0);

/** A connection string of the store with an account. */
const urlWith = (name: string, secret: string, rest = '?authSource=admin', host = '127.0.0.1'): string =>
  `mongodb://${encodeURIComponent(name)}:${encodeURIComponent(secret)}@${host}:${portOf()}/${rest}`;

async function visit<T>(url: string, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 3000 });
  try {
    return await work(await client.connect());
  } finally {
    await client.close();
  }
}

const write = (url: string): Promise<unknown> =>
  visit(url, (client) => client.db('t').collection('things').insertOne({ at: new Date() }));

describe('the driver', () => {
  test.each([
    ['as it is printed', () => store.url],
    ['with the mechanism named', () => urlWith(user, password, '?authMechanism=SCRAM-SHA-256')],
    ['as a replica set', () => urlWith(user, password, '?replicaSet=embedded')],
    ['by localhost', () => urlWith(user, password, '?replicaSet=embedded', 'localhost')],
    ...(hasIPv6 ? [['by IPv6', () => urlWith(user, password, '', '[::1]')] as const] : []),
    ['with another database', () => urlWith(user, password, 'films?authSource=admin')],
  ])('signs in: %s', async (_, url) => {
    await expect(write(url())).resolves.toMatchObject({ acknowledged: true });
  });

  test.each([
    ['with a wrong password', () => urlWith(user, 'wrong'), 18],
    ['with an unknown user', () => urlWith('bob', password), 18],
    ['with a user of another database', () => urlWith(user, password, 'films'), 18],
    ['by SCRAM-SHA-1', () => urlWith(user, password, '?authMechanism=SCRAM-SHA-1'), 334],
    ['with nothing', () => `mongodb://127.0.0.1:${portOf()}/`, 13],
  ])('is refused %s', async (_, url, code) => {
    await expect(write(url())).rejects.toMatchObject({ code });
  });

  test('reports its user', async () => {
    const status = await visit(store.url, (client) => client.db('admin').command({ connectionStatus: 1 }));
    expect(status['authInfo']).toMatchObject({ authenticatedUsers: [{ user, db: 'admin' }] });
  });

  test('supports transactions and change streams', async () => {
    await visit(store.url, async (client) => {
      const things = client.db('t').collection('watched');
      const stream = things.watch();
      const change = stream.next();
      await stream.tryNext().catch(() => undefined);
      await client.withSession((session) => session.withTransaction(() => things.insertOne({ n: 1 }, { session })));
      expect(await change).toMatchObject({ operationType: 'insert', fullDocument: { n: 1 } });
      await stream.close();
    });
  });
});

test('mongoose signs in', async () => {
  const connection = await mongoose.createConnection(store.url, { dbName: 'm' }).asPromise();
  const Thing = connection.model('thing', new mongoose.Schema({ name: { type: String, unique: true } }));
  await Thing.init();
  await Thing.create({ name: 'one' });
  await expect(Thing.create({ name: 'one' })).rejects.toMatchObject({ code: 11000 });
  expect(await Thing.countDocuments()).toBe(1);
  await connection.close();
});

const hmac = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const binary = (text: string): Binary => new Binary(Buffer.from(text));
const textOf = (answer: Document | undefined): string =>
  Buffer.from((answer?.['payload'] as Binary).value()).toString();

/** Signs in like a client without MongoDB's shortcuts. @returns the last reply before the empty message */
async function signIn(connection: RawConnection, secret: string): Promise<Document | undefined> {
  const bare = `n=${user},r=abcdef`;
  const start = { saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: binary(`n,,${bare}`) };
  const first = textOf(await connection.command(start));
  const [, nonce = '', salt = '', iterations = ''] = /^r=(.*),s=(.*),i=(\d+)$/.exec(first) ?? [];
  const salted = pbkdf2Sync(secret, Buffer.from(salt, 'base64'), Number(iterations), 32, 'sha256');
  const clientKey = hmac(salted, 'Client Key');
  const storedKey = createHash('sha256').update(clientKey).digest();
  const signature = hmac(storedKey, `${bare},${first},c=biws,r=${nonce}`);
  const proof = Buffer.from(clientKey.map((byte, at) => byte ^ (signature[at] ?? 0)));
  const payload = binary(`c=biws,r=${nonce},p=${proof.toString('base64')}`);
  return connection.command({ saslContinue: 1, conversationId: 1, payload });
}

describe('a connection that signs in step by step', () => {
  const empty = { saslContinue: 1, conversationId: 1, payload: binary('') };

  test('is authenticated after the empty message, may send long messages, and is anonymous after logout', async () => {
    const connection = await RawConnection.to(store.address);
    expect(await signIn(connection, password)).toMatchObject({ ok: 1, done: false });
    expect(await connection.command({ listDatabases: 1 })).toMatchObject({ code: 13 });
    expect(await connection.command(empty)).toMatchObject({ ok: 1, done: true });
    expect(await connection.command({ listDatabases: 1, comment: 'x'.repeat(20_000) })).toMatchObject({ ok: 1 });
    expect(await connection.command({ logout: 1 })).toMatchObject({ ok: 1 });
    expect(await connection.command({ listDatabases: 1 })).toMatchObject({ code: 13 });
    connection.close();
  });

  test('is anonymous after a wrong proof, also with later messages', async () => {
    const connection = await RawConnection.to(store.address);
    expect(await signIn(connection, 'wrong')).toMatchObject({ code: 18 });
    expect(await connection.command(empty)).toMatchObject({ code: 17 });
    expect(await connection.command({ listDatabases: 1 })).toMatchObject({ code: 13 });
    connection.close();
  });
});

describe('a connection that has not signed in', () => {
  test.each(commands.filter(({ name }) => !allowed.includes(name)).map(({ name }) => name))(
    'must not %s',
    async (name) => {
      const connection = await RawConnection.to(store.address);
      const answer = await connection.command({ [name]: 1 });
      expect(answer).toMatchObject({ ok: 0, code: 13, codeName: 'Unauthorized' });
      connection.close();
    },
  );

  test('gets the mechanism from hello, for any user name', async () => {
    const connection = await RawConnection.to(store.address);
    const asked = await Promise.all(
      [`admin.${user}`, 'admin.nobody', 'other.any'].map(async (saslSupportedMechs) => {
        const own = await RawConnection.to(store.address);
        const answer = await own.command({ hello: 1, saslSupportedMechs });
        own.close();
        return answer?.['saslSupportedMechs'] as unknown;
      }),
    );
    expect(asked).toEqual(Array(3).fill(['SCRAM-SHA-256']));
    expect(await connection.command({ hello: 1 })).not.toHaveProperty('saslSupportedMechs');
    connection.close();
  });

  test.each([
    ['is not a document', 1],
    ['has no database', { saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: new Binary(Buffer.from('n,,n=a,r=b')) }],
    ['has another mechanism', { saslStart: 1, mechanism: 'PLAIN', db: 'admin', payload: new Binary(Buffer.from('x')) }],
    ['has no message', { saslStart: 1, mechanism: 'SCRAM-SHA-256', db: 'admin' }],
  ])('gets no reply to a speculative message that %s', async (_, speculativeAuthenticate) => {
    const connection = await RawConnection.to(store.address);
    const answer = await connection.command({ hello: 1, speculativeAuthenticate });
    expect(answer).toMatchObject({ ok: 1 });
    expect(answer).not.toHaveProperty('speculativeAuthenticate');
    connection.close();
  });

  test('is closed after three failures, and its pending requests are dropped', async () => {
    const connection = await RawConnection.to(store.address);
    const attempt: Document = {
      saslStart: 1,
      mechanism: 'SCRAM-SHA-256',
      payload: new Binary(Buffer.from('rubbish')),
      $db: 'admin',
    };
    const messages = [...Array<Document>(5).fill(attempt), { ping: 1, $db: 'admin' }].map((one) => commandMessage(one));
    connection.send(Buffer.concat(messages));
    for (let failure = 0; failure < 3; failure += 1) {
      expect((await connection.next())?.document).toMatchObject({ code: 18 });
    }
    expect(await connection.next()).toBeUndefined();
  });

  test('is closed after a long message', async () => {
    const connection = await RawConnection.to(store.address);
    connection.send(commandMessage({ ping: 1, $db: 'admin', comment: 'x'.repeat(20_000) }));
    expect(await connection.next()).toBeUndefined();
  });

  test('cannot continue an exchange that has not begun', async () => {
    const connection = await RawConnection.to(store.address);
    const payload = new Binary(Buffer.alloc(0));
    expect(await connection.command({ saslContinue: 1, conversationId: 1, payload })).toMatchObject({ code: 17 });
    expect(await connection.command({ saslStart: 1, mechanism: 'SCRAM-SHA-256', payload: 'n,,n=a,r=b' })).toMatchObject(
      {
        code: 14,
      },
    );
    connection.close();
  });
});
