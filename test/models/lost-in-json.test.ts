/** What the application's `toJSON` leaves out is named by the start, because answers show it. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ModelFiles } from '../support/models.ts';
import { startServer } from '../support/server.ts';

const head = `const mongoose = require('mongoose');
const { Schema } = mongoose;`;

const file = (fields: string, code = '', options = ''): string => `${head}
const schema = new Schema({ name: String, ${fields} }, { perms: { all: 'crud' }, ${options} });
${code}
module.exports = schema;`;

async function warningsOf(models: ModelFiles): Promise<readonly string[]> {
  const server = await startServer({ models });
  const lines = server.log.map((line) => JSON.parse(line) as { level: string; msg: string });
  await server.close();
  return lines
    .filter(({ level, msg }) => level === 'warn' && msg.includes('which toJSON or toObject leaves out'))
    .map(({ msg }) => msg.split(', which')[0] ?? msg);
}

const transform = (code: string, of = 'toJSON'): string => `${of}: { transform(doc, ret) { ${code} } }`;
const ssn = 'ssn: String';

/** A plug-in as they are common: it takes paths by an option out of what `toJSON` gives. */
const plugin = (option: string): string => `schema.plugin((one) => {
  const former = one.options.toJSON && one.options.toJSON.transform;
  one.set('toJSON', { transform(doc, ret, options) {
    for (const path of Object.keys(one.paths)) if (one.paths[path].options.${option}) delete ret[path];
    if (former) return former(doc, ret, options);
  } });
});`;

const lost: readonly (readonly [string, string, string])[] = [
  ['a transform', 'ssn', file(ssn, '', transform('delete ret.ssn'))],
  ['a transform that returns another object', 'ssn', file(ssn, '', transform('return { name: ret.name }'))],
  ['a transform of toObject', 'ssn', file(ssn, '', transform('delete ret.ssn', 'toObject'))],
  ['a value of undefined', 'ssn', file(ssn, '', transform('ret.ssn = undefined'))],
  ['null in its place', 'ssn', file(ssn, '', transform('ret.ssn = null'))],
  [
    'a method',
    'ssn',
    file(ssn, 'schema.methods.toJSON = function () { const { ssn, ...rest } = this.toObject(); return rest; };'),
  ],
  ['a class', 'ssn', file(ssn, 'schema.loadClass(class { toJSON() { return { name: this.name }; } });')],
  ['the transform of a path', 'ssn', file('ssn: { type: String, transform: () => undefined }')],
  ['private: true', 'ssn', file('ssn: { type: String, private: true }', plugin('private'))],
  ['hide: true', 'ssn', file('ssn: { type: String, hide: true }', plugin('hide'))],
  [
    'a nested schema',
    'cards.pin',
    file(`cards: [new Schema({ pin: String, label: String }, { ${transform('delete ret.pin')} })]`),
  ],
  [
    'a nested object',
    'address.street',
    file('address: { street: String, town: String }', '', transform('delete ret.address.street')),
  ],
  ['a whole object', 'address', file('address: { street: String, town: String }', '', transform('delete ret.address'))],
  [
    'the values of a map',
    'cards.*.pin',
    file(`cards: { type: Map, of: new Schema({ pin: String, label: String }, { ${transform('delete ret.pin')} }) }`),
  ],
  [
    'every type',
    'at, big, bytes, exact, flag, link, list, mixed, number, uuid',
    file(
      'at: Date, big: BigInt, bytes: Buffer, exact: Schema.Types.Decimal128, flag: Boolean, link: Schema.Types.ObjectId, list: [String], mixed: {}, number: Number, uuid: Schema.Types.UUID',
      '',
      transform('return { name: ret.name }'),
    ),
  ],
  [
    'a discriminator',
    'ssn',
    file(
      'a: String',
      `schema.discriminator('Worker', new Schema({ ssn: String }, { ${transform('delete ret.ssn')} }));`,
    ),
  ],
];

/** Each a model of one server. */
const named = (texts: readonly string[]): ModelFiles =>
  Object.fromEntries(texts.map((text, index) => [`m${index}.cjs`, text]));

describe('the start names what is left out by', () => {
  let warnings: readonly string[];
  beforeAll(async () => {
    warnings = await warningsOf(named(lost.map(([, , text]) => text)));
  });

  test.each(lost.map(([by, paths], index) => [by, paths, index] as const))('%s: %s', (_, paths, index) => {
    expect(warnings.filter((line) => line.startsWith(`m${index}:`))).toEqual([`m${index}: answers show ${paths}`]);
  });
});

const whole: readonly (readonly [string, string])[] = [
  ['without a conversion', file(ssn)],
  [
    'by versions, ids and times',
    file('a: String', '', transform('ret.id = ret._id; delete ret._id; delete ret.__v; delete ret.updatedAt')),
  ],
  ['by passwords', file('password: String', '', transform('delete ret.password'))],
  ['by another name', file(ssn, '', transform('ret.number = ret.ssn; delete ret.ssn'))],
  ['by values of another form', file('at: Date', '', transform('ret.at = ret.at.getFullYear()'))],
  ['by select: false', file('ssn: { type: String, select: false }', '', transform('delete ret.ssn'))],
  ['by letters of the path', file("ssn: { type: String, perms: { admin: 'r' } }", '', transform('delete ret.ssn'))],
  ['by a condition that a sample does not meet', file(ssn, '', transform("if (ret.name === 'x') delete ret.ssn"))],
  [
    'by a getter, which answers run, too',
    file('ssn: { type: String, get: () => undefined }', '', 'toJSON: { getters: true, transform: (doc, ret) => ret }'),
  ],
  [
    'by virtuals, which answers have',
    file(
      'full: { first: String }, parts: [new Schema({ a: String }, { virtuals: { b: { get: () => 1 } } })]',
      "schema.virtual('full.name').get(() => 'n');",
      transform('return undefined'),
    ),
  ],
  ['by code that throws', file(ssn, '', transform("throw new Error('no sample')"))],
  [
    'by code that is asynchronous',
    file(ssn, "schema.methods.toJSON = async function () { throw new Error('late'); };"),
  ],
];

describe('the start names nothing', () => {
  let warnings: readonly string[];
  beforeAll(async () => {
    warnings = await warningsOf(named(whole.map(([, text]) => text)));
  });

  test.each(whole.map(([by], index) => [by, index] as const))('%s', (_, index) => {
    expect(warnings.filter((line) => line.startsWith(`m${index}:`))).toEqual([]);
  });

  test('by the fields that the server adds to users', async () => {
    const text = file('nick: String, email: String', '', transform('return { name: ret.name, email: ret.email }'));
    const warnings = await warningsOf({ 'user.cjs': text.replace("all: 'crud'", "admin: 'crud'") });
    expect(warnings).toEqual(['user: answers show nick']);
  });
});

test('answers show it, and select: false is the cure', async () => {
  const models = {
    'open.cjs': file(ssn, '', transform('delete ret.ssn')),
    'cured.cjs': file('ssn: { type: String, select: false }', '', transform('delete ret.ssn')),
  };
  const server = await startServer({ models });
  const shown = [];
  for (const name of ['open', 'cured']) {
    await server.post(`/api/${name}`, { name: 'Ann', ssn: '1' });
    const { rows } = await server.get(`/api/${name}`);
    shown.push(rows[0]?.['ssn']);
  }
  await server.close();
  expect(shown).toEqual(['1', undefined]);
});
