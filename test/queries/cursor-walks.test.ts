/**
 * Walks by cursors over random rows: values of all types, missing ones, lists and long ties. CURSOR_WALKS is the number of walks,
 * CURSOR_SEED selects them.
 */
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import { BSON, ObjectId } from '../../src/models/object-id.ts';
import { onMongo } from '../support/database.ts';
import { numbersFrom } from '../support/numbers.ts';
import { startServer, type TestServer } from '../support/server.ts';

const walks = Number(process.env['CURSOR_WALKS'] ?? 8);
const seed = Number(process.env['CURSOR_SEED'] ?? 1);
const random = numbersFrom(seed * 7919);
const below = (most: number): number => Math.floor(random() * most);
const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;

let server: TestServer;
let rows: Collection;

beforeAll(async () => {
  server = await startServer({
    models: {
      row: ({ Schema }) =>
        new Schema(
          {
            n: { type: Number, index: true },
            s: String,
            when: Date,
            deep: { b: Boolean, n: Number },
            free: {},
            tags: [Number],
            words: [String],
            items: [{ a: Number, b: Number }],
            shown: String,
          },
          { perms: { all: 'crud' } },
        ),
    },
  });
  rows = server.dossier.services.connection.collection('rows');
});
afterEach(() => rows.deleteMany({}));

const { Long, Decimal128, MinKey, MaxKey, Double, Binary, Timestamp } = BSON;
/** Values of all types whose order the database and a cursor can follow. */
const scalar = (): unknown =>
  one<() => unknown>([
    () => below(4),
    () => below(4),
    () => below(4) + 0.5,
    () => new Long(below(4)),
    () => Decimal128.fromString(`${below(4)}.5`),
    () => Number.NaN,
    () => new Double(-Infinity),
    () => one(['', 'a', 'b', 'ä', '𝔞', 'a b']),
    () => one(['', 'a', 'b', 'ä', '𝔞', 'a b']),
    () => null,
    () => undefined,
    () => random() < 0.5,
    () => new Date(1e12 * (below(4) - 1)),
    () => new ObjectId(`${below(3)}`.padStart(24, '0')),
    () => new Binary(Buffer.from(one(['', 'x', 'xy']))),
    () => new Timestamp({ t: below(3), i: 1 }),
    () => ({ x: below(3) }),
    () => one([new MinKey(), new MaxKey()]),
  ])();
// an empty list sorts before null in MongoDB, and as null in an engine that lacks this order
const list = (): unknown[] =>
  Array.from({ length: (onMongo ? 1 : 0) + below(4) }, scalar).map((value) => value ?? null);
const maybe = (make: () => unknown): unknown => (random() < 0.2 ? undefined : make());

const row = (): Record<string, unknown> => ({
  _id: new ObjectId(),
  n: scalar(),
  s: scalar(),
  when: scalar(),
  deep: one([{ b: scalar(), n: scalar() }, undefined, null]),
  free: one([scalar, scalar, () => list(), () => ({ x: 1 })])(),
  tags: one([list, list, scalar])(),
  words: maybe(list),
  items: maybe(() => Array.from({ length: below(4) }, () => ({ a: scalar(), b: scalar() }))),
  shown: 'x',
});

const orders: readonly (readonly string[])[] = [
  ['_id'],
  ['n'],
  ['s', 'n'],
  ['when', '_id'],
  ['deep.n', 'deep.b'],
  ['free'],
  ['free.x', 'free', 'n'],
  ['tags'],
  ['n', 'words'],
  ['items.a', 'n'],
];
const order = (): string => {
  const paths = one(orders);
  return paths.map((path) => one(['', '-']) + path).join(',');
};

const insert = (count: number): Promise<unknown> =>
  rows.insertMany(Array.from({ length: count }, row), { ignoreUndefined: true });

interface Page {
  readonly ids: readonly string[];
  readonly next: string | undefined;
  readonly prev: string | undefined;
}

async function page(sort: string, limit: number, cursor = ''): Promise<Page> {
  // the other fields do not have the types of the schema, which documented answers have
  const fields = one(['&fields=shown', '&fields=_id', '&fields=-n,-s,-when,-deep,-tags,-words,-items']);
  const { status, rows: found, body } = await server.get(`/api/row?sort=${sort}&limit=${limit}${fields}${cursor}`);
  expect([status, status === 200 ? '' : body]).toEqual([200, '']);
  return { ids: found.map(({ _id }) => String(_id)), next: body['next_cursor'], prev: body['prev_cursor'] };
}

/** Walks to the end, and calls `between` before each page. */
async function walk(
  sort: string,
  first: Page,
  way: 'next' | 'prev',
  between = async (): Promise<unknown> => undefined,
) {
  const pages: (readonly string[])[] = [first.ids];
  for (let at = first; at[way] !== undefined;) {
    await between();
    at = await page(sort, 3 + below(12), `&${way === 'next' ? 'after' : 'before'}=${at[way]}`);
    pages.push(at.ids);
    if (pages.length > 500) throw new Error(`there is no end to ${sort}`);
  }
  return (way === 'next' ? pages : pages.reverse()).flat();
}

test.each(Array.from({ length: walks }, (_, at) => [at]))('walk %i', async (at) => {
  await insert(40);
  const sort = order();
  const whole = (await page(sort, 1000)).ids;
  expect(whole).toHaveLength(40);
  const first = await page(sort, 3 + below(12));
  expect({ at, sort, ids: await walk(sort, first, 'next') }).toEqual({ at, sort, ids: whole });
  expect(first.prev).toBeUndefined();
  const pages = Math.ceil(whole.length / 7);
  const last = await page(sort, 7, `&page=${pages}`);
  expect(last.next).toBeUndefined();
  expect({ at, sort, ids: await walk(sort, last, 'prev') }).toEqual({ at, sort, ids: whole });

  const doomed = whole.filter(() => random() < 0.4);
  const lasting = whole.filter((id) => !doomed.includes(id));
  const disturb = async (): Promise<void> => {
    await insert(3);
    const gone = doomed.splice(0, 3).map((id) => new ObjectId(id));
    await rows.deleteMany({ _id: { $in: gone } });
  };
  const way = one(['next', 'prev'] as const);
  const start = way === 'next' ? first : last;
  const seen = await walk(sort, start, way, disturb);
  expect({ at, sort, way, twice: seen.length - new Set(seen).size }).toEqual({ at, sort, way, twice: 0 });
  expect({ at, sort, way, ids: seen.filter((id) => lasting.includes(id)) }).toEqual({ at, sort, way, ids: lasting });
});
