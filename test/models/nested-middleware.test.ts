/**
 * Middleware of nested documents, at any depth and in any container, written for any version of Mongoose, runs as Mongoose itself runs it:
 * each document of a table is stored by a request and by Mongoose, and the stored forms are compared (docs/models.md).
 */
import { compileFunction } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { startServer, type TestServer } from '../support/server.ts';

interface Container {
  /** The type of the path `in` of the schema around, of the schema `inner`. */
  readonly type: string;
  readonly value: (inner: object) => unknown;
  /** Declared beside the schema around, which is `outer`. */
  readonly after?: string;
}

const containers: Readonly<Record<string, Container>> = {
  single: { type: 'inner', value: (inner) => inner },
  list: { type: '[inner]', value: (inner) => [inner, inner] },
  lists: { type: '[[inner]]', value: (inner) => [[inner], [inner]] },
  map: { type: '{ type: Map, of: inner }', value: (inner) => ({ a: inner, b: inner }) },
  kind: {
    type: `[new Schema({}, { discriminatorKey: 'sort', _id: false })]`,
    value: (inner) => [{ sort: 'special', ...inner }],
    after: `outer.path('in').discriminator('special', inner);`,
  },
  declaredkind: {
    type: `(() => { const base = new Schema({}, { discriminatorKey: 'sort', _id: false }); base.discriminator('special', inner); return base; })()`,
    value: (inner) => ({ sort: 'special', ...inner }),
  },
};

/** With `next` as Mongoose 8 has it, and the same for Mongoose 9. */
const old = `
const add = (text) => function (next) { this.ran.push(text); next(); };
const addAfter = (text) => function (doc, next) { ran.push(text); next(); };`;
const recent = `
const add = (text) => function () { this.ran.push(text); };
const addAfter = (text) => function () { ran.push(text); };`;

/** A model with three schemas in each other. */
const source = (first: string, second: string, middleware: string): string => `
const ran = [];
${middleware}
const part = (fields, text) => {
  const schema = new Schema({ label: String, ran: [String], ...fields }, { _id: false });
  schema.pre('validate', add(text + ' before validation'));
  schema.pre('save', add(text + ' before saving'));
  schema.post('save', addAfter(text + ' saved'));
  schema.post('validate', addAfter(text + ' validated'));
  return schema;
};
const within = (inner, type, after, text) => {
  const outer = part({ in: type }, text);
  after(outer);
  return outer;
};
const leaf = part({}, 'leaf');
const middle = ((inner) => within(inner, ${containers[second]?.type}, (outer) => { ${containers[second]?.after ?? ''} }, 'middle'))(leaf);
const root = ((inner) => within(inner, ${containers[first]?.type}, (outer) => { ${containers[first]?.after ?? ''} }, 'root'))(middle);
const whole = new Schema({ title: String, part: root }, { perms: { all: 'crud' }, callable_statics: { calls: 'r' } });
whole.statics.calls = () => ran.splice(0);
`;

const names = Object.keys(containers);
/** Where Mongoose itself does not apply the discriminators that a schema declares. */
const unapplied = new Set(['lists of declaredkind', 'kind of declaredkind']);
const cases = names
  .flatMap((first) => names.map((second) => [first, second] as const))
  .filter(([first, second]) => !unapplied.has(`${first} of ${second}`));
const forms = { compiled: (name: string) => `mongoose.model('${name}', whole)`, exported: () => 'whole' };
const nameOf = (form: string, first: string, second: string): string => `${first}${second}${form}`;

let server: TestServer;
beforeAll(async () => {
  const models = Object.entries(forms).flatMap(([form, expression]) =>
    cases.map(([first, second]) => {
      const name = nameOf(form, first, second);
      const text = `const mongoose = require('mongoose');\nconst { Schema } = mongoose;\n${source(first, second, old)}\nmodule.exports = ${expression(name)};`;
      return [`${name}.js`, text] as const;
    }),
  );
  server = await startServer({ models: Object.fromEntries(models) });
});

const documentOf = (first: string, second: string): Record<string, unknown> => {
  const leaf = { label: 'leaf' };
  const middle = { label: 'middle', in: containers[second]?.value(leaf) };
  return { title: 'a', part: { label: 'root', in: containers[first]?.value(middle) } };
};

const plainModel = (first: string, second: string): mongoose.Model<Record<string, unknown>> => {
  const code = `${source(first, second, recent)}; return whole;`;
  const schemaOf = compileFunction(code, ['Schema']) as (schema: typeof mongoose.Schema) => mongoose.Schema;
  const beside = server.dossier.services.connection.useDb(`${server.dossier.services.connection.name}_beside`);
  const schema = schemaOf(mongoose.Schema);
  schema.set('strictQuery', false);
  return beside.model<Record<string, unknown>>(`Plain${first}${second}`, schema, undefined, { overwriteModels: true });
};

const storedPart = (row: object | null | undefined): unknown =>
  JSON.parse(JSON.stringify((row as { readonly part: unknown } | null | undefined)?.part));

describe.each(Object.keys(forms))('%s', (form) => {
  test.each(cases)('%s of %s', async (first, second) => {
    const name = nameOf(form, first, second);
    const created = await server.post(`/api/${name}`, documentOf(first, second));
    expect(created).toMatchObject({ status: 201, body: { status: 'ok' } });
    const calls = await server.post(`/call/${name}/calls`, {});
    const Plain = plainModel(first, second);
    const saved = await new Plain(documentOf(first, second)).save();
    const plainCalls = (Plain as unknown as { calls: () => unknown[] }).calls();
    const stored = server.dossier.services.connection.collection(server.dossier.services.registry.get(name).collection);
    expect(storedPart(await stored.findOne())).toEqual(
      storedPart(await Plain.collection.findOne({ _id: saved._id as never })),
    );
    expect((calls.body['data'] as unknown[]).toSorted()).toEqual(plainCalls.toSorted());
  });
});
