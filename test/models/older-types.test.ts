/** Schema types of packages that were written for Mongoose 6 and earlier cast as those for the present one do (docs/models.md). */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import { writeModels } from '../support/models.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Types that store weights of texts such as `7 kg` as numbers. They differ in how they cast for queries. */
const types = `
  const { SchemaType, Schema } = require('mongoose');
  class Weight extends SchemaType {
    cast(value) {
      if (value === null) return value;
      const [, number] = /^([0-9.]+)( kg)?$/.exec(value.toString()) ?? [];
      if (number === undefined) throw new SchemaType.CastError('Weight', value, this.path);
      return Number(number);
    }
  }
  const single = function (value) { return this.cast(value); };
  const list = function (values) { return values.map((value) => this.cast(value)); };
  const handlers = { $lt: single, $gte: single, $ne: single, $in: list };
  const byHandler = (type, operator, value) => {
    if (!(operator in type.$conditionalHandlers)) throw new Error('cannot use ' + operator);
    return type.$conditionalHandlers[operator].call(type, value);
  };
  // earlier versions
  class Counted extends Weight {
    castForQuery($conditional, value) {
      return arguments.length === 2 ? byHandler(this, $conditional, value) : this.cast($conditional);
    }
  }
  Counted.prototype.$conditionalHandlers = handlers;
  class Derived extends Counted {
    castForQuery() { return super.castForQuery.apply(this, arguments); }
  }
  class Rest extends Weight {
    castForQuery(...given) { return given.length === 2 ? byHandler(this, ...given) : this.cast(given[0]); }
  }
  Rest.prototype.$conditionalHandlers = handlers;
  class Single extends Schema.Types.Number {
    castForQuery(value) { return this.cast(value); }
  }
  Single.prototype.cast = Weight.prototype.cast;
  class Former extends Schema.Types.Number {
    castForQuery($conditional, value) {
      if (arguments.length === 2) return this.$conditionalHandlers[$conditional].call(this, value);
      return this._castForQuery($conditional);
    }
  }
  Former.prototype.cast = Weight.prototype.cast;
  // the present version
  class Present extends Weight {
    castForQuery($conditional, value, context) {
      return $conditional == null ? this.cast(value) : byHandler(this, $conditional, value);
    }
  }
  Present.prototype.$conditionalHandlers = handlers;
  class Short extends Weight {
    castForQuery($conditional, value) { return $conditional == null ? this.cast(value) : byHandler(this, $conditional, value); }
  }
  Short.prototype.$conditionalHandlers = handlers;
  class Both extends Weight {
    castForQuery($conditional, value) {
      if (arguments.length === 3) return $conditional == null ? this.cast(value) : byHandler(this, $conditional, value);
      return arguments.length === 2 ? byHandler(this, $conditional, value) : this.cast($conditional);
    }
  }
  Both.prototype.$conditionalHandlers = handlers;
  class Inherited extends Schema.Types.Number {}
  Inherited.prototype.cast = Weight.prototype.cast;
  class Beside extends Counted {
    castForQuery($conditional, value) {
      return arguments.length === 2 ? byHandler(this, $conditional, value) : this.cast($conditional);
    }
  }
  const types = { Beside, Counted, Derived, Rest, Single, Former, Present, Short, Both, Inherited };
  Object.assign(Schema.Types, types);
  for (const [name, type] of Object.entries(types)) Object.assign(type, { schemaName: name, asWritten: type.prototype.castForQuery });
  module.exports = types;
`;

const older = ['Counted', 'Derived', 'Rest', 'Single', 'Former'];
const present = ['Present', 'Short', 'Both', 'Inherited'];
const all = [...older, ...present];

const modelWith = (type: string): string => `
  const { Schema, model } = require('mongoose');
  const { ${type} } = require('weights');
  const schema = new Schema(
    { weight: { type: ${type} }, weights: [${type}], parts: [{ weight: ${type} }], box: { weight: { type: ${type}, required: false } } },
    { perms: { all: 'crud' }, discriminatorKey: 'kind', advanced_queries: { bulkwrite: true } },
  );
  const Parcel = model('${type}', schema);
  Parcel.discriminator('Fragile${type}', new Schema({ inner: { type: ${type} } }));
  // it is not served, and code of the folder uses it
  model('Hidden${type}', new Schema({ hidden: { type: ${type === 'Counted' ? 'Schema.Types.Beside' : type} } }));
  module.exports = Parcel;
`;

let server: TestServer;
let folder: string;
let remove: () => Promise<void>;
beforeAll(async () => {
  const files = await writeModels({
    'node_modules/weights/package.json': '{ "name": "weights", "main": "index.js" }',
    'node_modules/weights/index.js': types,
    ...Object.fromEntries(all.map((type) => [`${type.toLowerCase()}.js`, modelWith(type)])),
  });
  ({ folder, remove } = files);
  server = await startServer({ models: folder });
});
afterAll(async () => {
  await server.close();
  await remove();
});

interface Stored {
  readonly _id: unknown;
}
const stored = async (model: string, id: unknown): Promise<unknown> =>
  (
    await server.dossier.services.connection
      .collection(server.dossier.services.registry.get(model).collection)
      .find()
      .toArray()
  ).find(({ _id }) => String(_id) === id);

test.each(all)('%s: values are cast when they are created and changed, in every way', async (type) => {
  const model = type.toLowerCase();
  const body = {
    ...{ weight: '7 kg', weights: ['1 kg', 2], parts: [{ weight: '3 kg' }], box: { weight: '4 kg' } },
    ...{ kind: `Fragile${type}`, inner: '5 kg' },
  };
  const made = await server.send('POST', `/api/${model}`, { body });
  const { _id: id } = made.body.data as Stored;
  const first = { weight: 7, weights: [1, 2], parts: [{ weight: 3 }], box: { weight: 4 }, inner: 5 };
  expect(await stored(model, id)).toMatchObject(first);
  const path = `/api/${model}/${String(id)}`;
  const changes: readonly (readonly [method: string, path: string, body: object, type: string, found: object])[] = [
    ['PUT', path, { weight: '8 kg', 'box.weight': '9 kg' }, 'json', { weight: 8, box: { weight: 9 } }],
    ['PUT', path, { weights: ['10 kg'], inner: '6 kg' }, 'json', { weights: [10], inner: 6 }],
    ['PATCH', path, { weight: '11 kg' }, 'json', { weight: 11 }],
    ['PATCH', path, { $set: { weight: '12 kg', inner: '7 kg' } }, 'json', { weight: 12, inner: 7 }],
    ['PATCH', path, { $max: { weight: '13 kg' } }, 'json', { weight: 13 }],
    ['PATCH', path, { $push: { weights: '14 kg' } }, 'json', { weights: [10, 14] }],
    ['PATCH', path, { $set: { 'parts.0.weight': '15 kg' } }, 'json', { parts: [{ weight: 15 }] }],
    ['PATCH', path, { weight: '16 kg' }, 'merge-patch+json', { weight: 16 }],
    ['PATCH', path, [{ op: 'replace', path: '/weight', value: '17 kg' }], 'json-patch+json', { weight: 17 }],
    ['PUT', `/update/${model}/${String(id)}`, { weight: '18 kg' }, 'json', { weight: 18 }],
    ['PUT', path, { weight: null }, 'json', { weight: null }],
  ];
  for (const [method, to, change, content, found] of changes) {
    const headers = { 'content-type': `application/${content}` };
    const answer = await server.send(method, to, { body: change, headers });
    expect([change, answer.status, answer.status < 300 ? '' : answer.text]).toEqual([change, 200, '']);
    expect(await stored(model, id)).toMatchObject(found);
  }
  const refused = await server.send('PUT', path, { body: { weight: 'much' } });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('weight')]);
  const bulk = [{ updateOne: { filter: { inner: '7 kg' }, update: { $set: { weight: '19 kg' } } } }];
  const written = await server.send('POST', `/bulkwrite/${model}`, { body: bulk });
  expect([written.text, await stored(model, id)]).toMatchObject([
    expect.stringContaining('"nModified":1'),
    { weight: 19 },
  ]);
});

test.each(all)('%s: so are those of filters', async (type) => {
  const model = type.toLowerCase();
  for (const weight of ['21 kg', '22 kg', '23 kg'])
    await server.send('POST', `/api/${model}`, { body: { weight, weights: [weight] } });
  const filters: readonly (readonly [query: string, filter: object, found: readonly number[]])[] = [
    ['filter[weight]=21 kg', { weight: '21 kg' }, [21]],
    ['filter[weight]=$gte:22 kg', { weight: { $gte: '22 kg' } }, [22, 23]],
    ['filter[weight]=$in:["21 kg","23 kg"]', { weight: { $in: ['21 kg', '23 kg'] } }, [21, 23]],
    ['filter[weights]=22 kg', { weights: '22 kg' }, [22]],
  ];
  for (const [query, filter, found] of filters) {
    const weights = (rows: readonly unknown[]): readonly unknown[] =>
      rows.map((row) => (row as Record<string, unknown>)['weight']);
    const listed = await server.send('GET', `/api/${model}?sort=weight&${encodeURI(query)}`);
    expect([query, weights(listed.rows)]).toEqual([query, found]);
    const asked = await server.send('POST', `/query/${model}?sort=weight`, { body: { query: filter } });
    expect([filter, weights(asked.rows)]).toEqual([filter, found]);
    // as the code of models asks
    const inner = modelOf(server.dossier.services.registry.get(model));
    expect([filter, weights(await inner.find(filter).sort('weight').lean())]).toEqual([filter, found]);
  }
});

test.each(all)('%s: models that are not served cast, too', async (type) => {
  const hidden = server.dossier.services.connection.model(`Hidden${type}`);
  await hidden.create({ hidden: '1 kg' });
  await hidden.updateOne({ hidden: '1 kg' }, { hidden: '2 kg' });
  expect(await hidden.find({ hidden: '2 kg' }).lean()).toMatchObject([{ hidden: 2 }]);
});

test('types that cast as the present version calls them stay as they are', () => {
  const classes = createRequire(join(folder, 'x.js'))('weights') as Readonly<
    Record<string, { readonly asWritten: unknown; readonly prototype: { readonly castForQuery: unknown } }>
  >;
  const changed = all.filter((type) => classes[type]?.prototype.castForQuery !== classes[type]?.asWritten);
  // a class that passes on what it gets needs no change besides that of the class that it is derived from
  expect(changed).toEqual(older.filter((type) => type !== 'Derived'));
});
