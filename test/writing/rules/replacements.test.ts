/** `replaceOne` of models that save: with save middleware and the rules that read the document, also where documents have kinds. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client.ts';
import { listen } from '../../support/event-stream.ts';
import { openPeople, type PeopledServer } from '../../support/fixtures/people.ts';

const model = (name: string, more: string): string => `module.exports = ({ Schema }) => {
  const pet = new Schema(
    { name: String, trace: [String], born: { type: Number, default: 2020 } },
    { perms: { user: 'crud', owner: 'crud' }, advanced_queries: { bulkwrite: true }, discriminatorKey: 'kind', ${more} },
  );
  pet.pre('save', function () { this.trace = ['pet']; });
  const cat = new Schema({ lives: { type: Number, required: true }, toys: [String], lazy: { type: Boolean, default: true } });
  cat.pre('save', function () { this.trace.push('cat'); });
  const dog = new Schema({
    low: Number,
    high: { type: Number, validate: { validator: function (v) { return v > this.low; }, message: 'high is not above low' } },
    toys: Number,
    chip: { type: String, immutable: true, set: (v) => v + '!' },
  });
  dog.pre('save', function () { this.trace.push('dog'); });
  pet.discriminator('${name} cat', cat, 'cat');
  pet.discriminator('${name} dog', dog, 'dog');
  return pet;
};`;

const user = `module.exports = ({ Schema }) => {
  const user = new Schema({ nick: String }, { advanced_queries: { bulkwrite: true } });
  user.pre('save', function () { this.nick = 'saved'; });
  return user;
};`;

let server: PeopledServer<'root' | 'ann'>;
beforeAll(async () => {
  const models = { 'pet.cjs': model('pet', ''), 'strict.cjs': model('strict', "strict: 'throw'"), 'user.cjs': user };
  server = await openPeople(['root', 'ann'], { models });
});

const replace = (name: string, filter: object, replacement: object, more: object = {}): Promise<Answer> =>
  server.as('ann', 'POST', `/bulkwrite/${name}`, { body: [{ replaceOne: { filter, replacement, ...more } }] });

describe.each(['pet', 'strict'])('%s', (name) => {
  const rows = () =>
    server.dossier.services.connection.collection(server.dossier.services.registry.get(name).collection);
  const stored = async (): Promise<any> => {
    const { _id, _owner_id, _updated_by_id, createdAt, updatedAt, _deleted, ...fields } = (await rows().findOne({}))!;
    return fields;
  };
  let id: string;
  beforeEach(async () => {
    await rows().deleteMany({});
    const body = { kind: 'cat', name: 'Tom', lives: 9, toys: ['ball'], lazy: false };
    id = String((await server.as('ann', 'POST', `/api/${name}`, { body })).document['_id']);
    expect(await stored()).toEqual({ ...body, trace: ['pet', 'cat'], born: 2020, __v: 0 });
  });

  test('one of the same kind is saved: what it lacks becomes its default, or is removed', async () => {
    const answer = await replace(name, { _id: id }, { kind: 'cat', lives: 8, toys: ['a', 'b'] });
    expect([answer.status, answer.body['data']]).toEqual([200, expect.objectContaining({ nMatched: 1, nModified: 1 })]);
    const row = { kind: 'cat', lives: 8, toys: ['a', 'b'], lazy: true, trace: ['pet', 'cat'], born: 2020, __v: 1 };
    expect(await stored()).toEqual(row);
  });

  test('one of another kind runs its middleware, and loses the fields of the old one', async () => {
    expect(
      (await replace(name, { name: 'Tom' }, { kind: 'dog', low: 1, high: 2, toys: 3, chip: 'c', name: 'Rex' })).status,
    ).toBe(200);
    const row = {
      kind: 'dog',
      name: 'Rex',
      low: 1,
      high: 2,
      toys: 3,
      chip: 'c!',
      trace: ['pet', 'dog'],
      born: 2020,
      __v: 1,
    };
    expect(await stored()).toEqual(row);
    // Mongoose refuses the immutable path where the schema is strict
    const body = { toys: 4, ...(name === 'strict' ? {} : { chip: 'd' }) };
    expect((await server.as('ann', 'PUT', `/api/${name}/${id}`, { body })).status).toBe(200);
    expect(await stored()).toEqual({ ...row, toys: 4, __v: 2 });
  });

  test('one without a kind has none', async () => {
    expect((await replace(name, { _id: id }, { name: 'It', born: 1 })).status).toBe(200);
    expect(await stored()).toEqual({ name: 'It', born: 1, trace: ['pet'], __v: 1 });
    expect((await replace(name, { _id: id }, { kind: 'cat', lives: 1 })).status).toBe(200);
    const row = { kind: 'cat', lives: 1, toys: [], lazy: true, trace: ['pet', 'cat'], born: 2020, __v: 2 };
    expect(await stored()).toEqual(row);
  });

  test.each([
    ['lives', { kind: 'cat', name: 'Tom' }],
    ['high', { kind: 'dog', low: 3, high: 2 }],
    ['low', { kind: 'cat', lives: 1, low: 3 }],
    ['kind', { kind: 'cow' }],
  ])('one that breaks a rule of %s is refused, and nothing is changed', async (path, replacement) => {
    const before = await stored();
    for (const more of [{}, { upsert: true }])
      expect(await replace(name, { _id: id }, replacement, more)).toMatchObject({
        status: 400,
        body: { errors: [{ path }] },
      });
    expect(await stored()).toEqual(before);
  });

  test('with upsert, the one that is stored is saved, and a new one, too', async () => {
    const dog = { kind: 'dog', low: 1, high: 2, name: 'Rex' };
    expect((await replace(name, { name: 'Tom' }, dog, { upsert: true })).body['data']).toMatchObject({ nModified: 1 });
    expect(await stored()).toEqual({ ...dog, trace: ['pet', 'dog'], born: 2020, __v: 1 });
    await rows().deleteMany({});
    const answer = await replace(name, { name: 'Rex' }, dog, { upsert: true });
    expect(answer.body['data']).toMatchObject({ nMatched: 0, nUpserted: 1 });
    expect(await stored()).toEqual({ ...dog, trace: ['pet', 'dog'], born: 2020, __v: 0 });
  });

  test('what the schema does not declare is removed', async () => {
    await rows().updateOne({}, { $set: { legacy: 1 } });
    expect((await replace(name, { _id: id }, { kind: 'cat', lives: 8 })).status).toBe(200);
    expect(await stored()).not.toHaveProperty('legacy');
  });

  test('a subscriber gets the document before and after', async () => {
    const events = await listen(`${server.url}/events/${name}`, server.callers.ann.headers);
    expect((await replace(name, { _id: id }, { kind: 'dog', low: 1, high: 2 })).status).toBe(200);
    await events.when(() => JSON.stringify(events.received).includes('"dog"'));
    events.close();
  });
});

test('setters run once, also for defaults, aliases and virtuals', async () => {
  const models = {
    'loud.cjs': `module.exports = ({ Schema }) => {
      const text = { type: String, set: (v) => v + '!' };
      const schema = new Schema(
        {
          plain: text, note: { ...text, default: 'none' }, long: { ...text, alias: 'short' }, first: text, list: [text],
          fixed: { type: String, immutable: true, default: 'a' }, made: { type: Date, default: () => new Date(0) },
        },
        { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } },
      );
      schema.virtual('name').set(function (v) { this.first = v; });
      schema.pre('save', function () { this.$locals.saved = true; });
      return schema;
    };`,
  };
  const other = await openPeople(['ann'], { models });
  const body = { plain: 'a', note: 'b', short: 'c', name: 'd', list: ['e'], fixed: 'f', made: 5e11 };
  const { document } = await other.as('ann', 'POST', '/api/loud', { body });
  const replaceOne = {
    filter: { _id: document['_id'] },
    replacement: { plain: 'x', short: 'y', name: 'z', list: ['l', 'm'] },
  };
  expect((await other.as('ann', 'POST', '/bulkwrite/loud', { body: [{ replaceOne }] })).status).toBe(200);
  const row = await other.dossier.services.connection.collection('louds').findOne({});
  const after = {
    plain: 'x!',
    note: 'none!',
    long: 'y!',
    first: 'z!',
    list: ['l!', 'm!'],
    fixed: 'f',
    made: new Date(0),
  };
  expect(row).toMatchObject(after);
});

test('the last admin stays one', async () => {
  const root = String(server.callers.root.user_id);
  const replacement = { name: 'root', email: server.callers.root.email };
  const operation = { replaceOne: { filter: { _id: root }, replacement } };
  const answer = await server.as('root', 'POST', '/bulkwrite/user', { body: [operation] });
  expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('the last admin')]);
});
