/** What runs around the command by which Mongoose stores a document: after all middleware before it, and before any that follows. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { aroundStoring } from '../../../../src/models/mongoose/model-writes.ts';

const order: string[] = [];
beforeEach(() => {
  order.length = 0;
});

const schema = new mongoose.Schema({ label: String });
schema.pre('save', () => void order.push('before'));
schema.post('save', () => void order.push('after'));
const connection = mongoose.createConnection();
const model = connection.model('thing', schema);
const special = model.discriminator('special', new mongoose.Schema({ more: String }));
afterAll(() => connection.close());
beforeAll(() => {
  const stored = (answer: object) => async (): Promise<never> => {
    order.push('command');
    return { acknowledged: true, ...answer } as never;
  };
  for (const { collection } of [model, special])
    Object.assign(collection, {
      insertOne: stored({ insertedId: 1 }),
      updateOne: stored({ matchedCount: 1, modifiedCount: 1 }),
    });
});

const around = {
  async insert<T>(send: () => Promise<T>): Promise<T> {
    order.push('insert');
    const answer = await send();
    order.push('done');
    return answer;
  },
  async update<T extends { readonly matchedCount: number }>(filter: object, send: () => Promise<T>): Promise<T> {
    order.push(`update ${Object.keys(filter).join()}`);
    const answer = await send();
    order.push(`matched ${answer.matchedCount}`);
    return answer;
  },
};

test.each([
  ['model', model],
  ['discriminator', special],
] as const)('a document of a %s', async (_title, of) => {
  const document = new of({ label: 'new' });
  // a second time changes nothing
  await aroundStoring(aroundStoring(document, around), around).save();
  expect(order.splice(0)).toEqual(['before', 'insert', 'command', 'done', 'after']);
  const loaded = of.hydrate({ _id: document._id, label: 'old' });
  loaded.set({ label: 'changed' });
  await aroundStoring(loaded, around).save();
  expect(order).toEqual(['before', 'update _id', 'command', 'matched 1', 'after']);
});
