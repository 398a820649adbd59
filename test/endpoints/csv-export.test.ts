/** CSV exports: all rows, no faster than the client reads them, and the links between pages. */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const rowCount = 2400;
/** Bytes of a row: half of the rows together exceed the limit of an answer and the buffers of sockets, which hold about 7 MB. */
const padding = 9000;

const models = {
  row: ({ Schema, Mixed }: any) => {
    const schema = new Schema(
      { n: Number, pad: String, meta: Mixed, text: String },
      { perms: { all: 'r' }, query_limits: { max: 50, default: 10, large_collection_threshold: 1_000_000 } },
    );
    schema.index({ text: 'text' });
    return schema;
  },
  large: ({ Schema }: any) =>
    new Schema({ n: Number }, { perms: { all: 'r' }, query_limits: { large_collection_threshold: 100 } }),
  counted: ({ Schema }: any) => {
    const schema = new Schema({ n: Number, pad: String }, { perms: { all: 'r' } });
    schema.virtual('seen').get(function (this: any) {
      this.constructor.onRow?.();
      return true;
    });
    return schema;
  },
  mine: ({ Schema }: any) => new Schema({ n: Number }, { perms: { admin: 'crud', owner: 'r' } }),
};

let server: TestServer;
/** How many rows have been computed for exports of `counted`. */
let computed = 0;
beforeAll(async () => {
  server = await startServer({ models, query_limits: { max_response_size: '1mb', large_collection_threshold: 1e6 } });
  const { connection } = server.dossier.services;
  const fill = (name: string, count: number, more: (n: number) => object = () => ({})): Promise<unknown> =>
    connection
      .collection(name)
      .insertMany(Array.from({ length: count }, (_, n) => ({ n, _deleted: false, ...more(n) })));
  await fill('rows', 1500, (n) => ({
    meta: -n,
    text: 'word',
    _deleted: n >= 1200,
    pad: 'x'.repeat(n < 1000 ? 10 : 0),
  }));
  await fill('larges', 1300);
  Object.assign(modelOf(server.dossier.services.registry.get('counted')), { onRow: () => (computed += 1) });
  for (let done = 0; done < rowCount; done += 1200) await fill('counteds', 1200, () => ({ pad: 'x'.repeat(padding) }));
});

const numbersIn = (text: string): number[] =>
  text
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.split(',')[1]));
const upTo = (end: number): number[] => Array.from({ length: end }, (_, n) => n);

describe('all rows', () => {
  test.each([
    ['without limit and page', '/csv/row?fields=n&sort=n', upTo(1200)],
    ['with limit=all', '/csv/row?fields=n&sort=n&limit=all', upTo(1200)],
    ['of a large collection', '/csv/large?fields=n&sort=n&limit=all', upTo(1300)],
    ['that match a filter', '/csv/row?fields=n&sort=-n&filter[n]=$lt:1000', upTo(1000).reverse()],
    ['with the deleted ones', '/csv/row?fields=n&sort=n&showDeleted=true', upTo(1500)],
    ['in the order of a free-form field', '/csv/row?fields=n&sort=meta', upTo(1200).reverse()],
    ['found by text', '/csv/row?fields=n&sort=n&search=word', upTo(1200)],
  ])('%s', async (_name, path, expected) => {
    const { status, text, headers } = await server.get(path);
    expect([status, headers.get('link')]).toEqual([200, null]);
    expect(numbersIn(text)).toEqual(expected);
  });

  test('of the caller only, if only owners may read', async () => {
    const root = await makeRoot(server);
    await server.post('/setup/data', { mine: upTo(5).map((n) => ({ n })) }, root);
    const eve = { email: 'eve@x.test', password: 'pw-eve-1' };
    const made = await server.post('/api/user', eve, root);
    const { _id } = made.body.data as { _id: string };
    const { connection } = server.dossier.services;
    const rows = await connection.collection('mines').find().sort({ n: 1 }).toArray();
    await server.put(`/api/mine/${String(rows[3]?._id)}`, { _owner_id: _id }, root);
    const basic = `Basic ${Buffer.from(`${eve.email}:${eve.password}`).toString('base64')}`;
    const { text } = await server.get('/csv/mine?fields=n&limit=all', { headers: { authorization: basic } });
    expect(numbersIn(text)).toEqual([3]);
  });

  test.each([
    ['/csv/large', /limit from 1 to 1000, or limit=all/],
    ['/csv/large?page=2', /limit/],
    ['/csv/row?limit=all&page=2', /page must not be given with limit=all/],
    ['/csv/row?limit=ALL', /limit/],
    ['/csv/row?limit[]=all', /limit/],
    ['/api/row?limit=all', /limit/],
    ['/api/large?limit=all', /limit/],
  ])('%s is a 400', async (path, reason) => {
    const { status, body } = await server.get(path);
    expect([status, String(body.err).replace(': ', ' ')]).toEqual([400, expect.stringMatching(reason)]);
  });
});

describe('pages', () => {
  test('lead to the next one', async () => {
    const found: number[] = [];
    let path: string | undefined = '/csv/row?fields=n&sort=n&limit=50&filter[n]=$lt:120';
    let pages = 0;
    while (path !== undefined) {
      const { text, headers }: Awaited<ReturnType<TestServer['get']>> = await server.get(path);
      found.push(...numbersIn(text));
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
      pages += 1;
    }
    expect([pages, found]).toEqual([3, upTo(120)]);
  });

  test('clients in browsers may read the headers', async () => {
    const { headers } = await server.get('/csv/row?limit=1', { headers: { origin: 'https://app.example' } });
    const exposed = (headers.get('access-control-expose-headers') ?? '').toLowerCase().split(',');
    expect(exposed).toEqual(expect.arrayContaining(['content-disposition', 'link', 'location', 'etag', 'retry-after']));
  });
});

describe('flow', () => {
  const open = async (path: string): Promise<IncomingMessage> => {
    const request = get(server.url + path);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  };

  test('an export waits for its reader, and stops when the reader disconnects', async () => {
    computed = 0;
    const slow = await open('/csv/counted?fields=n,pad,seen');
    // meanwhile another export is sent completely, so only its reader delays this one
    const { text } = await server.get('/csv/counted?fields=n,pad,seen');
    expect(numbersIn(text)).toHaveLength(rowCount);
    const ahead = computed - rowCount;
    expect(ahead).toBeGreaterThan(0);
    expect(ahead).toBeLessThan(rowCount / 2);
    slow.destroy();
    const closed = computed;
    await server.get('/csv/counted?fields=n,seen');
    // at most the current batch
    expect(computed - closed - rowCount).toBeLessThanOrEqual(200);
  });

  test('a slow reader gets all rows, even after the time limit of a query', async () => {
    const hasty = await startServer({ models: { row: models.row }, query_limits: { max_time_ms: 1500 } });
    // more than the buffers of sockets hold
    const rows = Array.from({ length: 1500 }, (_, n) => ({ n, pad: 'x'.repeat(padding), _deleted: false }));
    await hasty.dossier.services.connection.collection('rows').insertMany(rows);
    const begun = performance.now();
    const [response] = (await once(get(`${hasty.url}/csv/row?fields=n,pad`), 'response')) as [IncomingMessage];
    await until(() => performance.now() - begun > 2500);
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece as string;
    expect(numbersIn(text)).toEqual(upTo(1500));
    await hasty.close();
  });
});

describe('a post-hook', () => {
  test('gets the whole text, and an export over the limit of an answer is a 413', async () => {
    const seen: unknown[] = [];
    const hooked = await startServer({
      models: { row: models.row },
      query_limits: { max_response_size: '1mb' },
      post_hooks: {
        csv: (_req, result) => {
          seen.push(result);
          return Promise.resolve('hidden');
        },
      },
    });
    const fill = (count: number): Promise<unknown> =>
      hooked.dossier.services.connection
        .collection('rows')
        .insertMany(Array.from({ length: count }, (_, n) => ({ n, pad: 'x'.repeat(1000), _deleted: false })));
    await fill(500);
    expect((await hooked.get('/csv/row?fields=n,pad')).text).toBe('hidden');
    expect(numbersIn(String(seen[0]))).toHaveLength(500);
    await fill(1000);
    expect((await hooked.get('/csv/row?fields=n,pad')).status).toBe(413);
    expect(seen).toHaveLength(1);
    await hooked.close();
  });
});
