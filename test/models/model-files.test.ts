/** The forms of model files, and what stops the start (docs/models.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

const typed = `import { Schema } from 'mongoose';
interface Row { label: string }
export default new Schema<Row>({ label: String }, { perms: { all: 'cr' } });`;
const common = `const { Schema } = require('mongoose');
module.exports = new Schema({ label: String }, { perms: { all: 'cr' } });`;
const given = `module.exports = ({ Schema, ObjectId, Mixed, mongoose }) =>
  new Schema({ label: String, other_id: { type: ObjectId, ref: 'THING' }, any: Mixed }, { perms: { all: 'cr' } });`;
const compiled = `const mongoose = require('mongoose');
module.exports = mongoose.createConnection().model('Whatever', new mongoose.Schema({ label: String }, { perms: { all: 'cr' } }), 'own_things');`;
/** A module with a default export, as compiled by TypeScript and esbuild. */
const built = `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
const mongoose_1 = require("mongoose");
exports.name = "thing";
exports.default = new mongoose_1.Schema({ label: String }, { perms: { all: 'cr' } });`;
const bundled = `const things = Object.defineProperty({}, 'default', { get: () => thing, enumerable: true });
module.exports = Object.defineProperty(things, '__esModule', { value: true });
const { Schema } = require('mongoose');
const thing = new Schema({ label: String }, { perms: { all: 'cr' } });`;

describe('every form is served', () => {
  const forms: readonly (readonly [string, string])[] = [
    ['thing.ts', typed],
    ['thing.js', common],
    ['thing.js', typed.replace('interface Row { label: string }\n', '').replace('<Row>', '')],
    ['thing.cjs', common],
    [
      'thing.mjs',
      "import { Schema } from 'mongoose';\nexport default new Schema({ label: String }, { perms: { all: 'cr' } });",
    ],
    ['thing_model.js', given],
    ['thing.model.js', given],
    ['Thing.ts', typed],
    ['thing.js', `module.exports = async ({ Schema }) => new Schema({ label: String }, { perms: { all: 'cr' } });`],
    ['thing.js', compiled],
    ['thing.js', built],
    ['thing.cjs', built],
    ['thing.cjs', bundled],
    ['thing.js', common.replace('{ label', '{ _id: Schema.Types.ObjectId, label')],
    ['thing.js', common.replace('{ label', '{ _id: { type: Schema.Types.ObjectId, required: true }, label')],
    ['thing.js', common.replace('{ label', '{ _id: { type: Schema.Types.ObjectId, auto: true }, label')],
  ];
  /** One server has them all, each under a name of its own. */
  const files = forms.map(([name, text], at) => [
    name.replace(/thing/i, (stem) => stem + String(at)),
    text.replace('THING', `THING${at}`),
  ]);
  const ignored = {
    '_left.ts': 'broken(',
    'thing0.test.ts': 'broken(',
    'thing0.spec.js': 'broken(',
    'thing0.d.ts': 'broken(',
  };
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ models: { ...Object.fromEntries(files), ...ignored } });
  });

  test.each(forms.map(([name], at) => [name, `/api/thing${at}`] as const))('%s', async (_name, path) => {
    expect((await server.post(path, { label: 'a' })).status).toBe(201);
    const { body } = await server.get(path);
    expect(body.data).toMatchObject([{ label: 'a', _deleted: false, __v: 0 }]);
  });
});

const perms = (text: string): string =>
  `import { Schema } from 'mongoose'; export default new Schema({ a: String }, ${text} as object);`;

describe('a broken file stops the start with its name and the reason', () => {
  test.each([
    ['a syntax error', { 'bad.ts': 'export default new Schema(' }, /bad\.ts/],
    ['a bad letter', { 'bad.ts': perms("{ perms: { all: 'x' } }") }, /bad\.ts: perms\.all/],
    [
      'an unknown switch',
      { 'bad.ts': perms('{ advanced_queries: { bulk: true } }') },
      /bad\.ts: advanced_queries\.bulk/,
    ],
    [
      'an unknown static',
      { 'bad.ts': perms("{ callable_statics: ['nosuch'] }") },
      /bad\.ts: callable_statics names nosuch/,
    ],
    [
      'a link to an unknown model',
      {
        'bad.ts': `import { Schema } from 'mongoose'; export default new Schema({ x_id: { type: Schema.Types.ObjectId, link: 'nosuch' } });`,
      },
      /bad\.ts: x_id links to nosuch/,
    ],
    ...[
      ['a field', 'author: String, author_id: { type: Schema.Types.ObjectId, link: "bad" }', 'author'],
      ['an object', 'author: { name: String }, author_id: { type: Schema.Types.ObjectId, link: "bad" }', 'author'],
      ['a list', 'by: [String], a: { type: Schema.Types.ObjectId, link: "bad", map_to: "by" }', 'by'],
      ['an id', 'a: { type: Schema.Types.ObjectId, link: "bad", map_to: "_id" }', '_id'],
      ['the short id', 'a: { type: Schema.Types.ObjectId, link: "bad", map_to: "id" }', 'id'],
      [
        'another link',
        'a: { type: Schema.Types.ObjectId, link: "bad", map_to: "x" }, b: { type: Schema.Types.ObjectId, link: "bad", map_to: "x" }',
        'x',
      ],
    ].map(
      ([what, fields, name]) =>
        [
          `a link with the name of ${what}`,
          { 'bad.ts': `import { Schema } from 'mongoose'; export default new Schema({ ${fields} });` },
          new RegExp(`bad\\.ts: .* is shown as ${name}, which is also the name of another field`),
        ] as const,
    ),
    ...['String', 'Number'].flatMap((type) =>
      ['createdAt', 'updatedAt'].map(
        (path) =>
          [
            `${path} as a ${type}`,
            { 'bad.ts': `import { Schema } from 'mongoose'; export default new Schema({ ${path}: ${type} });` },
            new RegExp(`bad\\.ts: ${path} must be of type Date`),
          ] as const,
      ),
    ),
    ...['[{ name: String }]', '[Schema.Types.ObjectId]', '[Number]'].map(
      (type) =>
        [
          `groups of users as ${type}`,
          { 'user.ts': `import { Schema } from 'mongoose'; export default new Schema({ groups: ${type} });` },
          /user\.ts: groups of a user must be a list of String/,
        ] as const,
    ),
    ...['get', 'init', 'save', 'schema', 'toObject', '_doc', 'validate', 'markModified'].map(
      (name) =>
        [
          `a field with the name of what Mongoose needs: ${name}`,
          {
            'bad.ts': `import { Schema } from 'mongoose'; export default new Schema({ parts: [new Schema({ ${name}: String })] });`,
          },
          new RegExp(`bad\\.ts: parts\\.${name} is a name that Mongoose reserves`),
        ] as const,
    ),
    [
      'a default above the maximum',
      { 'bad.ts': perms('{ query_limits: { default: 10, max: 5 } }') },
      /bad\.ts: query_limits\.default must not be above/,
    ],
    [
      'two files for one model',
      { 'bad.ts': typed, 'bad_model.js': common },
      /bad_model\.js: .*bad\.ts already defines the model bad/,
    ],
    [
      'a text index over passwords',
      {
        'bad.ts': `import { Schema } from 'mongoose'; const s = new Schema({ password: String }); s.index({ '$**': 'text' }); export default s;`,
      },
      /bad\.ts: the text index/,
    ],
    ...['{ type: Map, of: inner }', '{ type: Map, of: [inner] }', '[{ type: Map, of: inner }]'].map(
      (type) =>
        [
          `an alias in ${type}`,
          {
            'bad.ts': `import { Schema } from 'mongoose'; const inner = new Schema({ a: { type: String, alias: 'b' } }); export default new Schema({ m: ${type} });`,
          },
          /bad\.ts: m\.\$\*\.a is in a map, where a field has no alias/,
        ] as const,
    ),
    ...["{ a: { type: String, alias: 'b' } }", '{ b: String }', '{}, { virtuals: { b: { get: () => 1 } } }'].flatMap(
      (other) =>
        ['s', "s.path('parts')"].map(
          (place) =>
            [
              `an alias that means something else in another discriminator of ${place}: ${other}`,
              {
                'bad.ts': `import { Schema } from 'mongoose'; const s = new Schema({ n: String, parts: [new Schema({})] }); ${place}.discriminator('x', new Schema({ c: { type: String, alias: 'b' } })); ${place}.discriminator('y', new Schema(${other})); export default s;`,
              },
              /bad\.ts: (parts\.)?b means both/,
            ] as const,
        ),
    ),
    ...[
      's.add({ kids: [s] })',
      's.add({ kids: [[s]] })',
      's.add({ kids: { type: Map, of: s } })',
      "s.discriminator('x', new Schema({ kids: [s] }))",
    ].map(
      (own) =>
        [
          `a schema that contains itself by ${own}`,
          {
            'bad.ts': `import { Schema } from 'mongoose'; const s = new Schema({ n: String }); ${own}; export default s;`,
          },
          /bad\.ts: kids(\.\$\*)? contains documents of its own schema/,
        ] as const,
    ),
  ] as const)('%s', async (_name, models, reason) => {
    await expect(startServer({ models })).rejects.toThrow(reason);
  });
});
