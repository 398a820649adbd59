/** `dossier check` on documents whose ids are no ObjectIds: what it accepts, and links to documents that are not there. */
import { beforeAll, expect, test } from '@jest/globals';
import { documentFaults } from '../../src/cli/check/documents.ts';
import { mongo } from '../../src/models/mongoose.ts';
import { startServer, type TestServer } from '../support/server.ts';

const { BSON } = mongo;
const uuid = (last: string): string => `018f3a00-0000-7000-8000-00000000000${last}`;

/** By the type of the ids: one that is stored, and one that is not. */
const ids: Readonly<Record<string, readonly [there: unknown, missing: unknown]>> = {
  String: ['be/lgium', 'atlantis'],
  Number: [7, 8],
  UUID: [new BSON.UUID(uuid('a')), new BSON.UUID(uuid('b'))],
  ObjectId: [new BSON.ObjectId(), new BSON.ObjectId()],
};

let server: TestServer;
beforeAll(async () => {
  const models = Object.keys(ids).flatMap((type) => [
    [
      `${type}.js`,
      `module.exports = ({ Schema }) => new Schema({ _id: Schema.Types.${type}, name: String }, { perms: { user: 'r' } });`,
    ],
    [
      `of${type}.js`,
      `module.exports = ({ Schema }) => {
  const id = { type: Schema.Types.${type}, link: '${type}' };
  return new Schema({ one_id: id, all_ids: [id], deep: { list: [{ in_id: id }] } }, { perms: { user: 'r' } });
};`,
    ],
  ]);
  server = await startServer({ models: Object.fromEntries(models) as Record<string, string> });
});

test.each(Object.entries(ids))('links to ids of the type %s', async (type, [there, missing]) => {
  const { registry, connection } = server.dossier.services;
  const [target, linking] = [registry.get(type.toLowerCase()), registry.get(`of${type}`.toLowerCase())];
  await connection.collection(target.collection).insertOne({ _id: there as never, name: 'there' });
  expect(await documentFaults(target, registry, () => undefined)).toEqual([]);
  const links = connection.collection(linking.collection);
  await links.insertOne({ one_id: there, all_ids: [there, there], deep: { list: [{ in_id: there }] } });
  expect(await documentFaults(linking, registry, () => undefined)).toEqual([]);
  const { insertedId } = await links.insertOne({
    one_id: missing,
    all_ids: [there, missing],
    deep: { list: [{ in_id: missing }] },
  });
  const faults = await documentFaults(linking, registry, () => undefined);
  expect(faults.map(({ kind, path, count, examples }) => [kind, path, count, examples])).toEqual(
    ['one_id', 'all_ids', 'deep.list.in_id'].map((path) => ['link', path, 1, [String(insertedId)]]),
  );
});
