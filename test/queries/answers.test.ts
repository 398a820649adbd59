/** Reads over HTTP: stored values are returned complete, by each of the two read paths. */
import { join } from 'node:path';
import mongoose from 'mongoose';
import { fetchOne, type Source } from '../../src/read/fetch.ts';
import type { RowsPlan } from '../../src/read/plan-types.ts';
import type { Answer } from '../support/client.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';

const { ObjectId, Decimal128 } = mongoose.Types;
const { Long, MongoNetworkError, MongoServerError, BSON } = mongoose.mongo;
type Json = Record<string, unknown>;
const idOf = (number: number): mongoose.Types.ObjectId => new ObjectId(number.toString(16).padStart(24, '0'));

const textId = (number: number): string => idOf(number).toHexString();

const open = (options: StartOptions = {}): Promise<TestServer> =>
  startServer({ models: join(__dirname, 'models'), ...options });

async function get(server: TestServer, path: string): Promise<Answer> {
  const answer = await server.get(path);
  expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(answer.text));
  return answer;
}

const store = (server: TestServer, model: string, documents: readonly Json[]): Promise<unknown> =>
  server.dossier.services.connection.collection(`${model}s`).insertMany([...documents]);

describe('stored values are returned', () => {
  let server: TestServer;
  const any = {
    money: Decimal128.fromString('12.50'),
    far: Long.fromString('9007199254740993'),
    near: Long.fromNumber(7),
    at: new Date('2024-02-29T12:00:00Z'),
    10: 'b',
    2: 'a',
    'q"uote': '\u0001é',
    Password: 'CANARY',
    list: [{ password: 'CANARY', kept: null }],
  };
  beforeAll(async () => {
    server = await open();
    await store(server, 'maker', [
      { _id: idOf(1), name: 'ann', password: 'CANARY', top_id: idOf(11), _deleted: false },
      { _id: idOf(2), name: 'gone', _deleted: true },
    ]);
    await store(server, 'part', [
      { _id: idOf(11), name: 'all', any, _deleted: false, maker_id: idOf(1) },
      { _id: idOf(12), name: 'gone', _deleted: true, maker_id: idOf(1) },
      { _id: idOf(13), name: 'own', id: 'own id', _deleted: false, maker_id: idOf(2) },
    ]);
  });

  const anyText =
    '{"2":"a","10":"b","money":"12.50","far":"9007199254740993","near":7,"at":"2024-02-29T12:00:00.000Z",' +
    '"q\\"uote":"\\u0001é","list":[{"kept":null}]}';

  test('one document, with the types of BSON as JSON has them', async () => {
    const { text } = await get(server, `/api/part/${textId(11)}`);
    const head = `{"data":{"_id":"${textId(11)}","id":"${textId(11)}","name":"all","any":${anyText},`;
    expect(text).toBe(`${head}"_deleted":false,"maker_id":"${textId(1)}"}}`);
  });

  test('a list, with its envelope around the same bytes', async () => {
    const { text, body } = await get(server, '/api/part?limit=1');
    expect(text).toContain(`"any":${anyText},`);
    expect(text).not.toContain('CANARY');
    expect(body).toMatchObject({ limit: 1, page: 1, next: '/api/part?limit=1&page=2' });
    expect(await get(server, '/api/part?page=9&limit=2')).toMatchObject({
      body: { data: [], count: 2, page_count: 1 },
    });
  });

  test('a link to a model with virtuals, and from there back', async () => {
    const { text, body } = await get(server, `/api/part/${textId(11)}?populate=maker.top&fields=name`);
    expect(body['data']).toMatchObject({ name: 'all', maker: { shout: 'ANN', top: { name: 'all' } } });
    expect(text).not.toContain('CANARY');
  });

  test('a model with virtuals, with its links', async () => {
    const { body } = await get(server, '/api/maker?populate=top');
    expect(body['data']).toMatchObject([{ name: 'ann', shout: 'ANN', top: { any: { money: '12.50', near: 7 } } }]);
  });

  test.each([
    ['a deleted document is a 404, even if fields omit _deleted', `/api/part/${textId(12)}?fields=-_deleted`, 404],
    ['a deleted document is a 404, even if fields select another field', `/api/part/${textId(12)}?fields=name`, 404],
    ['showDeleted shows a deleted document', `/api/part/${textId(12)}?fields=name&showDeleted=1`, 200],
    ['a missing document is a 404', `/api/part/${textId(99)}`, 404],
  ])('%s', async (_name, path, status) => {
    const answer = await get(server, path);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(
      status === 200
        ? { data: { _id: String(idOf(12)), id: String(idOf(12)), name: 'gone' } }
        : expect.objectContaining({ status: 'fail' }),
    );
  });

  test('a deleted target is null, and a stored id is kept', async () => {
    const { body } = await get(server, `/api/part/${textId(13)}?populate=maker`);
    expect(body['data']).toMatchObject({ _id: String(idOf(13)), id: 'own id', maker: null });
  });
});

describe('post-hooks', () => {
  test('receive the JSON, and what they change or return is sent', async () => {
    const seen: unknown[] = [];
    const server = await open({
      post_hooks: {
        getOne: (_req, result) => {
          const { data } = result as { data: Json };
          seen.push(data['at']);
          data['added'] = 'in place';
          data['password'] = 'CANARY';
          return Promise.resolve();
        },
        get: () => Promise.resolve({ data: ['other'] }),
      },
    });
    await store(server, 'part', [{ _id: idOf(1), at: new Date(0), _deleted: false }]);
    expect((await get(server, `/api/part/${textId(1)}`)).text).toBe(
      `{"data":{"_id":"${textId(1)}","id":"${textId(1)}","at":"1970-01-01T00:00:00.000Z","_deleted":false,"added":"in place"}}`,
    );
    expect(seen).toEqual(['1970-01-01T00:00:00.000Z']);
    expect((await get(server, '/api/part')).text).toBe('{"data":["other"]}');
  });
});

describe('sizes', () => {
  test('more rows than are read in one message', async () => {
    const server = await open();
    const rows = Array.from({ length: 2500 }, (_, number) => ({
      _id: idOf(number + 1),
      name: `n${number}`,
      _deleted: false,
    }));
    await store(server, 'part', rows);
    const { body } = await get(server, '/api/part?limit=2400');
    expect((body['data'] as Json[]).map(({ name }) => name)).toEqual(rows.slice(0, 2400).map(({ name }) => name));
    expect(body['next']).toBe('/api/part?limit=2400&page=2');
  });

  test('a page that is larger than a message of the database is complete', async () => {
    const server = await open({ query_limits: { max_response_size: 100_000_000 } });
    const text = 'x'.repeat(1_900_000);
    // nine are more than the 16 MiB of a message
    for (let number = 1; number <= 10; number++)
      await store(server, 'part', [{ _id: idOf(number), name: number < 10 ? text : 'last', _deleted: false }]);
    const { body } = await get(server, '/api/part?limit=9');
    expect((body['data'] as Json[]).map(({ _id }) => _id)).toEqual(
      Array.from({ length: 9 }, (_, at) => String(idOf(at + 1))),
    );
    expect(body['next']).toBe('/api/part?limit=9&page=2');
  });

  test('an answer over the limit is refused', async () => {
    const server = await open({ query_limits: { max_response_size: 5000 } });
    await store(server, 'part', [
      { _id: idOf(1), name: 'x'.repeat(6000) },
      { _id: idOf(2), name: 'y' },
    ]);
    expect((await get(server, `/api/part/${textId(1)}`)).status).toBe(413);
    expect((await get(server, '/api/part')).body).toMatchObject({ status: 'fail', message: 'Answer too large' });
    expect((await get(server, `/api/part/${textId(2)}`)).status).toBe(200);
  });
});

describe('a read over a broken connection', () => {
  const plan = { model: { collection: 'a', computed: false }, filter: {}, maxTimeMS: 100 } as unknown as RowsPlan;
  const found = { cursor: Buffer.from(BSON.serialize({ id: Long.ZERO, ns: 'a.a', firstBatch: [{ _id: 1 }] })) };

  /** A database that fails with these errors, one per command, and then answers. */
  function failing(
    errors: readonly Error[],
    signal = new AbortController().signal,
  ): { source: Source; asked: () => number } {
    let asked = 0;
    const command = (): Promise<unknown> => {
      const error = errors[asked++];
      return error === undefined ? Promise.resolve(found) : Promise.reject(error);
    };
    return {
      source: {
        connection: { db: { command } } as unknown as Source['connection'],
        signal,
        session: undefined,
        maxBytes: 1000,
        slowMs: 0,
      },
      asked: () => asked,
    };
  }

  const broken = new MongoNetworkError('broken');
  const steppedDown = new MongoServerError({ message: 'not primary', code: 10107 });
  const other = new MongoServerError({ message: 'bad', code: 2 });

  test.each([
    ['is repeated once', [broken], 2],
    ['is repeated once when the primary has changed', [steppedDown], 2],
  ])('%s', async (_name, errors, times) => {
    const { source, asked } = failing(errors);
    expect(await fetchOne(plan, 1, source)).toEqual(Buffer.from(BSON.serialize({ _id: 1 })));
    expect(asked()).toBe(times);
  });

  test.each([
    ['is not repeated twice', [broken, broken], 2, broken],
    ['is not repeated after an error that would occur again', [other], 1, other],
  ])('%s', async (_name, errors, times, error) => {
    const { source, asked } = failing(errors);
    // converted where the caller is answered
    await expect(fetchOne(plan, 1, source)).rejects.toBe(error);
    expect(asked()).toBe(times);
  });

  test('is not repeated for a caller that has disconnected', async () => {
    const { source, asked } = failing([broken], AbortSignal.abort());
    await expect(fetchOne(plan, 1, source)).rejects.toBe(broken);
    expect(asked()).toBe(1);
  });
});
