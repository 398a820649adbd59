/** The measurements of a store: its documents, and the work of both engines. */
import mongoose from 'mongoose';

type Db = mongoose.mongo.Db;
type Document = mongoose.mongo.Document & { readonly _id: number };

/** Documents of the collection for reads (BENCH_DOCUMENTS); each has about 1 KB of BSON. */
export const documentCount = Number(process.env['BENCH_DOCUMENTS'] ?? 100_000);
/** Documents of the collection with a text index. */
const textCount = 10_000;
const batch = 1_000;

const words = ['amber', 'birch', 'copper', 'delta', 'ember', 'falcon', 'garnet', 'harbour', 'island', 'juniper'];

/** Pseudo-random words, the same at each run. */
const text = (number: number, count: number): string =>
  Array.from({ length: count }, (_, at) => words[(number * 31 + at * at * 7 + (((number >> 3) * at) % 13)) % 10]).join(
    ' ',
  );

const document = (number: number): Document => ({
  _id: number,
  title: `Item number ${number} of ${documentCount}`,
  kind: `kind ${number % 200}`,
  rank: (number * 7919) % documentCount,
  price: ((number * 37) % 10_000) / 100,
  stock: (number * 13) % 997,
  active: number % 3 !== 0,
  createdAt: new Date(1.6e12 + ((number * 104_729) % documentCount) * 60_000),
  size: { width: number % 100, height: number % 70, depth: (number % 50) + 0.5, unit: 'cm' },
  labels: ['red', 'blue', 'large', `label ${number % 9}`],
  maker: new mongoose.Types.ObjectId(`${'0'.repeat(16)}${(number % 50).toString(16).padStart(8, '0')}`),
  text: text(number, 90),
});

/** The indexes of the collection for reads, besides that of `_id`. */
const indexes = [{ kind: 1 }, { createdAt: 1 }] as const;

/** Replaces the documents for reads. */
export async function fillStore(db: Db): Promise<void> {
  await db.dropDatabase();
  for (const name of ['items', 'writes'])
    for (const index of indexes) await db.collection(name).createIndex({ ...index });
  for (let from = 0; from < documentCount; from += batch) await insert(db, 'items', from);
  await db.collection('texts').createIndex({ text: 'text', title: 'text' }, { weights: { title: 5 } });
  for (let from = 0; from < textCount; from += batch) await insert(db, 'texts', from);
}

const insert = (db: Db, name: string, from: number): Promise<unknown> =>
  db.collection<Document>(name).insertMany(Array.from({ length: batch }, (_, at) => document(from + at)));

/** One kind of work. */
export interface StoreRow {
  readonly name: string;
  /** Repetitions per round. */
  readonly times: number;
  /** Concurrent operations. */
  readonly atOnce: number;
  /**
   * Runs it once; the number is different each time. Returns the number of affected documents, which must be equal on
   * every engine.
   */
  readonly run: (db: Db, number: number) => Promise<number>;
}

const items = (db: Db): mongoose.mongo.Collection<Document> => db.collection<Document>('items');
const writes = (db: Db): mongoose.mongo.Collection<Document> => db.collection<Document>('writes');
const length = async (found: Promise<readonly unknown[]>): Promise<number> => (await found).length;
const anywhere = (number: number): number => (number * 7919) % documentCount;

/** The work in order of the report. Documents are written by number, so inserts come before updates. */
export const storeRows: readonly StoreRow[] = [
  {
    name: 'point read',
    times: 1000,
    atOnce: 8,
    run: async (db, number) => ((await items(db).findOne({ _id: anywhere(number) })) === null ? 0 : 1),
  },
  {
    name: 'indexed list with skip',
    times: 30,
    atOnce: 1,
    run: (db, number) =>
      length(
        items(db)
          .find()
          .sort({ createdAt: -1 })
          .skip(5000 + (number % 30))
          .limit(100)
          .toArray(),
      ),
  },
  {
    name: 'insert',
    times: 2000,
    atOnce: 8,
    run: async (db, number) => ((await writes(db).insertOne(document(number))).acknowledged ? 1 : 0),
  },
  {
    name: 'update',
    times: 2000,
    atOnce: 8,
    run: async (db, number) =>
      (
        await items(db).updateOne(
          { _id: anywhere(number) },
          { $set: { title: `changed ${number}` }, $inc: { stock: 1 } },
        )
      ).matchedCount,
  },
  {
    name: 'regex scan',
    times: 4,
    atOnce: 1,
    run: (db, number) =>
      length(
        items(db)
          .find({ maker: { $exists: true }, text: { $regex: `amber.*birch${number}` } })
          .toArray(),
      ),
  },
  {
    name: 'case-blind regex scan',
    times: 4,
    atOnce: 1,
    run: (db, number) =>
      length(
        items(db)
          .find({ text: { $regex: `AMBER${number}`, $options: 'i' } })
          .toArray(),
      ),
  },
  {
    name: 'count of an unindexed filter',
    times: 5,
    atOnce: 1,
    run: (db, number) => items(db).countDocuments({ price: { $gte: 20 + (number % 50) }, active: true }),
  },
  {
    name: 'count of an indexed filter',
    times: 50,
    atOnce: 1,
    run: (db, number) => items(db).countDocuments({ kind: `kind ${number % 200}` }),
  },
  {
    name: 'group',
    times: 3,
    atOnce: 1,
    run: (db) =>
      length(
        items(db)
          .aggregate([
            { $group: { _id: '$kind', count: { $sum: 1 }, mean: { $avg: '$price' }, most: { $max: '$rank' } } },
          ])
          .toArray(),
      ),
  },
  {
    name: 'match, group and sort',
    times: 3,
    atOnce: 1,
    run: (db) =>
      length(
        items(db)
          .aggregate([
            { $match: { active: true } },
            { $group: { _id: '$size.width', sum: { $sum: '$stock' } } },
            { $sort: { sum: -1, _id: 1 } },
          ])
          .toArray(),
      ),
  },
  {
    name: 'sort and limit',
    times: 5,
    atOnce: 1,
    run: (db) => length(items(db).find().sort({ rank: -1 }).limit(20).toArray()),
  },
  {
    name: 'text search',
    times: 2,
    atOnce: 1,
    run: (db, number) =>
      length(
        db
          .collection('texts')
          .find({ $text: { $search: `${words[number % 10]} falcon -number${number}` } })
          .sort({ score: { $meta: 'textScore' } })
          .limit(20)
          .toArray(),
      ),
  },
];
