/** `$rename` in POST /bulkwrite: the schema applies to the moved value as to any other (docs/bulk-writes.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let root: Awaited<ReturnType<typeof makeRoot>>;
beforeAll(async () => {
  server = await startServer({
    models: {
      item: ({ Schema, Mixed }) =>
        new Schema(
          {
            needed: { type: String, required: true },
            fixed: { type: String, immutable: true },
            a: { type: String, maxlength: 5, index: true },
            b: { type: String, maxlength: 5, alias: 'bee' },
            short: { type: String, maxlength: 2 },
            low: { type: String, lowercase: true },
            free: String,
            n: Number,
            list: [String],
            numbers: [Number],
            texts: [String],
            meta: Mixed,
            map: { type: Map, of: Number },
            deep: { x: String, needed: { type: String, required: true } },
            flat: { x: String },
          },
          { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } } as object,
        ),
      loose: ({ Schema }) =>
        new Schema({ n: Number, free: String }, {
          strict: false,
          perms: { all: 'crud' },
          advanced_queries: { bulkwrite: true },
        } as object),
    },
  });
  root = await makeRoot(server);
});

type Body = Record<string, unknown>;

const renamed = async (
  model: string,
  sent: Body,
  names: Body,
): Promise<{ status: number; text: string; stored: Body }> => {
  const made = await server.post(`/api/${model}`, { needed: 'n', deep: { needed: 'n' }, ...sent }, root);
  const filter = { _id: made.document['_id'] };
  const { status, text } = await server.post(
    `/bulkwrite/${model}`,
    [{ updateOne: { filter, update: { $rename: names } } }],
    root,
  );
  return { status, text, stored: (await server.get(`/api/${model}/${String(filter._id)}`)).document };
};

describe('moves', () => {
  test.each<[model: string, from: string, to: string, value: unknown]>([
    ['item', 'a', 'b', 'text'],
    ['item', 'a', 'free', 'text'],
    ['item', 'a', 'flat.x', 'text'],
    ['item', 'n', 'meta', 5],
    ['item', 'n', 'meta.x', 5],
    ['item', 'list', 'texts', ['a']],
    ['loose', 'old', 'new', 'text'],
    ['loose', 'n', 'new', 5],
    ['loose', 'old', 'deep.new', 5],
  ])('%s: %s to %s', async (model, from, to, value) => {
    const { status, text, stored } = await renamed(model, { [from]: value }, { [from]: to });
    expect({ status, text }).toMatchObject({ status: 200 });
    expect(stored).toHaveProperty(to, value);
    expect(stored).not.toHaveProperty(from, value);
  });

  test('to the path of an alias', async () => {
    const { stored } = await renamed('item', { a: 'text' }, { a: 'bee' });
    expect(stored).toMatchObject({ b: 'text' });
  });
});

describe('refuses', () => {
  test.each<[model: string, from: string, to: string, reason: RegExp]>([
    ['item', 'needed', 'free', /needed is required/],
    ['item', 'deep', 'meta', /deep is required/],
    ['item', 'fixed', 'free', /fixed cannot be changed/],
    ['item', 'free', 'fixed', /fixed cannot be changed/],
    ['item', 'free', 'needed', /needed is declared in another way/],
    ['item', 'free', 'short', /short is declared/],
    ['item', 'a', 'short', /short is declared/],
    ['item', 'free', 'low', /low is declared/],
    ['item', 'free', 'n', /n is declared/],
    ['item', 'free', 'list', /list is declared/],
    ['item', 'numbers', 'list', /list is declared/],
    ['item', 'free', 'map', /map is declared/],
    ['item', 'free', 'map.k', /map\.k is declared/],
    ['item', 'meta', 'free', /free is declared/],
    ['item', 'meta.x', 'n', /n is declared/],
    ['item', 'free', 'flat', /flat has fields of its own/],
    ['item', 'free', 'nosuch', /nosuch is not in the schema/],
    ['loose', 'old', 'n', /n is declared/],
    ['loose', 'free', 'n', /n is declared/],
  ])('%s: %s to %s', async (model, from, to, reason) => {
    const { status, text } = await renamed(model, {}, { [from]: to });
    expect(status).toBe(400);
    expect(text).toMatch(reason);
  });
});
