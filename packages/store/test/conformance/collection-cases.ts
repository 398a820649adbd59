/** Validators, views and capped collections, with the results of MongoDB's manual. */
import type { Db, Document } from 'mongodb';
import { type Case, command, found, shown } from './case.ts';

interface Kept {
  readonly name: string;
  /** The options of `create`. */
  readonly options: Document;
  readonly inserted: readonly Document[];
  /** What is done and returned, with the name of the collection. */
  readonly ask: (db: Db, name: string) => Promise<unknown>;
  readonly expected: Case['expected'];
}

/** A collection that is made for one case and dropped after it. */
const kept = ({ name, options, inserted, ask, expected }: Kept): Case => ({
  name,
  ask: async (db) => {
    const collection = 'kept';
    try {
      await command(db, { create: collection, ...options });
      if (inserted.length > 0) await command(db, { insert: collection, documents: inserted });
      return await ask(db, collection);
    } finally {
      await db.dropCollection(collection).catch(() => undefined);
    }
  },
  expected,
});

const all = async (db: Db, name: string): Promise<string> => shown(await found(db, name));
const insert =
  (doc: Document, more: Document = {}) =>
  async (db: Db, name: string): Promise<string> => {
    await command(db, { insert: name, documents: [doc], ...more });
    return all(db, name);
  };
const set =
  (change: Document) =>
  async (db: Db, name: string): Promise<string> => {
    await command(db, { update: name, updates: [{ q: {}, u: { $set: change } }] });
    return all(db, name);
  };

const adult = { validator: { $jsonSchema: { required: ['age'], properties: { age: { minimum: 18 } } } } };
const positive = { validator: { n: { $gt: 0 } } };
const refused = { code: 121 };

const validators: readonly Case[] = [
  kept({
    name: 'a schema refuses an insert',
    options: adult,
    inserted: [],
    ask: insert({ _id: 1 }),
    expected: refused,
  }),
  kept({
    name: 'a schema accepts an insert',
    options: adult,
    inserted: [],
    ask: insert({ _id: 1, age: 18 }),
    expected: { answer: shown([{ _id: 1, age: 18 }]) },
  }),
  kept({
    name: 'a schema refuses an update',
    options: adult,
    inserted: [{ _id: 1, age: 18 }],
    ask: set({ age: 17 }),
    expected: refused,
  }),
  kept({
    name: 'a condition refuses an insert',
    options: positive,
    inserted: [],
    ask: insert({ _id: 1, n: 0 }),
    expected: refused,
  }),
  kept({
    name: 'a bypassed validator refuses nothing',
    options: positive,
    inserted: [],
    ask: insert({ _id: 1, n: 0 }, { bypassDocumentValidation: true }),
    expected: { answer: shown([{ _id: 1, n: 0 }]) },
  }),
  kept({
    name: 'a validator of the level off refuses nothing',
    options: { ...positive, validationLevel: 'off' },
    inserted: [],
    ask: insert({ _id: 1, n: 0 }),
    expected: { answer: shown([{ _id: 1, n: 0 }]) },
  }),
  kept({
    name: 'a validator that only warns refuses nothing',
    options: { ...positive, validationAction: 'warn' },
    inserted: [],
    ask: insert({ _id: 1, n: 0 }),
    expected: { answer: shown([{ _id: 1, n: 0 }]) },
  }),
  kept({
    name: 'collMod removes a validator',
    options: positive,
    inserted: [],
    ask: async (db, name) => {
      await command(db, { collMod: name, validator: {} });
      return insert({ _id: 1, n: 0 })(db, name);
    },
    expected: { answer: shown([{ _id: 1, n: 0 }]) },
  }),
];

/** The view `kept` over the collection `sales`. */
const view = {
  viewOn: 'sales',
  pipeline: [{ $match: { qty: { $gt: 3 } } }, { $set: { twice: { $add: ['$qty', '$qty'] } } }],
};
const viewed = (name: string, ask: Kept['ask'], expected: Case['expected']): Case =>
  kept({ name, options: view, inserted: [], ask, expected });

const views: readonly Case[] = [
  viewed(
    'a view is found with a filter, an order and a projection',
    async (db, name) => {
      const options = { filter: { twice: { $lt: 20 } }, sort: { _id: -1 }, projection: { twice: 1 } };
      return (await found(db, name, options)).map(({ _id, twice }) => [Number(_id), Number(twice)]);
    },
    {
      answer: [
        [4, 8],
        [3, 10],
      ],
    },
  ),
  viewed('a view is counted', async (db, name) => Number((await command(db, { count: name }))['n']), { answer: 3 }),
  viewed(
    'a view has distinct values',
    async (db, name) => ((await command(db, { distinct: name, key: 'item' }))['values'] as string[]).toSorted(),
    { answer: ['a', 'b', 'c'] },
  ),
  viewed(
    'a view is aggregated',
    (db, name) =>
      db
        .collection(name)
        .aggregate([{ $group: { _id: null, sum: { $sum: '$twice' } } }])
        .toArray(),
    { answer: [{ _id: null, sum: 38 }] },
  ),
  viewed(
    'a view is joined',
    (db, name) =>
      db
        .collection('sales')
        .aggregate([
          { $match: { _id: 3 } },
          { $lookup: { from: name, localField: '_id', foreignField: '_id', as: 'found' } },
          { $project: { twice: { $first: '$found.twice' } } },
        ])
        .toArray(),
    { answer: [{ _id: 3, twice: 10 }] },
  ),
  viewed('a view cannot be written', insert({ _id: 9 }), { code: 166 }),
];

const capped: readonly Case[] = [
  kept({
    name: 'a capped collection keeps the newest documents',
    options: { capped: true, size: 100_000, max: 2 },
    inserted: [{ _id: 3 }, { _id: 1 }],
    ask: insert({ _id: 2 }),
    expected: { answer: shown([{ _id: 1 }, { _id: 2 }]) },
  }),
];

/** The cases of this file. */
export const collectionCases: readonly Case[] = [...validators, ...views, ...capped];
