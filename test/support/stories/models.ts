/** Random models: fields, kinds, middleware, and who reports their writes. */
import type { Random } from './random.ts';

/** How the calls of `changed` are kept: in the memory of the test, or also in documents that it writes in the unit of the write. */
type ChangedUse = 'none' | 'memory' | 'documents';

/** A random model, and what must report its writes. */
export interface ModelPlan {
  readonly name: string;
  /** The text of its file. */
  readonly file: string;
  readonly hasHistory: boolean;
  readonly isAudited: boolean;
  readonly hasWebhook: boolean;
  readonly changed: ChangedUse;
  /** Makes a random value of each field that requests may set, by its path. */
  readonly values: Readonly<Record<string, () => unknown>>;
  /** Whether documents may be of kinds with fields of their own. */
  readonly hasKinds: boolean;
}

/** A field: its text in a schema, and random values by the paths that they are set at. */
interface Field {
  readonly schema: string;
  readonly values: (random: Random) => ModelPlan['values'];
}

const word = (random: Random): string => random.oneOf(['red', 'green', ' blue ', 'Grün', 'refused', '']);

const fields: Readonly<Record<string, Field>> = {
  count: {
    schema: '{ type: Number, min: -9 }',
    values: (random) => ({ count: () => random.oneOf<unknown>([0, 1, 2.5, -4, 7, -99]) }),
  },
  isOpen: { schema: 'Boolean', values: (random) => ({ isOpen: () => random.once(2) }) },
  when: {
    schema: 'Date',
    values: (random) => ({ when: () => new Date(random.below(2e9) * 1000).toISOString() }),
  },
  tags: { schema: '[String]', values: (random) => ({ tags: () => random.list(3, () => word(random)) }) },
  sizes: {
    schema: '{ type: [Number], default: undefined }',
    values: (random) => ({ sizes: () => random.list(3, () => random.below(4)) }),
  },
  free: {
    schema: '{}',
    values: (random) => ({
      free: () =>
        random.oneOf<unknown>([null, 1, 'text', [1, { deep: [random.below(3)] }], { k: random.below(3), l: {} }]),
    }),
  },
  inner: {
    schema: '{ a: Number, b: { c: String } }',
    values: (random) => ({ 'inner.a': () => random.below(4), 'inner.b.c': () => word(random) }),
  },
  parts: {
    schema: '[{ x: Number, y: [Number] }]',
    values: (random) => ({
      parts: () => random.list(3, () => ({ x: random.below(3), y: random.list(2, () => random.below(3)) })),
    }),
  },
  plain: {
    schema: '[{ _id: false, x: Number }]',
    values: (random) => ({ plain: () => random.list(3, () => ({ x: random.below(3) })) }),
  },
  scores: {
    schema: '{ type: Map, of: Number }',
    values: (random) => ({
      scores: () => Object.fromEntries(['p', 'q'].filter(() => random.once(2)).map((name) => [name, random.below(5)])),
    }),
  },
  shape: {
    schema: '{ type: String, set: (value) => value && value.toUpperCase() }',
    values: (random) => ({ shape: () => word(random) }),
  },
  fixed: { schema: '{ type: String, immutable: true }', values: (random) => ({ fixed: () => word(random) }) },
  other: {
    schema: "'ObjectId'",
    values: (random) => ({ other: () => `64b64b64b64b64b64b64b6${10 + random.below(5)}` }),
  },
  amount: {
    schema: "'Decimal128'",
    values: (random) => ({ amount: () => random.oneOf(['1.10', '0', '12345678901234567890.5']) }),
  },
};

/** What follows the fields of a schema, where the documents are loaded and saved. */
const saving = `
  schema.add({ total: Number });
  schema.pre('save', function () { this.total = (this.total || 0) + 1; });`;

const kinds = `
  schema.discriminator('NAMEsquare', new Schema({ side: Number }), { value: 'square' });
  schema.discriminator('NAMEround', new Schema({ radius: Number, rings: [Number] }), { value: 'round' });`;

const statics = `
  schema.statics.stir = async (document, values, { api }) => {
    const all = api.model('NAME');
    await all.set(document.id, values);
    await all.patch(document.id, { $set: { name: 'stirred' } });
    await all.upsert({ code: 'stirred', name: 'by code' }, { on: ['code'] });
  };
  schema.statics.pour = ({ values, isTogether }, { api }) => {
    const pour = async (api) => {
      const { _id } = await api.model('NAME').create(values);
      await api.model('NAME').set(_id, { name: 'poured' });
      if (values.isRemoved) await api.model('NAME').remove(_id);
    };
    return isTogether ? api.transaction(pour) : pour(api);
  };`;

/** @param links the models whose documents its documents may link to, with a link and a list of links each */
export function planModel(name: string, links: readonly string[], random: Random): ModelPlan {
  const chosen = Object.entries(fields).filter(() => !random.once(3));
  const isSaved = random.once(3);
  const hasKinds = random.once(3);
  const hasHistory = !random.once(3);
  const isAudited = random.once(2);
  const changed = random.oneOf<ChangedUse>(['none', 'memory', 'documents']);
  const lines = [
    'code: { type: String, unique: true, sparse: true }',
    'name: String',
    ...chosen.map(([path, { schema }]) => `${path}: ${schema}`),
    ...links.flatMap((to) => [
      `${to}_id: { type: 'ObjectId', link: '${to}' }`,
      `${to}_ids: [{ type: 'ObjectId', link: '${to}' }]`,
    ]),
  ];
  const options = [
    "perms: { admin: 'crud', user: 'r' }",
    'advanced_queries: { bulkwrite: true }',
    "callable_statics: { stir: { needs: 'u', on: 'document' }, pour: { needs: 'c', on: 'model' } }",
    ...(random.once(2) ? ['minimize: false'] : []),
    ...(hasKinds ? ["discriminatorKey: 'kind'"] : []),
    ...(hasHistory ? ['history: true'] : []),
    ...(isAudited ? ['audit: true'] : []),
    ...(changed === 'none' ? [] : [`changed: (event) => globalThis.noteChanged(event)`]),
  ];
  const file = `const { Schema } = require('mongoose');
  const schema = new Schema({ ${lines.join(', ')} }, { ${options.join(', ')} });
  ${isSaved ? saving : ''}${hasKinds ? kinds : ''}${statics}
  module.exports = schema;`.replaceAll('NAME', name);
  return {
    ...{ name, file, hasHistory, isAudited, changed, hasKinds, hasWebhook: random.once(2) },
    values: {
      name: () => word(random),
      ...Object.assign({}, ...chosen.map(([, { values }]) => values(random))),
    },
  };
}

/** The model of the documents by which `changed` keeps its calls. */
export const noteFile = `module.exports = new (require('mongoose').Schema)(
  { seq: Number, model: String, text: String }, { perms: { admin: 'crud' } });`;
/** The model whose event arrives after all events of the writes before it. */
export const markFile = `module.exports = new (require('mongoose').Schema)({ n: Number }, { perms: { admin: 'crud' } });`;
