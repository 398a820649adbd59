/** Copies of whole databases: documents of all types, indexes, interruptions, targets that are not empty. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { open, type OpenStore } from 'dossier-store';
import { MongoClient } from 'mongodb';
import mongoose from 'mongoose';
import { makeLog } from '../../src/ports/log.ts';
import { create } from '../../src/transfer/copy/collections.ts';
import { copyPlaces, type PlacesCopied } from '../../src/transfer/copy/copy.ts';
import { isUrl, openPlace, placeText } from '../../src/transfer/copy/place.ts';
import { onMongo, ownDatabase } from '../support/database.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { newFolder } from './folders.ts';

const { BSON } = mongoose.mongo;
const log = makeLog('warn', { write: () => undefined });

const copy = (
  from: string,
  to: string,
  force = false,
  onProgress: (collection: string) => void = () => undefined,
): Promise<PlacesCopied> => copyPlaces(from, to, log, { force, onProgress });

/** Works with the database of a place. A folder is opened in this thread, since starting another one takes longer than the work. */
async function within<T>(place: string, work: (database: mongoose.mongo.Db) => Promise<T>): Promise<T> {
  const closers: (() => Promise<void>)[] = [];
  try {
    const store = isUrl(place) ? undefined : await open({ dir: place, thread: false });
    if (store !== undefined) closers.push(() => store.close());
    return await work((await openPlace(store?.url ?? place, closers, log)).database);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

/** Everything in a place: the bytes of the documents, and the indexes. */
const contentOf = (place: string): Promise<object> =>
  within(place, async (database) => {
    const content: Record<string, unknown> = {};
    for (const { name } of await database.listCollections().toArray()) {
      const documents = await database
        .collection(name)
        .find({}, { raw: true, sort: { _id: 1 } })
        .toArray();
      const indexes = await database.collection(name).listIndexes().toArray();
      content[name] = {
        documents: documents.map((bytes) => Buffer.from(bytes as unknown as Uint8Array).toString('base64')),
        indexes: indexes.map(({ name, key, unique, sparse, expireAfterSeconds }) =>
          JSON.stringify({ name, key, unique, sparse, expireAfterSeconds }),
        ),
      };
    }
    return content;
  });

/** A document with integer names out of order, an order that JavaScript objects do not preserve. */
const numbered = new Map<string, unknown>([
  ['b', 1],
  [
    '10',
    new Map<string, unknown>([
      [
        '2',
        [
          new Map([
            ['9', 1],
            ['3', 2],
          ]),
        ],
      ],
      ['1', 'x'],
    ]),
  ],
  ['2', new BSON.DBRef('a', new BSON.ObjectId())],
]);

async function fill(database: mongoose.mongo.Db): Promise<void> {
  const books = database.collection('books');
  await books.insertMany(
    Array.from({ length: 1100 }, (_, n) => ({ n: new BSON.Double(n), title: `Book ${n}`, code: `c${n}` })),
  );
  await books.createIndex({ code: 1 }, { unique: true, sparse: true });
  await books.createIndex({ n: -1, title: 1 }, { name: 'by number' });
  await books.createIndex({ gone: 1 }, { expireAfterSeconds: 3600 });
  const mixed = database.collection('mixed');
  await mixed.insertMany(
    [
      { _id: 1, int: new BSON.Int32(1), long: BSON.Long.fromNumber(1), decimal: BSON.Decimal128.fromString('1.0') },
      {
        _id: 'a',
        pattern: new BSON.BSONRegExp('x', 'i'),
        time: new BSON.Timestamp({ t: 1, i: 2 }),
        code: new BSON.Code('f', { a: 1 }),
      },
      {
        _id: new BSON.ObjectId(),
        min: new BSON.MinKey(),
        max: new BSON.MaxKey(),
        bytes: new BSON.Binary(Buffer.from('a'), 4 + 0x80),
      },
      // not every engine preserves their order
      ...(onMongo ? [{}] : [new Map([...numbered, ['_id', { a: 1 }]])]),
    ] as never,
    { forceServerObjectId: true },
  );
  await database.createCollection('empty');
}

/** A store in memory, in whose databases the places are that need not be folders. */
let store: OpenStore;
/** A folder, and a database with the same. */
let folder: string;
let source: string;
beforeAll(async () => {
  store = await open({ sharing: { port: 0, hosts: ['127.0.0.1'], password: 'pw' } });
  source = inStore('source');
  folder = await newFolder();
  await writeFile(join(folder, 'secret'), 's'.repeat(43));
  for (const place of [folder, source]) await within(place, fill);
});

const clients: MongoClient[] = [];
afterAll(async () => {
  for (const client of clients) {
    await client.db().dropDatabase();
    await client.close();
  }
  await store.close();
});

/** The address of a database of the store. */
function inStore(name: string): string {
  const url = new URL(store.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** The target of a copy: a database on MONGODB_URL, or another place, by default a data folder. */
async function newTarget(place: () => Promise<string> | string = newFolder): Promise<string> {
  const { mongodb_url: url } = ownDatabase();
  if (url === undefined) return place();
  clients.push(await MongoClient.connect(url));
  return url;
}

test('a copy of a copy equals the source: types, order of fields, indexes', async () => {
  const target = await newTarget();
  expect(await copy(folder, target)).toEqual({
    result: {
      collections: {
        books: { documents: 1100, indexes: 3 },
        empty: { documents: 0, indexes: 0 },
        mixed: { documents: 4, indexes: 0 },
      },
    },
    secret: onMongo ? join(folder, 'secret') : undefined,
  });
  const back = onMongo ? await newFolder() : inStore('again');
  await copy(target, back);
  expect(await contentOf(back)).toEqual(await contentOf(folder));
  if (!onMongo) expect(await readFile(join(target, 'secret'), 'utf8')).toBe('s'.repeat(43));
});

const optionsOf = (place: string): Promise<unknown> =>
  within(place, async (database) => {
    const listed = (await database.listCollections({}, { nameOnly: false }).toArray()) as {
      name: string;
      type: string;
      options: object;
    }[];
    return listed
      .map(({ name, type, options }) => ({ name, type, options }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  });

/** Collections with every option that a copy keeps. */
async function fillKinds(database: mongoose.mongo.Db): Promise<void> {
  const validator = { $jsonSchema: { required: ['title'] } };
  await database.createCollection('strict', { validator, validationLevel: 'moderate', validationAction: 'error' });
  await database.collection('strict').insertOne({ old: 1 }, { bypassDocumentValidation: true });
  await database.createCollection('a_view', { viewOn: 'strict', pipeline: [{ $match: { old: 1 } }] });
  await database.createCollection('log', { capped: true, size: 10_000, max: 2 });
  await database.collection<{ _id: number }>('log').insertMany([{ _id: 2 }, { _id: 1 }]);
  await database.createCollection('imaged', { changeStreamPreAndPostImages: { enabled: true } });
  await database.createCollection('names', { collation: { locale: 'en', strength: 2 } });
}

const kinds = { documents: { imaged: 0, log: 2, names: 0, strict: 1 } };
const documentsOf = ({ result }: PlacesCopied): object => ({
  documents: Object.fromEntries(Object.entries(result.collections).map(([name, { documents }]) => [name, documents])),
});

needs('options of collections')('a copy has validators, views, capped collections, images and collations', async () => {
  const from = inStore('kinds');
  await within(from, fillKinds);
  const to = await newTarget();
  const back = inStore('kinds-back');
  expect(documentsOf(await copy(from, to))).toEqual(kinds);
  expect(documentsOf(await copy(to, back))).toEqual(kinds);
  expect(await optionsOf(back)).toEqual(await optionsOf(from));
  await within(back, async (database) => {
    expect(await database.collection('a_view').countDocuments()).toBe(1);
    await expect(database.collection('strict').insertOne({})).rejects.toMatchObject({ code: 121 });
    await database.collection<{ _id: number }>('log').insertOne({ _id: 3 });
    expect(await database.collection('log').distinct('_id')).toEqual([1, 3]);
  });
});

describe('options of collections', () => {
  test('are replaced with --force, and a view of the target is not without it', async () => {
    const [from, to] = [inStore('forced'), inStore('forced-to')];
    await within(from, fillKinds);
    await within(to, (database) => database.createCollection('a_view', { viewOn: 'other', pipeline: [] }));
    await expect(copy(from, to)).rejects.toThrow(/target is not empty: it has the view a_view/);
    expect(documentsOf(await copy(from, to, true))).toEqual(kinds);
    expect(await optionsOf(to)).toEqual(await optionsOf(from));
  });

  test('hold in a copy that continues, and capped collections keep the order of insertion', async () => {
    const [from, to] = [inStore('cut'), inStore('cut-to')];
    await within(from, fillKinds);
    const cut = copy(from, to, false, (name) => {
      if (name === 'names') throw new Error('cut');
    });
    await expect(cut).rejects.toThrow('cut');
    await within(to, (database) => database.collection<{ _id: number }>('log').deleteOne({ _id: 2 }));
    expect(documentsOf(await copy(from, to))).toEqual(kinds);
    const order = await within(to, (database) => database.collection('log').find().toArray());
    expect(order).toEqual([{ _id: 2 }, { _id: 1 }]);
  });

  test('that the target refuses are named', async () => {
    const made = within(inStore('refusing'), (database) =>
      create(database, { name: 'a', isView: false, options: { capped: true, size: 'x' } }),
    );
    await expect(made).rejects.toThrow('a: the target refuses a collection with capped, size: ');
  });
});

describe('a target', () => {
  test('that is not empty is refused, and replaced with --force', async () => {
    const target = await newTarget(() => inStore('full'));
    await within(target, async (database) => {
      await database.collection<{ _id: unknown }>('books').insertOne({ _id: 'mine' });
      await database.collection<{ _id: unknown }>('others').insertOne({ _id: 'stays' });
    });
    await expect(copy(source, target)).rejects.toThrow(/target is not empty: its collection books/);
    expect((await copy(source, target, true)).result.collections).toMatchObject({ books: { documents: 1100 } });
    await within(target, async (database) => {
      expect(await database.collection('books').countDocuments({ _id: 'mine' as never })).toBe(0);
      expect(await database.collection('others').countDocuments()).toBe(1);
    });
    await expect(copy(folder, folder)).rejects.toThrow('the target is the source');
    await expect(copy(join(folder, 'none'), target)).rejects.toThrow('there is no data in');
  });

  test('that is the source under another address is refused, also with --force, and keeps its documents', async () => {
    const named = inStore('test');
    // drivers use the database `test` when an address names none
    const unnamed = inStore('');
    const films = (database: mongoose.mongo.Db) => database.collection('films');
    await within(named, (database) => films(database).insertMany([{ a: 1 }, { a: 2 }]));
    await expect(copy(named, unnamed, true)).rejects.toThrow('the target is the source');
    expect(await within(named, (database) => films(database).countDocuments())).toBe(2);
    expect(Object.keys(await contentOf(named))).toEqual(['films']);
  });

  test.each([
    ['a data folder', newFolder],
    ['a database', () => inStore('half')],
  ])('that is a part of a copy is %s that no server uses, and the copy continues', async (_, place) => {
    const target = await newTarget(place);
    const cut = copy(source, target, false, () => {
      throw new Error('cut');
    });
    await expect(cut).rejects.toThrow('cut');
    const isFolder = !isUrl(target);
    const options = isFolder ? { data_dir: target, inMemory: false, mongodb_url: undefined } : { mongodb_url: target };
    const refusal = `${isFolder ? 'DATA_DIR' : 'MONGODB_URL'}: ${placeText(target)} is an unfinished copy of ${placeText(source)}. Run "dossier copy --to ${placeText(target)}" with MONGODB_URL=${placeText(source)} to continue it`;
    await expect(startServer(options)).rejects.toThrow(refusal);
    await expect(copy(target, await newTarget(() => inStore('of-half')))).rejects.toThrow(
      'the source is an unfinished',
    );
    await copy(source, target);
    const { dossier } = await startServer(options);
    await dossier.close();
  });

  test('that is a folder is part of a copy before anything is in it', async () => {
    const [half, target] = [await newTarget(() => inStore('half-source')), await newFolder()];
    const cut = copy(source, half, false, () => {
      throw new Error('cut');
    });
    await expect(cut).rejects.toThrow('cut');
    // it ends when the folder has an empty store, and before the mark of its database
    await expect(copy(half, target)).rejects.toThrow('the source is an unfinished');
    const options = { data_dir: target, inMemory: false, mongodb_url: undefined };
    await expect(startServer(options)).rejects.toThrow(
      `DATA_DIR: ${placeText(target)} is an unfinished copy of ${placeText(half)}`,
    );
    await copy(source, target);
    await (await startServer(options)).close();
  });

  test('gets nothing from a source whose secret cannot be read, and all of it later', async () => {
    const from = await newFolder();
    await within(from, async (database) => void (await database.collection('a').insertOne({})));
    // what cannot be copied
    await mkdir(join(from, 'secret'));
    const target = await newFolder();
    await expect(copy(from, target)).rejects.toThrow();
    await expect(copy(target, await newFolder())).rejects.toThrow('there is no data in');
    await rm(join(from, 'secret'), { recursive: true });
    await writeFile(join(from, 'secret'), 's'.repeat(43));
    await copy(from, target);
    expect(await readFile(join(target, 'secret'), 'utf8')).toBe('s'.repeat(43));
  });

  test('with a part of the copy is completed, even if that part has changed', async () => {
    // `killed.e2e.test.ts` completes a folder
    const target = await newTarget(() => inStore('part'));
    const broken = copy(source, target, false, () => {
      throw new Error('cut');
    });
    await expect(broken).rejects.toThrow('cut');
    await within(target, async (database) => {
      const [one, other] = await database.collection('books').find().limit(2).toArray();
      await database.collection('books').updateOne({ _id: one?._id as never }, { $set: { title: 'changed' } });
      await database.collection('books').deleteOne({ _id: other?._id as never });
    });
    const foreign = inStore('foreign');
    await within(foreign, async (database) => void (await database.collection('a').insertOne({})));
    await expect(copy(foreign, target)).rejects.toThrow(`unfinished copy of ${placeText(source)}`);
    await copy(source, target);
    const back = inStore('back');
    await copy(target, back);
    expect(await contentOf(back)).toEqual(await contentOf(source));
    await expect(copy(source, target)).rejects.toThrow('not empty');
  });
});
