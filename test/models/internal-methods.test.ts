/** Methods of a model file that have the names of those which Mongoose calls itself: the start names them (docs/models.md). */
import { describe, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

const head = `const { Schema, model } = require('mongoose');\n`;
const warningsOf = (server: TestServer): readonly string[] =>
  server.log
    .map((line) => JSON.parse(line) as { level: string; msg: string })
    .filter(({ level, msg }) => level === 'warn' && msg.includes('the method'))
    .map(({ msg }) => msg);
const named = (name: string): RegExp =>
  new RegExp(
    `^book: the method ${name.replaceAll(/[$.]/g, '\\$&')} in \\S*book\\.js:3 replaces Mongoose's own.*rename it$`,
  );

const ways: Readonly<Record<string, (name: string) => string>> = {
  methods: (name) => `schema.methods.${name} = () => 1;`,
  'method()': (name) => `schema.method('${name}', () => 1);`,
  'a class': (name) => `schema.loadClass(class { ${name}() { return 1; } });`,
};

describe.each(Object.entries(ways))('by %s', (_way, method) => {
  test.each(['ownerDocument', 'markModified', '$set', '$__delta', '$isSubdocument'])('%s', async (name) => {
    const server = await startServer({
      models: {
        'book.js': `${head}const schema = new Schema({ n: Number }, { perms: { all: 'crud' } });
${method(name)}
module.exports = schema;`,
      },
    });
    expect(warningsOf(server)).toEqual([expect.stringMatching(named(name))]);
  });
});

test('those of nested documents are named by their paths', async () => {
  const server = await startServer({
    models: {
      'book.js': `${head}const part = new Schema({ n: Number });
part.methods.markModified = () => 1;
module.exports = model('Book', new Schema({ parts: [part] }, { perms: { all: 'crud' } }));`,
    },
  });
  expect(warningsOf(server)).toEqual([expect.stringMatching(named('parts.markModified'))]);
});

test('others are not named, nor those whose file suppresses the warning of Mongoose', async () => {
  const server = await startServer({
    models: {
      'book.js': `${head}const schema = new Schema({ n: Number }, { perms: { all: 'crud' } });
for (const name of ['toJSON', 'equals', 'parent', 'isRed']) schema.methods[name] = () => ({});
schema.method('toObject', function (options) { return Object.getPrototypeOf(model('Book').prototype).toObject.call(this, options); }, { suppressWarning: true });
module.exports = model('Book', schema);`,
    },
  });
  expect(warningsOf(server)).toEqual([]);
  expect((await server.post('/api/book', { n: 1 })).status).toBe(201);
});

test.each(['$locals', '$op'])('the name %s of a property stops the start', async (name) => {
  for (const end of ['module.exports = schema;', `model('Book', schema);`])
    await expect(
      startServer({
        models: {
          'book.js': `${head}const schema = new Schema({ n: Number });\nschema.methods.${name} = () => 1;\n${end}`,
        },
      }),
    ).rejects.toThrow(new RegExp(`book\\.js: the method \\${name} has the name of a property.*rename it`));
});

/** Those that Mongoose needs, at the top of documents and in nested ones. */
const needed: readonly (readonly [member: string, where: 'top' | 'nested', as: 'method' | 'virtual'])[] = [
  ...['modifiedPaths', 'init', '$__buildDoc', '$__validateSync'].map((name) => [name, 'top', 'method'] as const),
  ...['ownerDocument', 'modifiedPaths', 'init'].map((name) => [name, 'nested', 'method'] as const),
  ...['markModified', '$set', 'get'].map((name) => [name, 'top', 'virtual'] as const),
  ...['ownerDocument', 'markModified'].map((name) => [name, 'nested', 'virtual'] as const),
];
test.each(needed)('%s stops the start: %s, a %s', async (name, where, as) => {
  const on = where === 'top' ? 'schema' : 'part';
  const member = as === 'method' ? `${on}.methods.${name} = () => 1;` : `${on}.virtual('${name}').get(() => 1);`;
  const models = {
    'book.js': `${head}const part = new Schema({ n: Number });
${where === 'nested' ? member : ''}
const schema = new Schema({ n: Number, parts: [part] }, { perms: { all: 'crud' } });
${where === 'top' ? member : ''}
module.exports = model('Book', schema);`,
  };
  const path = (where === 'top' ? '' : 'parts.') + name;
  const place = `book\\.js:${where === 'top' ? 5 : 3}`;
  await expect(startServer({ models })).rejects.toThrow(
    new RegExp(
      `the ${as} ${path.replaceAll(/[$.]/g, '\\$&')} in \\S*${place} takes the place of .* that Mongoose needs \\(.+\\): rename it`,
    ),
  );
});

test('a method that calls the one which it replaces, and fails with documents of no other model, is left', async () => {
  const server = await startServer({
    models: {
      'book.js': `${head}const schema = new Schema({ n: { type: Number, default: 1 }, list: { type: [Number], default: [1] } }, { perms: { all: 'crud' } });
const { toObject, modifiedPaths } = require('mongoose').Document.prototype;
schema.methods.toObject = function (...given) { return { ...toObject.apply(this, given), count: this.list.length }; };
schema.methods.modifiedPaths = function (...given) { if (this.list.length < 1) throw new Error('none'); return modifiedPaths.apply(this, given); };
module.exports = model('Book', schema);`,
    },
  });
  expect((await server.post('/api/book', {})).status).toBe(201);
});
