/** Discriminators have fields, rules and indexes of their own (docs/models.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { makeCallers, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const options = `{ discriminatorKey: 'kind', perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } }`;
const square = `{ side: { type: Number, max: 10 }, note: { type: String, select: false }, code: { type: String, unique: true, sparse: true } }`;
const forms: Readonly<Record<string, string>> = {
  'a schema': `module.exports = ({ Schema }) => {
  const shape = new Schema({ name: String }, ${options});
  shape.discriminator('square', new Schema(${square}));
  shape.discriminator('circle', new Schema({ radius: Number }), { value: 'round' });
  return shape;
};`,
  'a compiled model': `const mongoose = require('mongoose');
const { Schema } = mongoose;
const Shape = mongoose.createConnection().model('Shape', new Schema({ name: String }, ${options}));
Shape.discriminator('square', new Schema(${square}));
Shape.discriminator('circle', new Schema({ radius: Number }), 'round');
module.exports = Shape;`,
  'a compiled model of a schema that has some': `const mongoose = require('mongoose');
const { Schema } = mongoose;
const shape = new Schema({ name: String }, ${options});
shape.discriminator('square', new Schema(${square}));
const Shape = mongoose.createConnection().model('Shape', shape);
Shape.discriminator('circle', new Schema({ radius: Number }), 'round');
module.exports = Shape;`,
};

describe.each(Object.keys(forms))('the discriminators of %s', (form) => {
  test('are written and read with their own fields, rules and indexes', async () => {
    const server = await startServer({ models: { 'shape.js': forms[form] ?? '' } });
    const root = await makeRoot(server);
    const given = { kind: 'square', name: 'a', side: '3', note: 'n', code: 'c' };
    expect((await server.post('/api/shape', { ...given, radius: 5 })).status).toBe(400);
    const made = (await server.post('/api/shape', given)).document;
    expect(made).toMatchObject({ kind: 'square', side: 3, code: 'c', _deleted: false, __v: 0 });
    expect((await server.post('/api/shape', { kind: 'round', radius: '2' })).document).toMatchObject({ radius: 2 });
    expect((await server.post('/api/shape', { ...given, side: 11 })).status).toBe(400);
    expect((await server.post('/api/shape', given)).status).toBe(409);

    const id = String(made['_id']);
    const path = `/api/shape/${id}`;
    const put = (await server.put(path, { side: '4' })).document;
    const saved = (await server.put(`/update/shape/${id}`, { side: '5' })).document;
    const [listed] = (await server.get('/api/shape?filter[kind]=square')).rows;
    expect([put['side'], saved['side'], listed?.['side']]).toEqual([4, 5, 5]);
    for (const shown of [made, put, saved, listed]) expect(shown).not.toHaveProperty('note');
    for (const shown of [made, put, saved, listed]) expect(shown).not.toHaveProperty('radius');
    expect((await server.get(`${path}?fields=note`)).document).toMatchObject({ note: 'n' });

    const bulk = (filter: object, update: object): ReturnType<typeof server.post> =>
      server.post('/bulkwrite/shape', [{ updateOne: { filter, update } }], root);
    const byId = await bulk({ _id: id }, { $set: { side: '6' } });
    expect((await bulk({ _id: id }, { $set: { side: '7' }, $inc: { radius: 1 } })).status).toBe(400);
    expect(byId.body).toMatchObject({ data: { nModified: 1 } });
    expect((await server.get(path)).document).toMatchObject({ side: 6, __v: 3 });
    expect((await bulk({ _id: id }, { $set: { side: 11 } })).status).toBe(400);
    for (const update of [{ side: 7 }, { $inc: { side: 1 } }, { $unset: { code: 1 } }, { $inc: { radius: 1 } }])
      expect(await bulk({ name: 'a' }, update)).toMatchObject({ status: 400, body: { errors: [{ kind: 'path' }] } });
    const pushed = await bulk({ name: 'a' }, { $push: { radius: 1 } });
    expect(pushed).toMatchObject({ status: 400, body: { errors: [{ path: 'radius', kind: 'Array' }] } });
    expect((await bulk({ name: 'a' }, { name: 'b' })).body).toMatchObject({ data: { nModified: 1 } });
    expect((await server.get(path)).document).toMatchObject({ name: 'b', side: 6, code: 'c' });
  });
});

test('an alias of a discriminator is its field: its letters hold, and its password is hashed', async () => {
  const shape = `export default ({ Schema }) => {
  const shape = new Schema({ name: String }, { discriminatorKey: 'kind', perms: { user: 'crud' }, advanced_queries: { bulkwrite: true } });
  shape.discriminator('square', new Schema({
    side: { type: Number, alias: 'edge' },
    cost: { type: Number, alias: 'price', perms: { admin: 'cru' } },
    password: { type: String, alias: 'pin' },
  }));
  return shape;
};`;
  const server = await startServer({ models: { 'shape.ts': shape } });
  const { ann } = await makeCallers(server, ['root', 'ann']);
  const insert = (document: object): ReturnType<typeof server.post> =>
    server.post('/bulkwrite/shape', [{ insertOne: { document } }], ann);
  const id = String((await server.post('/api/shape', { kind: 'square', edge: 2 }, ann)).document['_id']);
  const stored = async (): Promise<object | null> =>
    server.dossier.services.connection.collection('shapes').findOne({ kind: 'square' });
  expect(await stored()).toMatchObject({ side: 2 });
  expect(await server.post('/api/shape', { kind: 'square', price: 1 }, ann)).toMatchObject({ status: 403 });
  expect(await insert({ kind: 'square', price: 1 })).toMatchObject({ status: 403 });
  for (const path of [`/api/shape/${id}`, `/update/shape/${id}`]) {
    expect(await server.put(path, { price: 1 }, ann)).toMatchObject({
      status: 403,
      body: { errors: [{ path: 'cost' }] },
    });
    expect((await server.put(path, { edge: 3, pin: 'CANARY-PW' }, ann)).status).toBe(200);
    expect(await stored()).toMatchObject({ side: 3, password: expect.stringMatching(/^\$2b\$04\$/) });
  }
  await server.remove(`/api/shape/${id}?_permaDelete=1`, ann);
  expect((await insert({ kind: 'square', pin: 'CANARY-PW' })).status).toBe(200);
  expect(await stored()).toMatchObject({ password: expect.stringMatching(/^\$2b\$04\$/) });
});

test('the same virtual of several discriminators, and an alias of the model, are shown in none as another field', async () => {
  const shape = `export default ({ mongoose, Schema }) => {
  const shape = new Schema({ name: { type: String, alias: 'title' } }, { discriminatorKey: 'kind', perms: { all: 'crud' } });
  shape.virtual('loud').get(function () { return this.name + '!'; });
  for (const kind of ['square', 'circle'])
    shape.discriminator(kind, new Schema({ size: Number }, { virtuals: { label: { get() { return kind + this.size; } } } }));
  return shape;
};`;
  const server = await startServer({ models: { 'shape.ts': shape } });
  for (const kind of ['square', 'circle']) {
    expect((await server.post('/api/shape', { kind, title: 'a', size: 2 })).status).toBe(201);
    const { rows } = await server.get(`/api/shape?filter[kind]=${kind}&filter[title]=a`);
    expect(rows).toMatchObject([{ name: 'a', loud: 'a!', size: 2 }]);
  }
});

describe('a field of a discriminator of nested documents', () => {
  let server: TestServer;
  let path: string;
  beforeAll(async () => {
    const item = `export default ({ Schema }) => {
  const part = () => new Schema({ n: Number }, { _id: false, discriminatorKey: 'kind' });
  const item = new Schema({ name: String, parts: [part()], one: part(), nested: [[part()]] }, { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } });
  for (const type of ['parts', 'one']) {
    item.path(type).discriminator('more ' + type, new Schema({ extra: Number }, { _id: false }));
    item.path(type).discriminator('less ' + type, new Schema({ other: Number }, { _id: false }));
  }
  return item;
};`;
    server = await startServer({ models: { 'item.ts': item } });
    const parts = [{ kind: 'more parts', extra: 1 }];
    const made = await server.post('/api/item', { name: 'a', parts, one: { kind: 'more one', extra: 1 } });
    path = `/api/item/${String(made.document['_id'])}`;
  });
  const changes = [{ 'parts.0.extra': 2 }, { 'one.extra': 2 }] as const;

  test.each(changes)('is refused by its path where only the database has its kind: %j', async (body) => {
    const [name = ''] = Object.keys(body);
    const fault = {
      status: 400,
      body: { errors: [{ path: name, message: expect.stringContaining('use PUT /update') }] },
    };
    const bulk = [{ updateOne: { filter: { _id: path.split('/').at(-1) }, update: { $set: body } } }];
    for (const answer of [
      await server.put(path, body),
      await server.send('PATCH', path, { body }),
      await server.send('PATCH', path, { body: { $inc: body } }),
      await server.post('/bulkwrite/item', bulk),
    ])
      expect(answer).toMatchObject(fault);
    expect((await server.get(path)).document).toMatchObject({ parts: [{ extra: 1 }], one: { extra: 1 } });
  });

  const ways = {
    'PUT /api': (set: object) => server.put(path, set),
    'PUT /update': (set: object) => server.put(path.replace('/api', '/update'), set),
    'PATCH with $set': (set: object) => server.send('PATCH', path, { body: { $set: set } }),
    'PATCH with $unset': (set: object) => server.send('PATCH', path, { body: { $unset: set } }),
    'updateOne by _id': (set: object) =>
      server.post('/bulkwrite/item', [
        { updateOne: { filter: { _id: path.split('/').at(-1) }, update: { $set: set } } },
      ]),
    'a merge patch': ({ 'one.kind': kind }: Record<string, unknown>) =>
      server.send('PATCH', path, {
        headers: { 'content-type': 'application/merge-patch+json' },
        raw: JSON.stringify({ one: { kind } }),
      }),
    'a JSON Patch': (set: object) =>
      server.send('PATCH', path, {
        headers: { 'content-type': 'application/json-patch+json' },
        raw: JSON.stringify(
          Object.entries(set).map(([name, value]) => ({ op: 'add', path: `/${name.replaceAll('.', '/')}`, value })),
        ),
      }),
  } as const;

  test.each(Object.entries(ways))('keeps the kind beside which it is stored: %s', async (name, write) => {
    const before = (await server.get(path)).document;
    for (const kind of ['less one', 'nosuch', '']) {
      const paths = name === 'a merge patch' ? ['one.kind'] : ['one.kind', 'parts.0.kind'];
      for (const key of paths)
        expect([kind, await write({ [key]: kind })]).toMatchObject([
          kind,
          { status: 400, body: { errors: [{ path: key, message: expect.stringContaining('send the whole') }] } },
        ]);
    }
    expect((await server.get(path)).document).toEqual(before);
  });

  test.each(Object.entries(ways).filter(([name]) => !['PATCH with $unset', 'a merge patch'].includes(name)))(
    'may be sent back with the kind that is stored: %s',
    async (_name, write) => {
      const before = (await server.get(path)).document;
      const kinds = { 'one.kind': 'more one', 'parts.0.kind': 'more parts' };
      const { status, body } = await write({ ...kinds, 'one.n': Number(before['__v']) });
      expect([status, body.err]).toEqual([200, undefined]);
      const after = (await server.get(path)).document;
      expect(after).toMatchObject({ parts: before['parts'], one: { ...(before['one'] as object), n: before['__v'] } });
    },
  );

  test('is not revealed to callers who may write it and not read it', async () => {
    const blind = `export default ({ Schema }) => {
  const part = new Schema({ n: Number }, { _id: false, discriminatorKey: 'kind' });
  const item = new Schema({ one: part, other: part }, { perms: { all: 'cru' }, advanced_queries: { bulkwrite: true } });
  item.path('one').discriminator('a', new Schema({ m: Number }, { _id: false }));
  return item;
};`;
    const hiding = await startServer({
      models: {
        'item.ts': blind.replace('part, other', "{ type: part, perms: { all: 'cu', user: 'cu' } }, other"),
        'blind.ts': blind.replace("'cru'", "'cu'"),
      },
    });
    for (const model of ['item', 'blind']) {
      const made = await hiding.post(`/api/${model}`, { one: { kind: 'a', n: 1 } });
      const location = made.headers.get('location') ?? '';
      const own = new URL(location, 'http://localhost').pathname;
      for (const kind of ['a', 'b'])
        expect([model, kind, (await hiding.put(own, { 'one.kind': kind })).status]).toEqual([model, kind, 400]);
    }
  });

  test('may be sent back with its kind in a merge patch, and by PUT /update', async () => {
    const made = await server.post('/api/item', { name: 'b', one: { kind: 'more one', n: 1, extra: 1 } });
    const own = `/api/item/${String(made.document['_id'])}`;
    const merged = await server.send('PATCH', own, {
      headers: { 'content-type': 'application/merge-patch+json' },
      raw: JSON.stringify({ one: { kind: 'more one', n: 2 } }),
    });
    expect(merged.document).toMatchObject({ one: { kind: 'more one', n: 2, extra: 1 } });
    const saved = await server.put(own.replace('/api', '/update'), { 'one.kind': 'more one', 'one.n': 3 });
    expect(saved.document).toMatchObject({ one: { kind: 'more one', n: 3, extra: 1 } });
  });

  test('is changed with the whole document, and by PUT /update', async () => {
    const whole = { 'parts.0': { kind: 'more parts', extra: 3 }, one: { kind: 'more one', extra: 3 } };
    expect((await server.put(path, whole)).document).toMatchObject({ parts: [{ extra: 3 }], one: { extra: 3 } });
    for (const body of changes) expect((await server.put(path.replace('/api', '/update'), body)).status).toBe(200);
    expect((await server.get(path)).document).toMatchObject({ parts: [{ extra: 2 }], one: { extra: 2 } });
    expect((await server.put(path, { 'parts.0.n': 4, 'one.n': 4 })).document).toMatchObject({
      parts: [{ n: 4, extra: 2 }],
      one: { n: 4, extra: 2 },
    });
  });
});

describe('the kind of a document', () => {
  let server: TestServer;
  let daily: string;
  let root: Awaited<ReturnType<typeof makeRoot>>;
  beforeAll(async () => {
    const task = (name: string, options: string): string => `export default ({ Schema }) => {
  const step = new Schema({ n: Number }, { _id: false, discriminatorKey: 'form' });
  const task = new Schema({ name: String, steps: [step], first: step }, { discriminatorKey: 'type', perms: { all: 'crud' }, advanced_queries: { bulkwrite: true }, ${options} });
  task.discriminator('${name} habit', new Schema({ up: Boolean }), 'habit');
  task.discriminator('${name} daily', new Schema({ streak: Number }), 'daily');
  for (const path of ['steps', 'first']) task.path(path).discriminator('${name} walk ' + path, new Schema({ km: Number }, { _id: false }), 'walk');
  return task;
};`;
    server = await startServer({
      models: { 'task.ts': task('task', ''), 'saved.ts': task('saved', 'save_on_put: true') },
    });
    root = await makeRoot(server);
    daily = String((await server.post('/api/task', { type: 'daily', name: 'a', streak: 1 })).document['_id']);
  });

  type Write = (path: string, set: Record<string, unknown>) => Promise<Answer>;
  const patched = (path: string, type: string, body: unknown): Promise<Answer> =>
    server.send('PATCH', `/api/${path}`, { headers: { 'content-type': type }, raw: JSON.stringify(body) });
  const bulk = (path: string, operation: object): Promise<Answer> =>
    server.post(`/bulkwrite/${path.split('/')[0] ?? ''}`, [operation], root);
  const writes: Readonly<Record<string, Write>> = {
    'PUT /api': (path, set) => server.put(`/api/${path}`, set),
    'PUT /update': (path, set) => server.put(`/update/${path}`, set),
    'PATCH with fields': (path, set) => patched(path, 'application/json', set),
    'PATCH with $set': (path, set) => patched(path, 'application/json', { $set: set }),
    'a merge patch': (path, set) => patched(path, 'application/merge-patch+json', set),
    'a JSON Patch': (path, set) =>
      patched(
        path,
        'application/json-patch+json',
        Object.entries(set).map(([name, value]) => ({ op: 'replace', path: `/${name}`, value })),
      ),
    'updateOne by _id': (path, set) =>
      bulk(path, { updateOne: { filter: { _id: path.split('/')[1] }, update: { $set: set } } }),
    'updateOne by a field': (path, set) => bulk(path, { updateOne: { filter: { name: 'a' }, update: { $set: set } } }),
    updateMany: (path, set) => bulk(path, { updateMany: { filter: { name: 'a' }, update: { $set: set } } }),
  };
  const byId = Object.keys(writes).filter((way) => !['updateOne by a field', 'updateMany'].includes(way));

  test.each(Object.keys(writes))('is neither changed nor lost by %s', async (way) => {
    for (const type of ['habit', 'nosuch', 5, '']) {
      const refused = await writes[way]?.(`task/${daily}`, { type, name: 'changed' });
      expect([type, refused?.status]).toEqual([type, 400]);
      expect(refused?.body['errors']).toMatchObject([{ path: 'type', kind: 'discriminator' }]);
    }
    expect((await server.get(`/api/task/${daily}`)).document).toMatchObject({ type: 'daily', name: 'a', streak: 1 });
  });

  test.each(byId)('may be sent back by %s', async (way) => {
    for (const model of ['task', 'saved']) {
      const made = (await server.post(`/api/${model}`, { type: 'daily', name: way, streak: 1 })).document;
      const path = `${model}/${String(made['_id'])}`;
      expect(await writes[way]?.(path, { type: 'daily', streak: 2 })).toMatchObject({ status: 200 });
      expect((await server.get(`/api/${path}`)).document).toMatchObject({ type: 'daily', streak: 2 });
    }
  });

  test.each(['$unset', '$rename', '$min', '$max'])('is not touched by %s', async (operator) => {
    const value = operator === '$rename' ? 'name' : 'z';
    const refused = await bulk('task', {
      updateOne: { filter: { _id: daily }, update: { [operator]: { type: value } } },
    });
    expect(refused.status).toBe(400);
    expect((await server.get(`/api/task/${daily}`)).document).toMatchObject({ type: 'daily', streak: 1 });
  });

  test('is set by an upsert in the filter and in $setOnInsert, and never changed', async () => {
    const upsert = (filter: object, update: object): Promise<Answer> =>
      bulk('task', { updateOne: { filter, update, upsert: true } });
    expect((await upsert({ name: 'a' }, { $set: { type: 'habit', up: true } })).status).toBe(400);
    expect((await upsert({ name: 'new' }, { $set: { type: 'habit' } })).status).toBe(400);
    expect((await server.get(`/api/task/${daily}`)).document).toMatchObject({ type: 'daily', streak: 1 });
    for (const [name, filter, update] of [
      ['one', { name: 'one' }, { $setOnInsert: { type: 'daily' } }],
      ['two', { name: 'two', type: 'daily' }, { $set: { type: 'daily' } }],
      ['three', { name: 'three', type: 'daily' }, { $set: { name: 'three' } }],
    ] as const) {
      expect([name, (await upsert(filter, update)).status]).toEqual([name, 200]);
      expect((await server.get(`/api/task?filter[name]=${name}`)).rows).toMatchObject([{ type: 'daily' }]);
    }
  });

  test('is changed by replacing the document', async () => {
    const id = String((await server.post('/api/task', { type: 'daily', name: 'b', streak: 1 })).document['_id']);
    const replacement = { type: 'habit', name: 'b', up: true };
    expect((await bulk('task', { replaceOne: { filter: { _id: id }, replacement } })).status).toBe(200);
    expect((await server.get(`/api/task/${id}`)).document).toMatchObject(replacement);
  });

  test.each<[name: string, body: object, path: string, values: string]>([
    ['of another name', { type: 'nosuch' }, 'type', 'habit, daily'],
    ['of another type', { type: 5 }, 'type', 'habit, daily'],
    ['of a nested document', { first: { form: 'run' } }, 'first.form', 'walk'],
    ['of a member of a list', { steps: [{ form: 'walk', km: 1 }, { form: 'run' }] }, 'steps.1.form', 'walk'],
  ])('%s is refused with those that exist', async (_name, body, path, values) => {
    const message = `${path} must be one of ${values}`;
    for (const model of ['task', 'saved'])
      for (const answer of [
        await server.post(`/api/${model}`, body),
        await bulk(model, { insertOne: { document: body } }),
        await bulk(model, { replaceOne: { filter: { _id: daily }, replacement: body } }),
      ])
        expect(answer).toMatchObject({ status: 400, body: { errors: [{ path, kind: 'discriminator', message }] } });
    if (path === 'type') return;
    for (const way of byId)
      expect([way, (await writes[way]?.(`task/${daily}`, body as Record<string, unknown>))?.status]).toEqual([
        way,
        400,
      ]);
  });

  test.each([{}, { type: null }])('may be none: %j', async (kind) => {
    expect((await server.post('/api/task', { name: 'none', ...kind })).status).toBe(201);
  });
});

describe('a discriminator in a file of its own is served with its model', () => {
  const head = `const mongoose = require('mongoose'); const { Schema } = mongoose;`;
  const shape = `new Schema({ name: String }, { perms: { all: 'crud' } })`;
  const square = `discriminator('Square', new Schema({ side: Number }))`;

  test.each<[name: string, models: Readonly<Record<string, string>>]>([
    [
      'of a model of another file',
      {
        'shape.js': `${head} module.exports = mongoose.model('Shape', ${shape});`,
        'square.js': `${head} module.exports = require('./shape').${square};`,
      },
    ],
    [
      'of a model that no other file exports',
      { 'shape.js': `${head} module.exports = mongoose.model('Shape', ${shape}).${square};` },
    ],
    [
      'beside its model',
      {
        'shape.js': `${head} const Shape = mongoose.model('Shape', ${shape}); module.exports = { Shape, Square: Shape.${square} };`,
      },
    ],
    [
      'on a connection',
      {
        'shape.js': `${head} module.exports = mongoose.createConnection().model('Shape', ${shape});`,
        'square.js': `${head} module.exports = require('./shape').${square};`,
      },
    ],
    [
      'on a connection, of a model that no other file exports',
      { 'shape.js': `${head} module.exports = mongoose.createConnection().model('Shape', ${shape}).${square};` },
    ],
  ])('%s', async (_name, models) => {
    const server = await startServer({ models });
    const made = await server.post('/api/shape', { __t: 'Square', name: 'a', side: 2 });
    const plain = await server.post('/api/shape', { name: 'b', side: 2 });
    const served = server.dossier.services.registry.all.filter(({ file }) => file !== undefined);
    await server.close();
    expect(made).toMatchObject({ status: 201, document: { __t: 'Square', name: 'a', side: 2 } });
    expect(plain.status).toBe(400);
    expect(served.map(({ name }) => name)).toEqual(['shape']);
  });

  test('whereas its schema alone stops the start', async () => {
    const text = `${head} module.exports = mongoose.model('Shape', ${shape}).${square}.schema;`;
    await expect(startServer({ models: { 'square.js': text } })).rejects.toThrow(
      /square\.js: a discriminator is served with the model that it belongs to: export that one/,
    );
  });
});
