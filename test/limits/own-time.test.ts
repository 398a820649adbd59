/** Work that the server itself ends for time: always a 503 that says when to try again, and never a 500. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { open } from 'dossier-store';
import mongoose, { mongo } from 'mongoose';
import { conflictCodes, timeCodes } from '../../src/models/database-errors.ts';
import { failureFrom } from '../../src/operations/failures.ts';
import type { Answer, Sent } from '../support/client.ts';
import { type Caller, makeCallers } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

const limit = 300;
const models = {
  'book.ts': `export default ({ Schema, Mixed }) => new Schema(
    { isbn: { type: String, unique: true, sparse: true }, n: Number, meta: Mixed },
    { perms: { user: 'crud' }, advanced_queries: { bulkwrite: true } },
  );`,
  'saved.ts': `export default ({ Schema }) => new Schema({ n: Number }, { perms: { user: 'crud' }, save_on_put: true });`,
  'judged.ts': `export default ({ Schema }) => new Schema({ n: Number }, { perms: { user: { c: true, r: true, u: { where: { n: { $gte: 0 } } } } } });`,
};

let server: TestServer;
let root: Caller;
let ann: Caller;
let closeStore: () => Promise<void>;
beforeAll(async () => {
  const given = process.env['MONGODB_URL'];
  const store = given === undefined ? await open({}) : undefined;
  closeStore = async () => store?.close();
  const mongodb_url = store?.url ?? new URL(`/own_time_${randomBytes(6).toString('hex')}`, given).href;
  const shared = { models, mongodb_url, shared_secret: 'the secret of both servers, which is long enough' };
  // a login may take longer than the limit
  ({ root, ann } = await makeCallers(await startServer(shared), ['root', 'ann']));
  server = await startServer({ ...shared, query_limits: { max_time_ms: limit } });
});
afterAll(async () => {
  await server.close();
  await closeStore();
});

const shown = ({ status, headers, body }: Answer): unknown => [
  status,
  /^[1-9]$/.test(headers.get('retry-after') ?? ''),
  ['Busy', 'Took too long'].includes(String(body['message'])),
];
const refused = [503, true, true];

describe('errors of the database', () => {
  const server = (code: number): Error => new mongo.MongoServerError({ message: 'x', code });
  const codes = [...timeCodes, ...conflictCodes].map(Number);
  const thrown: [string, unknown][] = [
    ...codes.map((code): [string, unknown] => [`code ${code}`, server(code)]),
    ...codes.map((code): [string, unknown] => [
      `code ${code} of a bulk write`,
      new mongo.MongoBulkWriteError({ message: 'x', code, writeErrors: [] }, {} as never),
    ]),
    ['a time limit of the driver', new mongo.MongoOperationTimeoutError('x')],
    ['a time limit after a conflict', new mongo.MongoOperationTimeoutError('x', { cause: server(112) })],
  ];
  test.each(thrown)('%s', (_name, error) => {
    const { status, headers } = failureFrom(error);
    expect([status, headers['Retry-After']]).toEqual([503, '1']);
  });
});

type Row = readonly [method: string, path: string, body?: unknown, type?: string];
let id: string;
const document = async (name: string): Promise<string> =>
  String((await server.post(`/api/${name}`, { n: 1 }, ann)).document['_id']);
const run = ([method, path, body, type]: Row, headers: Sent['headers'] = {}, as = ann): Promise<Answer> =>
  server.send(method, path.replace('ID', id), {
    ...(body === undefined ? {} : { raw: JSON.stringify(body).replaceAll('ID', id) }),
    headers: { ...as.headers, 'content-type': type ?? 'application/json', ...headers },
  });

describe('a wait for', () => {
  beforeEach(async () => void (id = await document('book')));

  const held = <T>(hold: (until: Promise<void>) => Promise<T>, ask: () => Promise<Answer>): Promise<Answer> =>
    new Promise((done, failed) => {
      let release = (): void => undefined;
      const until = new Promise<void>((end) => (release = end));
      hold(until).catch(failed);
      ask().then(done, failed).finally(release);
    });

  const onDocument: [string, Row][] = [
    ['PUT /update', ['PUT', '/update/book/ID', { n: 2 }]],
    ['PATCH with a merge patch', ['PATCH', '/api/book/ID', { meta: { a: 1 } }, 'application/merge-patch+json']],
    [
      'PATCH with a JSON Patch',
      ['PATCH', '/api/book/ID', [{ op: 'add', path: '/n', value: 2 }], 'application/json-patch+json'],
    ],
  ];
  test.each(onDocument)('another write of the document: %s', async (_name, row) => {
    const answer = await held(
      (until) => server.dossier.services.shares.keyedMutex(`book ${id}`, () => until),
      () => run(row),
    );
    expect(shown(answer)).toEqual(refused);
    expect((await server.get(`/api/book/${id}`, root)).document).toMatchObject({ n: 1, __v: 0 });
  });

  const onModel: [string, string, Row][] = [
    ['PUT of a model that saves', 'saved', ['PUT', '/api/saved/ID', { n: 2 }]],
    ['PUT that is judged', 'judged', ['PUT', '/api/judged/ID', { n: 2 }]],
  ];
  test.each(onModel)('another write of the document: %s', async (_name, model, row) => {
    id = await document(model);
    const answer = await held(
      (until) => server.dossier.services.shares.keyedMutex(`${model} ${id}`, () => until),
      () => run(row),
    );
    expect(shown(answer)).toEqual(refused);
  });

  test('work that runs alone', async () => {
    const answer = await held(
      (until) => server.dossier.services.shares.keyedMutex('alone', () => until),
      () => server.put(`/api/user/${root.user_id}`, { admin: false }, root),
    );
    expect(shown(answer)).toEqual(refused);
  });

  const reads: ['lists' | 'pipelines', Row][] = [
    ['lists', ['GET', '/api/book']],
    ['lists', ['POST', '/query/book', { query: { n: 1 } }]],
    ['lists', ['GET', '/csv/book']],
    ['pipelines', ['POST', '/aggregate/book', [{ $match: { n: 1 } }]]],
  ];
  test.each(reads)('the share of %s: %j', async (share, row) => {
    const { lists, pipelines } = server.dossier.services.shares;
    const hold = {
      lists: (until: Promise<void>) => lists(undefined, () => until),
      pipelines: (until: Promise<void>, n: number) => pipelines(`other ${n}`, {}, () => until),
    };
    const answer = await held(
      // more than there are permits
      (until) => Promise.allSettled(Array.from({ length: 60 }, (_, n) => hold[share](until, n))),
      () => run(row),
    );
    expect(shown(answer)).toEqual(refused);
  });
});

describe('a document that another transaction holds', () => {
  const writes: Row[] = [
    ['PUT', '/api/book/ID', { n: 2 }],
    ['PUT', '/update/book/ID', { n: 2 }],
    ['PUT', '/api/book?on=isbn', { isbn: 'ID', n: 2 }],
    ['PATCH', '/api/book/ID', { $inc: { n: 1 } }],
    ['PATCH', '/api/book/ID', { meta: { a: 1 } }, 'application/merge-patch+json'],
    ['PATCH', '/api/book/ID', [{ op: 'add', path: '/n', value: 2 }], 'application/json-patch+json'],
    ['DELETE', '/api/book/ID'],
    ['DELETE', '/api/book/ID?_permaDelete=1'],
    ['DELETE', '/api/book/ID?_cascade=1'],
    ['POST', '/bulkwrite/book', [{ updateOne: { filter: { isbn: 'ID' }, update: { $set: { n: 2 } } } }]],
    ['POST', '/bulkwrite/book', [{ updateMany: { filter: { isbn: 'ID' }, update: { $set: { n: 2 } } } }]],
    ['POST', '/bulkwrite/book', [{ deleteMany: { filter: { isbn: 'ID' } } }]],
    ['POST', '/batch', { operations: [{ method: 'PUT', path: '/api/book/ID', body: { n: 2 } }] }],
  ];
  const inTransactions = new Set(['/api/book/ID?_permaDelete=1', '/api/book/ID?_cascade=1', '/batch']);
  describe.each([false, true])('with an Idempotency-Key: %s', (keyed) => {
    // a single write does not wait for a transaction, which fails then
    for (const row of writes.filter(([, path]) => keyed || inTransactions.has(path)))
      needs('transactions')(
        row
          .slice(0, 3)
          .map((part) => JSON.stringify(part))
          .join(' '),
        async () => {
          id = await document('book');
          const { connection } = server.dossier.services;
          const books = connection.collection('books');
          const _id = mongoose.Types.ObjectId.createFromHexString(id);
          await books.updateOne({ _id }, { $set: { isbn: id } });
          const session = await connection.startSession();
          session.startTransaction();
          await books.updateOne({ _id }, { $set: { held: true } }, { session });
          const answer = await run(row, keyed ? { 'idempotency-key': randomUUID() } : {}, root);
          // where the end of the transaction is late, too, the answer asks for no other try
          const isKnown = answer.headers.has('retry-after');
          expect(shown(answer)).toEqual(isKnown ? refused : [503, false, true]);
          expect(String(answer.body['err']).includes('may have been done')).toBe(!isKnown);
          await session.abortTransaction();
          await session.endSession();
          if (isKnown) expect(await books.findOne({ _id })).toMatchObject({ isbn: id, n: 1 });
          expect(server.log.filter((line) => line.includes('"error"'))).toEqual([]);
        },
      );
  });
});
