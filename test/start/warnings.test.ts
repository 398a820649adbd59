/** The warnings at the start, one log line each. */
import { describe, expect, test } from '@jest/globals';
import type { ModelFiles } from '../support/models.ts';
import { startServer } from '../support/server.ts';

async function warningsOf(models: ModelFiles): Promise<readonly string[]> {
  const server = await startServer({ models });
  const lines = server.log.map((line) => JSON.parse(line) as { level: string; msg: string });
  await server.close();
  return lines.filter(({ level }) => level === 'warn').map(({ msg }) => msg);
}

const model = (options: string, more = '', fields = 'a: String'): string =>
  `import { Schema } from 'mongoose'; const thing = new Schema({ ${fields} }, ${options}); ${more} export default thing;`;

test('an empty models folder', async () => {
  expect(await warningsOf({})).toEqual([expect.stringMatching(/\(MODELS_DIR\) has no model files/)]);
});

test('a model that causes no warning', async () => {
  expect(await warningsOf({ thing: model("{ perms: { user: 'cr', owner: 'crud' }, timestamps: true }") })).toEqual([]);
});

test.each(["owner: 'crud'", "owner: 'c', user: 'r'", "owner: 'crud', editor: 'c', all: 'r'"])(
  'creation by owners with %s',
  async (perms) => {
    expect(await warningsOf({ thing: model(`{ perms: { ${perms} } }`) })).toEqual([
      expect.stringMatching(/^thing: perms\.owner has "c", so every signed-in user may create/),
    ]);
  },
);

test('limits that Mongoose does not have for the type of the path', async () => {
  const { Decimal128, Double, UUID } = Object.fromEntries(
    ['Decimal128', 'Double', 'UUID'].map((name) => [name, `Schema.Types.${name}`]),
  );
  const fields = `price: { type: ${Decimal128}, min: 0, max: 9 }, big: { type: BigInt, min: 1 }, rate: { type: ${Double}, max: 1 },
    key: { type: ${UUID}, match: /a/ }, tags: { type: [String], maxlength: 3 }, parts: [{ n: { type: Map, of: { type: BigInt, min: 1 } } }],
    n: { type: Number, min: 0, enum: [1] }, at: { type: Date, min: 0 }, names: [{ type: String, minlength: 1, match: /a/ }],
    kinds: { type: [String], enum: ['a'] }, none: { type: BigInt, min: undefined }`;
  expect(await warningsOf({ thing: model("{ perms: { admin: 'r' } }", '', fields) })).toEqual([
    'thing: Mongoose ignores min of price (Decimal128), max of price (Decimal128), min of big (BigInt), max of rate (Double), match of key (UUID), maxlength of tags (Array), min of parts.n.$* (BigInt): write a validator (validate) instead',
  ]);
});

test('fields beside one named type, which Mongoose takes for options', async () => {
  const fields = `loc: { type: String, coordinates: [Number], required: true }, parts: [{ type: String, at: Date }],
    deep: { one: { type: Number, unit: String } }, right: { type: { type: String }, coordinates: [Number] },
    plugged: { type: String, es_type: 'text', slug: 'title', made: () => 1 }`;
  expect(await warningsOf({ thing: model("{ perms: { admin: 'r' } }", '', fields) })).toEqual([
    'thing: Mongoose reads the type beside loc.coordinates, parts.at, deep.one.unit as the type of the whole path, and ignores the rest; a field named type is written type: { type: String }',
  ]);
});

describe('save_on_put: false', () => {
  const open = "{ perms: { all: 'r' }, save_on_put: false }";

  test.each([
    ["thing.pre('save', function () { return; });", "pre('save')"],
    ["thing.post('save', function () { return; });", "post('save')"],
    ["thing.pre('validate', function () { return; });", "pre('validate')"],
  ])('with middleware: %s', async (code, name) => {
    const [line, ...others] = await warningsOf({ thing: model(open, code) });
    expect(line).toContain(`thing: save_on_put is false, so changes run no ${name}; PUT /update loads and saves`);
    expect(others).toEqual([]);
  });

  test('with rules, by path and kind', async () => {
    const fields = `a: { type: String, required: function () { return this.b; } }, b: Boolean,
      parts: [{ c: { type: String, set: function (v) { return this.d ?? v; }, immutable: () => true }, d: String }]`;
    const [line, ...others] = await warningsOf({ thing: model(open, "thing.pre('save', () => undefined);", fields) });
    expect(line).toContain(
      "changes run no pre('save') and give no document to the rules of a (required), parts.c (set), parts.c (immutable);",
    );
    expect(others).toEqual([]);
  });

  test('with middleware of a nested schema, and with none of users', async () => {
    const within = `new Schema({ b: String }).pre('save', function () { return; })`;
    const lines = await warningsOf({
      thing: model('{ save_on_put: false }', '', `parts: [${within}]`),
      user: model("{ perms: { owner: 'r' }, save_on_put: false }", '', 'name: String'),
    });
    expect(lines).toEqual([expect.stringContaining("pre('save')")]);
  });

  test('is the only value that is warned of', async () => {
    const code = "thing.pre('save', function () { return; });";
    expect(await warningsOf({ thing: model('{ save_on_put: true }', code), other: model('{}', code) })).toEqual([]);
  });
});

test('a text index over hidden paths', async () => {
  const fields = 'a: String, notes: { type: String, select: false }';
  for (const index of ["{ a: 'text', notes: 'text' }", "{ '$**': 'text' }"])
    expect(await warningsOf({ thing: model('{}', `thing.index(${index});`, fields) })).toEqual([
      expect.stringContaining('thing: the text index covers notes (select: false)'),
    ]);
  expect(await warningsOf({ thing: model('{}', "thing.index({ a: 'text' });", fields) })).toEqual([]);
});

test('a text index beside a field language', async () => {
  const warned = (fields: string, options = '{}'): Promise<readonly string[]> =>
    warningsOf({ thing: model('{}', `thing.index({ name: 'text' }, ${options});`, `name: String, ${fields}`) });
  for (const [fields, paths] of [
    ['language: String', 'language'],
    ['language: Number', 'language'],
    ["language: { type: String, enum: ['english', 'JavaScript'] }", 'language'],
    ['parts: [{ language: String }]', 'parts.language'],
    ['nested: { language: String }, language: String', 'nested.language, language'],
  ] as const)
    expect([fields, await warned(fields)]).toEqual([
      fields,
      [expect.stringContaining(`thing: the text index reads ${paths} as the language`)],
    ]);
  expect(await warned("language: { type: String, enum: ['english', 'fr', 'none'] }")).toEqual([]);
  expect(await warned('language: String', "{ language_override: 'words' }")).toEqual([]);
  expect(await warned('languages: [String]')).toEqual([]);
  expect(await warningsOf({ thing: model('{}', '', 'language: String') })).toEqual([]);
});
