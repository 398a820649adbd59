/** Methods of a model file that have the names of Mongoose's own: what works under Mongoose works here (docs/models.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';

/** Names of methods of documents that applications have taken, or that the server calls. */
const names = [
  ...[
    'get',
    'set',
    'validate',
    'save',
    'toObject',
    'toJSON',
    'populate',
    'markModified',
    'unmarkModified',
    'isModified',
  ],
  ...['isDirectModified', 'modifiedPaths', 'directModifiedPaths', 'parent', 'increment', 'invalidate'],
];
const fields = `{ n: { type: Number, min: 0 }, list: [Number], part: { text: String } }`;
const model = (name: string, more: string): string => `
const { Schema, model } = require('mongoose');
const schema = new Schema(${fields}, { perms: { all: 'crud' } });
schema.method('${name}', () => 'own', { suppressWarning: true });
${more}
module.exports = model('${name}${more === '' ? '' : 'Saved'}', schema);`;

let server: PeopledServer<'root'>;
beforeAll(async () => {
  const saved = `schema.pre('save', () => undefined);`;
  const files = names.flatMap((name) => [
    [`${name}.js`, model(name, '')],
    [`${name}saved.js`, model(name, saved)],
  ]);
  server = await openPeople(['root'], { models: Object.fromEntries(files) });
});

/** Whether a document can be created, found, changed, refused and saved in Mongoose itself. */
async function isReplaceable(name: string): Promise<boolean> {
  const { connection } = server.dossier.services;
  const schema = new mongoose.Schema({ n: { type: Number, min: 0 }, list: [Number] });
  schema.method(name, () => 'own', { suppressWarning: true });
  schema.pre('save', () => undefined);
  const Item = connection.useDb(`${connection.name}_beside`).model(name, schema);
  try {
    const made = await new Item({ n: 1, list: [1] }).save();
    const found = await Item.findById(made._id).orFail();
    found.n = 2;
    found.list.push(2);
    await found.save();
    const isRefused = await new Item({ n: -1 }).save().then(
      () => false,
      () => true,
    );
    const [row] = await Item.find().lean();
    return isRefused && row?.n === 2 && row.list.length === 2;
  } catch {
    return false;
  }
}

describe.each(names)('%s', (name) => {
  test.each(['', 'saved'])('documents are created, changed and refused %s', async (saved) => {
    if (!(await isReplaceable(name))) return;
    const path = `/api/${name.toLowerCase()}${saved}`;
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
});
