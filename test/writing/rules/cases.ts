/** Rules that read the document, the places where a schema may have them, and changes that they judge. */
import { runInThisContext } from 'node:vm';
import { Schema } from 'mongoose';

export type Json = Readonly<Record<string, unknown>>;

/** A rule: model code in which `schema` is the schema that has its fields. */
interface Rule {
  readonly fields: string;
  readonly code?: string;
  /** A document that fulfils the rule. */
  readonly start: Json;
  readonly changes: readonly Json[];
}

const rules: Readonly<Record<string, Rule>> = {
  validator: {
    fields: `low: Number, high: { type: Number, validate: { validator: function (v) { return v > this.low; }, message: 'high is not above low' } }`,
    start: { low: 1, high: 2 },
    changes: [{ high: 9 }, { low: 5, high: 6 }, { high: 0 }, { low: 50 }],
  },
  'asynchronous validator as a method': {
    fields: `low: Number, high: { type: Number, validate: { async validator(v) { await null; return v > this.low; } } }`,
    start: { low: 1, high: 2 },
    changes: [{ high: 9 }, { high: 1 }],
  },
  setter: {
    fields: `locked: Boolean, status: { type: String, set: function (v) { return v === 'PUBLIC' && this.locked ? 'PRIVATE' : v; } }`,
    start: { locked: true, status: 'PRIVATE' },
    changes: [{ status: 'PUBLIC' }, { status: 'DRAFT' }],
  },
  'setter that gets the value before': {
    fields: `top: { type: Number, set: (v, before) => Math.max(v, before ?? 0) }`,
    start: { top: 5 },
    changes: [{ top: 3 }, { top: 7 }],
  },
  required: {
    fields: `sent: Boolean, to: { type: String, required: function () { return this.sent; } }`,
    start: { sent: false, to: 'a' },
    changes: [{ sent: true, to: null }, { sent: true }, { to: null }],
  },
  'required with a message': {
    fields: `sent: Boolean, to: { type: String, required: [function () { return this.sent; }, 'to is missing'] }`,
    start: { sent: false },
    changes: [{ sent: true }, { sent: true, to: 'b' }],
  },
  immutable: {
    fields: `locked: Boolean, code: { type: String, immutable: (one) => one.locked }`,
    start: { locked: true, code: 'a' },
    changes: [{ code: 'b' }, { locked: false }],
  },
  'immutable by this': {
    fields: `locked: Boolean, code: { type: String, immutable: function () { return this.locked; } }`,
    start: { locked: false, code: 'a' },
    changes: [{ code: 'b' }, { locked: true }],
  },
  default: {
    fields: `name: String, slug: { type: String, default: function () { return this.name?.toLowerCase(); } }`,
    start: { name: 'Ab', slug: null },
    changes: [{ name: 'Cd' }],
  },
  'pre save': {
    fields: `low: Number, high: Number, sum: Number`,
    code: `schema.pre('save', function () { this.sum = this.low + this.high; });`,
    start: { low: 1, high: 2 },
    changes: [{ high: 9 }, { low: 5, high: 5 }],
  },
  'pre validate': {
    fields: `low: Number, high: Number`,
    code: `schema.pre('validate', function () { if (this.high < this.low) this.invalidate('high', 'high is below low'); });`,
    start: { low: 1, high: 2 },
    changes: [{ low: 3 }, { high: 9 }],
  },
  'bounds of dates': {
    fields: `from: Date, to: { type: Date, min: function () { return this.from; } }`,
    start: { from: '2026-01-02T00:00:00.000Z', to: '2026-01-03T00:00:00.000Z' },
    changes: [
      { to: '2026-01-01T00:00:00.000Z' },
      { from: '2026-01-04T00:00:00.000Z' },
      { to: '2026-02-01T00:00:00.000Z' },
    ],
  },
  'virtual with a setter': {
    fields: `first: String, last: String`,
    code: `schema.virtual('name').set(function (v) { const [first, last] = v.split(' '); this.set({ first, last }); });`,
    start: { first: 'Ann', last: 'Lee' },
    changes: [{ name: 'Bob Day' }],
  },
};

/** A place of a rule: the model file, and the path of the rule's fields in a document. */
interface Place {
  readonly schema: (rule: Rule, name: string) => string;
  readonly prefix: string;
  readonly more?: Json;
}

const options = `{ perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } }`;
const key = `key: { type: String, unique: true }`;

const places: Readonly<Record<string, Place>> = {
  'the schema': {
    schema: ({ fields, code = '' }) =>
      `const schema = new Schema({ ${key}, ${fields} }, ${options}); ${code} return schema;`,
    prefix: '',
  },
  'a nested schema': {
    schema: ({ fields, code = '' }) =>
      `const schema = new Schema({ ${fields} }, { _id: false }); ${code} return new Schema({ ${key}, part: schema }, ${options});`,
    prefix: 'part.',
  },
  'a kind': {
    schema: ({ fields, code = '' }, name) =>
      `const whole = new Schema({ ${key} }, { ...${options}, discriminatorKey: 'kind' });
       const schema = new Schema({ ${fields} }); ${code}
       whole.discriminator('${name}one', schema, 'one'); whole.discriminator('${name}two', new Schema({ other: String }), 'two'); return whole;`,
    prefix: '',
    more: { kind: 'one' },
  },
};

/** A model of a rule at a place. */
export interface Case {
  readonly name: string;
  readonly title: string;
  /** The body of a model file's function, which gets `Schema`. */
  readonly code: string;
  /** A stored document. */
  readonly start: Json;
  /** Values by dotted paths. */
  readonly changes: readonly Json[];
}

const placed = (prefix: string, values: Json): Json =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]));

export const nestedIn = (values: Json): Record<string, any> => {
  const whole: Record<string, any> = {};
  for (const [path, value] of Object.entries(values)) {
    const [first = '', second] = path.split('.');
    if (second === undefined) whole[first] = value;
    else whole[first] = { ...whole[first], [second]: value };
  }
  return whole;
};

export const cases: readonly Case[] = Object.entries(rules).flatMap(([rule, what], at) =>
  Object.entries(places).map(([place, { schema, prefix, more = {} }], index) => ({
    name: `m${at}x${index}`,
    title: `${rule} in ${place}`,
    code: schema(what, `m${at}x${index}`),
    start: { ...more, ...nestedIn(placed(prefix, what.start)) },
    changes: what.changes.map((change) => placed(prefix, change)),
  })),
);

/** The model files of cases. */
export const filesOf = (all: readonly Case[]): Readonly<Record<string, string>> =>
  Object.fromEntries(all.map(({ name, code }) => [`${name}.cjs`, `module.exports = ({ Schema }) => { ${code} };`]));

/** The schema of a case, as its model file makes it. */
export const schemaOf = ({ code }: Case): Schema =>
  (runInThisContext(`(({ Schema }) => { ${code} })`) as (tools: object) => Schema)({ Schema });
