/** Misspelt options of schemas and paths stop the start where `defineModel` makes the model; options of plugins and custom ones do not. */
import { describe, expect, test } from '@jest/globals';
import { correctedName } from '../../src/text/nearest.ts';
import { startServer } from '../support/server.ts';

const file = (fields: string, options = '{}'): string =>
  `import { defineModel, Schema } from 'dossier'; export default defineModel({ ${fields} } as object, ${options} as object);`;

describe('a misspelt option stops the start with file, path and the correct name', () => {
  test.each([
    ['a schema', file('a: String', "{ perm: { all: 'r' } }"), /the schema has the unknown option "perm".*"perms"/],
    [
      'a schema, in long form',
      file('a: String', "{ callable_static: ['x'] }"),
      /the schema has .*"callable_static".*"callable_statics"/,
    ],
    ["one of Mongoose's", file('a: String', '{ timestamp: true }'), /"timestamp".*"timestamps"/],
    ['another letter case', file('a: String', '{ toJson: {} }'), /"toJson".*"toJSON"/],
    ['a path', file("b_id: { type: Schema.Types.ObjectId, lnik: 'bad' }"), /: b_id has .*"lnik".*"link"/],
    ['a path, in long form', file('a: { type: String, requierd: true }'), /: a has .*"requierd".*"required"/],
    [
      'another style of name',
      file("b_id: { type: Schema.Types.ObjectId, link: 'bad', mapTo: 'b' }"),
      /"mapTo".*"map_to"/,
    ],
    ['a nested path', file('a: { b: { type: Number, uniqe: true } }'), /: a\.b has .*"uniqe".*"unique"/],
    ['members of a list', file("b_id: [{ type: Schema.Types.ObjectId, lnik: 'bad' }]"), /: b_id has .*"lnik"/],
    ['lists in lists', file('a: [[{ type: String, lowercas: true }]]'), /: a has .*"lowercas".*"lowercase"/],
    ['documents in a list', file('a: [{ b: { type: String, trmi: true } }]'), /: a\.b has .*"trmi".*"trim"/],
    [
      'a nested schema',
      file('a: new Schema({ b: String }, { stritc: false })'),
      /the schema of a has .*"stritc".*"strict"/,
    ],
    ['values of a map', file('a: { type: Map, of: { type: String, mtach: /x/ } }'), /: a\.\$\* has .*"mtach".*"match"/],
    [
      'a type key of its own',
      file('a: { $type: String, requred: true }', "{ typeKey: '$type' }"),
      /: a has .*"requred".*"required"/,
    ],
    [
      'a compiled model',
      `import mongoose from 'mongoose'; import { defineModel } from 'dossier';
       export default mongoose.createConnection().model('Bad', defineModel({ a: { type: String, defualt: 'x' } } as object));`,
      /: a has .*"defualt".*"default"/,
    ],
    [
      'a discriminator',
      `import { defineModel, Schema } from 'dossier'; const bad = defineModel({ a: String });
       bad.discriminator('kind', new Schema({ b: { type: Number, mni: 1, requierd: true } } as object)); export default bad;`,
      /: b has .*"requierd"/,
    ],
  ])('%s', async (_what, text, message) => {
    const started = startServer({ models: { 'bad.ts': text } });
    await expect(started).rejects.toThrow(message);
    await expect(started).rejects.toThrow(/bad\.ts: /);
  });
});

describe('a reserved option stops the start in every file', () => {
  const plain = (fields: string, options = '{}'): string =>
    `const mongoose = require('mongoose'); module.exports = new mongoose.Schema({ ${fields} }, ${options});`;

  test.each([
    ['of a schema', plain('a: String', "{ view: { of: 'order', pipeline: [] } }"), 'the schema has the option "view"'],
    [
      'of a nested schema',
      plain("a: new mongoose.Schema({ b: String }, { view: 'x' })"),
      'the schema of a has the option "view"',
    ],
    ['of a path', plain('number: { type: Number, sequence: true }'), 'number has the option "sequence"'],
    [
      'of a path of a list',
      plain("a: [{ number: { type: String, sequence: { prefix: 'A' } } }]"),
      'a.number has the option "sequence"',
    ],
    ['of members', plain("a: [{ type: String, was: 'b' }]"), 'a has the option "was"'],
    ['of the values of a map', plain("a: { type: Map, of: { type: String, was: 'b' } }"), 'a.$* has the option "was"'],
    [
      'of a compiled model',
      `const mongoose = require('mongoose');
       mongoose.model('Bad', new mongoose.Schema({ title: { type: String, was: 'name' } }));`,
      'title has the option "was"',
    ],
  ])('%s', async (_what, text, message) => {
    const started = startServer({ models: { 'bad.cjs': text } });
    await expect(started).rejects.toThrow(`bad.cjs: ${message}, which is reserved for `);
    await expect(started).rejects.toThrow('this version does not support it: remove the option');
  });

  test('but neither one that is off nor a field of the name', async () => {
    const off = plain('a: { type: String, was: undefined }, b: { type: Number, sequence: false }', '{ view: false }');
    const fields = plain('was: String, view: { type: String }, sequence: [{ was: Number }]');
    await (await startServer({ models: { 'off.cjs': off, 'fields.cjs': fields } })).close();
  });
});

test('options of plugins, of the author and of Mongoose itself are accepted', async () => {
  const options = `{ perms: { all: 'cr' }, autoCreate: true, collation: undefined, es_settings: {}, mongoosastic: 1,
    'x-perm': 1, history: true, audit: true, lean: true, permissions: {}, hidden: [] }`;
  const fields = `
    a: { type: String, es_indexed: true, es_boost: 2, i18n: true, slug: 'b', description: 'x', label: 'y', example: 'z',
      'x-requierd': true, format: 'email', title: 't', hint: 'h', lang: 'en', line: 1, note: 'n', mask: 'x', cost: 1, live: 1 },
    b: { type: Number, min: 1, autopopulate: true, private: true, protect: true, editable: false, readonly: true, widget: 'w' },
    c: { type: Schema.Types.ObjectId, ref: 'thing', role: 'x', text: false, auto: false, indexed: true, hide: true },
    d: [{ type: String, enum: ['a'], minLength: 1, maxlength: 2 }], e: { type: Date, expires: 60, get: (v) => v }`;
  const server = await startServer({ models: { 'thing.ts': file(fields, options).replace(/\(v\)/, '(v: unknown)') } });
  expect((await server.get('/api/thing')).status).toBe(200);
});

test.each([
  ['perm', 'perms'],
  ['lnik', 'link'],
  ['line', undefined],
  ['cost', undefined],
  ['watch', undefined],
  ['Required', 'required'],
])('the option meant by %s is %s', (name, meant) => {
  expect(correctedName(name, ['perms', 'link', 'cast', 'match', 'required'])).toBe(meant);
});
