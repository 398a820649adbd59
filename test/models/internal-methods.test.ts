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
  test.each(['ownerDocument', 'modifiedPaths', '$set', '$__delta', '$isSubdocument'])('%s', async (name) => {
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
part.methods.ownerDocument = () => 1;
module.exports = model('Book', new Schema({ parts: [part] }, { perms: { all: 'crud' } }));`,
    },
  });
  expect(warningsOf(server)).toEqual([expect.stringMatching(named('parts.ownerDocument'))]);
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
