/** The documents that are measured: the same at every run. */
import mongoose from 'mongoose';

const { ObjectId } = mongoose.Types;
type Db = mongoose.mongo.Db;

export const itemCount = 5000;
const makerCount = 50;

const idOf = (kind: number, number: number): mongoose.Types.ObjectId =>
  new ObjectId(`${kind.toString(16).padStart(8, '0')}${number.toString(16).padStart(16, '0')}`);

export const itemId = (number: number): string => idOf(1, number).toHexString();

const stamps = { _deleted: false, createdAt: new Date(1.7e12), updatedAt: new Date(1.71e12), __v: 0 };

/** The fields of an item as a caller would send them. */
export const itemBody = (number: number): Record<string, unknown> => ({
  title: `Item number ${number} of the measured collection`,
  kind: `kind ${number % 50}`,
  code: `C-${String(number * 7919).padStart(8, '0')}`,
  description: `A description of item ${number}, about as long as such texts are, with "quotes" now and then.`,
  price: ((number * 37) % 10_000) / 100,
  stock: (number * 13) % 997,
  rating: 1 + ((number * 7) % 40) / 10,
  active: number % 3 !== 0,
  released: new Date(1.5e12 + number * 3_600_000).toISOString(),
  size: { width: number % 100, height: number % 70, depth: (number % 50) + 0.5, unit: 'cm' },
  labels: ['red', 'blue', 'large', 'new', `label ${number % 9}`],
  maker_id: idOf(2, number % makerCount).toHexString(),
});

function item(number: number): Record<string, unknown> {
  const body = itemBody(number);
  return {
    _id: idOf(1, number),
    ...body,
    released: new Date(String(body['released'])),
    maker_id: idOf(2, number % makerCount),
    ...stamps,
  };
}

const maker = (number: number): Record<string, unknown> => ({
  _id: idOf(2, number),
  name: `Maker ${number}`,
  country: ['DK', 'JP', 'BR', 'NL'][number % 4],
  founded: 1900 + number,
  ...stamps,
});

/** Small documents, of which there are many. */
const leafCount = 100_000;
const leaf = (number: number): Record<string, unknown> => ({
  _id: idOf(3, number),
  n: (number * 7919) % leafCount,
  title: `Leaf ${number}`,
  ...stamps,
});

/** The collections that are measured. */
export const collections = ['items', 'makers', 'drafts', 'leaves'] as const;

/** Replaces the stored documents by those of this file. */
export async function fill(db: Db): Promise<void> {
  for (const name of collections) await db.collection(name).deleteMany({});
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, number) => number);
  await db.collection('makers').insertMany(numbers(makerCount).map(maker));
  for (let from = 0; from < itemCount; from += 1000)
    await db.collection('items').insertMany(numbers(1000).map((number) => item(from + number)));
  for (let from = 0; from < leafCount; from += 5000)
    await db.collection('leaves').insertMany(numbers(5000).map((number) => leaf(from + number)));
}
