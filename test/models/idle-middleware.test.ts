/** Middleware that never runs is refused at the start; that which no request runs is warned of. */
import { describe, expect, test } from '@jest/globals';
import { makeRoot } from '../support/fixtures/people.ts';
import type { ModelFiles } from '../support/models.ts';
import { startServer } from '../support/server.ts';

const file = (code: string, fields = 'a: String'): string => `const mongoose = require('mongoose');
const schema = new mongoose.Schema({ ${fields} }, { perms: { all: 'crud' } });
${code}
module.exports = schema;`;

async function warningsOf(models: ModelFiles): Promise<readonly string[]> {
  const server = await startServer({ models });
  const lines = server.log.map((line) => JSON.parse(line) as { level: string; msg: string });
  await server.close();
  return lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg);
}

const none = 'function () {}';

/** A plug-in that hides documents, as those of soft deletion do: by statics, and by middleware where it must. */
const softDeletion = `function softDeletion(one) {
  for (const name of ['find', 'countDocuments'])
    one.statics[name] = function (...given) { return mongoose.Model[name].apply(this, given).where('deleted').ne(true); };
  one.pre('aggregate', function () { this.pipeline().unshift({ $match: { deleted: { $ne: true } } }); });
}
`;

describe('is refused at the start, by file and registration,', () => {
  test.each([
    ['remove', 'deleteOne with { document: true, query: false }'],
    ['update', 'updateOne, updateMany or findOneAndUpdate'],
    ['count', 'countDocuments'],
    ['create', 'save'],
    ['findById', 'findOne'],
    ['findByIdAndUpdate', 'findOneAndUpdate'],
    ['findByIdAndDelete', 'findOneAndDelete'],
    ['findByIdAndRemove', 'findOneAndDelete'],
    ['findOneAndRemove', 'findOneAndDelete'],
    ['exists', 'findOne'],
    ['saev', 'save'],
    ['publsih', 'publish'],
  ])('%s, with %s instead', async (name, other) => {
    const code = `schema.methods.publish = () => undefined;`;
    for (const when of ['pre', 'post'])
      await expect(
        startServer({ models: { 'thing.cjs': file(`${code} schema.${when}('${name}', ${none});`) } }),
      ).rejects.toThrow(
        new RegExp(
          `thing\\.cjs: ${when}\\('${name}'\\) never runs: Mongoose has no middleware of ${name}; use ${other.split(' ')[0]}`,
        ),
      );
  });

  test('where nothing resembles it', async () => {
    await expect(startServer({ models: { 'thing.cjs': file(`schema.pre('xyz', ${none});`) } })).rejects.toThrow(
      /thing\.cjs: pre\('xyz'\) never runs: Mongoose has no middleware of xyz$/,
    );
  });

  test.each([
    ['a nested schema', file('', `parts: [new mongoose.Schema({ b: String }).pre('remove', ${none})]`)],
    ['a kind', file(`schema.discriminator('idleKind', new mongoose.Schema({ b: String }).pre('remove', ${none}));`)],
    ['a plugin', file(`schema.plugin((one) => one.pre('remove', ${none}));`)],
    ['a list of names', file(`schema.pre(['save', 'remove'], ${none}); schema.pre(['count'], ${none});`)],
    [
      'a compiled model',
      file(`schema.pre('remove', ${none}); module.exports = mongoose.model('Idle', schema); return;`).replace(
        'module.exports = schema;',
        '',
      ),
    ],
  ])('in %s', async (_place, text) => {
    const code = text.replace(' return;', '');
    await expect(startServer({ models: { 'thing.cjs': code } })).rejects.toThrow(
      /thing\.cjs: pre\('(remove|count)'\) never runs/,
    );
  });
});

test('is no fault where it may run: other names for the same code, methods and statics of the model', async () => {
  const code = `const both = ${none};
schema.pre(['save', 'remove', 'update'], both);
schema.pre(/^(save|remove)$/, ${none});
schema.methods.publish = function () {}; schema.statics.collect = function () {};
schema.pre('publish', ${none}); schema.post('collect', ${none}); schema.pre('init', ${none}); schema.pre('createCollection', ${none});`;
  expect(await warningsOf({ 'thing.cjs': file(code) })).toEqual([]);
});

test.each([
  [`schema.pre('update', ${none}); schema.pre('findOneAndUpdate', ${none});`],
  [`schema.post('remove', ${none}); schema.post('deleteOne', { document: true }, ${none});`],
  [`schema.plugin((one) => { one.pre('count', ${none}); one.pre('countDocuments', ${none}); });`],
])('is no fault beside other middleware of a function that took its place: %s', async (code) => {
  await (await startServer({ models: { 'thing.cjs': file(code) } })).close();
});

test('is a fault beside middleware of other functions', async () => {
  const code = `schema.pre('update', ${none}); schema.pre('save', ${none}); schema.pre('countDocuments', ${none});`;
  await expect(startServer({ models: { 'thing.cjs': file(code) } })).rejects.toThrow(/pre\('update'\) never runs/);
});

describe('is warned of where no request runs it', () => {
  test.each<[code: string, names: string, advice: string]>([
    [
      `schema.pre('find', ${none}); schema.post('findOne', ${none});`,
      `pre('find'), post('findOne')`,
      'what it would hide is shown; use rights on rows',
    ],
    [`schema.pre('aggregate', ${none});`, `pre('aggregate')`, 'what it would hide is shown'],
    [
      `schema.pre('updateOne', ${none}); schema.post('insertMany', ${none});`,
      `pre('updateOne'), post('insertMany')`,
      "use pre('save')",
    ],
    [`schema.pre('deleteOne', { document: true }, ${none});`, `pre('deleteOne')`, 'use pre_hooks.delete of the config'],
  ])('%s', async (code, names, advice) => {
    const [line, ...others] = await warningsOf({ 'thing.cjs': file(code) });
    expect(line).toContain(`thing: no request runs ${names}: ${advice}`);
    expect(others).toEqual([]);
  });

  test('of updates where changes load and save, and only there', async () => {
    const update = `schema.pre('findOneAndUpdate', ${none});`;
    const lines = await warningsOf({
      'atomic.cjs': file(update),
      'saved.cjs': file(`${update} schema.pre('save', ${none});`),
    });
    expect(lines).toEqual([
      `saved: no request runs pre('findOneAndUpdate'): changes of this model load and save; use pre('save')`,
    ]);
  });

  test('by one line for all of a pattern', async () => {
    const [line, ...others] = await warningsOf({ 'thing.cjs': file(`schema.pre(/^(find|count)/, ${none});`) });
    expect(line).toContain(
      "thing: no request runs pre(['countDocuments', 'find', 'findOne', 'findOneAndReplace', 'findOneAndDelete']): what it would hide",
    );
    expect(others).toEqual([]);
  });

  test('by the pattern, where none of its functions runs', async () => {
    const code = `schema.pre('save', ${none}); schema.pre(/^find/, ${none}); schema.post(/^find/, ${none});`;
    const [line, ...others] = await warningsOf({ 'thing.cjs': file(code) });
    expect(line).toContain('thing: no request runs pre(/^find/), post(/^find/): what it would hide');
    expect(others).toEqual([]);
  });

  test.each<[code: string, names: string, advice: string]>([
    [
      'schema.plugin(softDeletion);',
      "pre('aggregate'), statics.find, statics.countDocuments",
      'what it would hide is shown; use rights on rows',
    ],
    ['schema.statics.exists = async () => null;', 'statics.exists', 'what it would hide is shown'],
    ['schema.statics.findOneAndUpdate = () => null;', 'statics.findOneAndUpdate', "use pre('save')"],
    ['schema.statics.create = () => null;', 'statics.create', "use pre('save')"],
    ['schema.statics.deleteMany = () => null;', 'statics.deleteMany', 'use pre_hooks.delete of the config'],
    ['schema.loadClass(class { static findById() {} });', 'statics.findById', 'what it would hide is shown'],
    [
      "schema.discriminator('Kind', new mongoose.Schema({ b: String }, { statics: { find() {} } }));",
      'statics.find',
      'what it would hide is shown',
    ],
  ])('also as a static: %s', async (code, names, advice) => {
    const [line, ...others] = await warningsOf({
      'thing.cjs': file(softDeletion + code, 'a: String, deleted: Boolean'),
    });
    expect(line).toContain(`thing: no request runs ${names}: ${advice}`);
    expect(others).toEqual([]);
  });

  test('but not as a static that requests call', async () => {
    const code = `schema.set('callable_statics', { find: 'r' }); schema.statics.find = () => 'found'; schema.statics.collect = () => 1;`;
    expect(await warningsOf({ 'thing.cjs': file(code) })).toEqual([]);
  });

  test('and runs for code of the model file', async () => {
    const server = await startServer({
      models: {
        'thing.cjs': `module.exports = ({ Schema }) => {
          const schema = new Schema({ a: String }, { perms: { all: 'crud' }, callable_statics: { found: 'r' } });
          schema.pre('find', function () { this.where({ a: 'shown' }); });
          schema.statics.found = async function () { return (await this.find().lean()).map(({ a }) => a); };
          return schema;
        };`,
      },
    });
    for (const a of ['shown', 'hidden']) await server.post('/api/thing', { a });
    expect((await server.post('/call/thing/found', {})).body['data']).toEqual(['shown']);
    expect((await server.get('/api/thing?sort=a')).rows).toMatchObject([{ a: 'hidden' }, { a: 'shown' }]);
  });
});

test('statics in the place of functions that the server itself uses are not called', async () => {
  const refuse = `() => { throw new Error('of the application'); }`;
  const statics = ['find', 'findOneAndUpdate'].map((name) => `schema.statics.${name} = ${refuse};`).join(' ');
  const server = await startServer({
    models: { 'thing.cjs': file(`${statics} schema.set('advanced_queries', { bulkwrite: true });`) },
    pre_hooks: {
      get(request: any, _answer: unknown, next: () => void) {
        request.dossier.filter = { a: 'x' };
        next();
      },
    },
  });
  const root = await makeRoot(server);
  for (const a of ['x', 'y']) await server.post('/api/thing', { a });
  const change = [{ updateOne: { filter: { a: 'y' }, update: { $set: { a: 'z' } } } }];
  expect((await server.post('/bulkwrite/thing', change, root)).status).toBe(200);
  expect((await server.get('/api/thing')).rows).toMatchObject([{ a: 'x' }]);
});
