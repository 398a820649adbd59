/** Models of one collection: the rights of each hold for the documents of all. */
import { expect, test } from '@jest/globals';
import { checkProject } from '../../src/cli/check/project.ts';
import { type ModelFiles, writeModels } from '../support/models.ts';
import { startServer } from '../support/server.ts';

const plain = (options: string): string =>
  `export default ({ Schema }) => new Schema({ email: String, password: String, admin: Boolean }, { perms: { user: 'cru' }, ${options} });`;
const compiled = (name: string, more = ''): string =>
  `const mongoose = require('mongoose');
const schema = new mongoose.Schema({ email: String, password: String, admin: Boolean }, { perms: { user: 'cru' } });
${more}
module.exports = mongoose.model('${name}', schema${more === '' ? ", 'users'" : ''});`;
const ofUsers = /that of users.*name the file user\.\*/;

const refused: readonly (readonly [string, ModelFiles, RegExp])[] = [
  ['the option collection', { 'account.ts': plain("collection: 'users'") }, ofUsers],
  ['a compiled model', { 'account.js': compiled('Account') }, ofUsers],
  [
    'a compiled model named User in another file',
    { 'account.js': compiled('User', 'schema.index({ email: 1 });') },
    ofUsers,
  ],
  ['the plural of the name', { 'users.ts': plain('') }, ofUsers],
  [
    'the collection of an own user model',
    { 'user.ts': plain("collection: 'people'"), 'person.ts': plain("collection: 'people'") },
    ofUsers,
  ],
  ['the collection of sessions', { 'a.ts': plain("collection: '_dossier_sessions'") }, /a\.ts: .*the server's own/],
  ['the audit log', { 'a.ts': plain("collection: '_dossier_audit'") }, /a\.ts: .*the server's own/],
];

test.each(refused)('%s in a collection of the server stops the start and the check', async (_name, models, reason) => {
  await expect(startServer({ models })).rejects.toThrow(reason);
  const { folder, remove } = await writeModels(models);
  const { faults } = await checkProject({ MODELS_DIR: folder, MONGODB_URL: '' }, () => undefined);
  await remove();
  expect(faults).toContainEqual(expect.objectContaining({ message: expect.stringMatching(reason) }));
});

const warnings = async (models: ModelFiles): Promise<readonly string[]> => {
  const server = await startServer({ models });
  await server.close();
  return server.log.filter((line) => line.includes('is also that of'));
};

test('two models of one collection are named, each with the other', async () => {
  const lines = await warnings({
    'cat.ts': plain("collection: 'pets'"),
    'dog.js': compiled('Dog').replace("'users'", "'pets'"),
  });
  expect(lines).toEqual([
    expect.stringContaining('cat: the collection pets is also that of dog'),
    expect.stringContaining('dog: the collection pets is also that of cat'),
  ]);
});

test('discriminators share the collection of their model, also that of users', async () => {
  const kinds = (kind: string, options = ''): string =>
    `export default ({ Schema }) => {
      const schema = new Schema({ name: String }, { discriminatorKey: 'kind', perms: { user: 'r' }, ${options} });
      schema.discriminator('${kind}', new Schema({ more: String }));
      return schema;
    };`;
  expect(await warnings({ 'user.ts': kinds('staff'), 'pet.ts': kinds('wild', "collection: 'animals'") })).toEqual([]);
});

test('a user model in a collection of its own leaves the name users free', async () => {
  expect(
    await warnings({ 'user.ts': plain("collection: 'people'"), 'guest.ts': plain("collection: 'users'") }),
  ).toEqual([]);
});
