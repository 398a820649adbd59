/** Methods of a model file that have the names of Mongoose's own: what works under Mongoose works here (docs/models.md). */
import { beforeAll, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { internalNames } from '../../src/models/options/shadowed-methods.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

/** The names of all methods of documents, but for those that the start warns of. */
const names = namesOf(mongoose.Model.prototype).filter((name) => name !== 'constructor' && !internalNames.has(name));
function namesOf(prototype: object | null): readonly string[] {
  if (prototype === null || prototype === Object.prototype) return [];
  const above = namesOf(Object.getPrototypeOf(prototype) as object | null);
  return [...new Set([...Object.getOwnPropertyNames(prototype), ...above])];
}
const replaced = `for (const name of ${JSON.stringify(names)}) schema.method(name, () => 'own', { suppressWarning: true });`;
const fields = `{ n: { type: Number, min: 0 }, list: [Number], part: { text: String } }`;
const model = (more: string): string => `
const { Schema } = require('mongoose');
const schema = new Schema(${fields}, { perms: { all: 'crud' } });
${replaced}
${more}
module.exports = schema;`;

let server: PeopledServer<'root'>;
beforeAll(async () => {
  server = await openPeople(['root'], {
    models: { 'item.js': model(''), 'saved.js': model(`schema.pre('save', () => undefined);`) },
  });
});

test('Mongoose itself does without them', async () => {
  const { connection } = server.dossier.services;
  const schema = new mongoose.Schema({ n: { type: Number, min: 0 }, list: [Number] });
  // its save() is what stores
  for (const name of names) if (name !== 'save') schema.method(name, () => 'own', { suppressWarning: true });
  const Item = connection.useDb(`${connection.name}_beside`).model('Item', schema);
  const made = await new Item({ n: 1, list: [1] }).save();
  const found = await Item.findById(made._id).orFail();
  found.n = 2;
  found.list.push(2);
  await found.save();
  await expect(new Item({ n: -1 }).save()).rejects.toThrow('validation failed');
  expect(await Item.find().lean()).toMatchObject([{ n: 2, list: [1, 2] }]);
});

test.each(['item', 'saved'])('documents are created, changed and refused: %s', async (name) => {
  const path = `/api/${name}`;
  const made = await server.post(path, { n: 1, list: [1] });
  const id = String(made.document['_id']);
  const steps = [
    made,
    await server.put(`${path}/${id}`, { n: 2 }),
    await server.send('PATCH', `${path}/${id}`, { body: { $inc: { n: 1 }, $push: { list: 2 } } }),
    await server.put(`${path.replace('/api', '/update')}/${id}`, { 'part.text': 'a' }),
    await server.get(`${path}/${id}`),
  ];
  expect(steps.map(({ status, text }) => (status < 300 ? status : text))).toEqual([201, 200, 200, 200, 200]);
  expect((await server.get(path)).rows).toMatchObject([{ n: 3, list: [1, 2], part: { text: 'a' } }]);
  const refused = [await server.post(path, { n: -1 }), await server.put(`${path}/${id}`, { n: -1 })];
  expect(refused.map(({ status }) => status)).toEqual([400, 400]);
});
