/** Misspelt operators, stages, options and update operators are refused with the nearest that the caller may use. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expressionGroups } from '../../src/query/expressions.ts';
import { operatorRows } from '../../src/query/operators.ts';
import { stageRows } from '../../src/query/stages.ts';
import { updateRows } from '../../src/query/updates.ts';
import { type Caller, makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  book: `module.exports = ({ Schema, Mixed }) => new Schema(
    { title: String, pages: Number, tags: [String], meta: Mixed, salary: { type: Number, perms: { admin: 'cru' } } },
    { perms: { all: 'crud' }, advanced_queries: { query: true, aggregate: true, bulkwrite: true } });`,
};

let server: TestServer;
let root: Caller;
let id: string;
beforeAll(async () => {
  server = await startServer({ models });
  root = await makeRoot(server);
  id = String((await server.post('/api/book', { title: 'one', pages: 5 })).body['data']?._id);
});

/** `$match` → `$mmatch`. */
const misspelt = (name: string): string => `$${name[1] ?? ''}${name.slice(1)}`;
const denied = (name: string, meant: string): object => ({
  status: 400,
  body: { message: 'Operator not allowed', err: `${name} is not allowed here; did you mean "${meant}"?` },
});
const refused = (message: string, err: string): object => ({ status: 400, body: { message, err } });

const isLogical = ({ operand }: { operand: string }): boolean => operand === 'filters';
const logical = operatorRows.filter(isLogical).map(({ name }) => name);
const conditions = operatorRows.filter((row) => !isLogical(row));

describe('operators of filters', () => {
  test.each(conditions.filter(({ inUrl }) => inUrl).map(({ name }) => name))('%s in a URL', async (name) => {
    const wrong = misspelt(name);
    expect(await server.get(`/api/book?filter[title]=${wrong}:x`)).toMatchObject(denied(wrong, name));
    expect(await server.get(`/count/book?filter[title][${wrong}]=x`)).toMatchObject(denied(wrong, name));
  });

  test.each(logical)('%s', async (name) => {
    const wrong = misspelt(name);
    expect(await server.get(`/api/book?filter[${wrong}][0][title]=x`)).toMatchObject(denied(wrong, name));
    expect(await server.post('/query/book', { query: { [wrong]: [{ title: 'x' }] } })).toMatchObject(
      denied(wrong, name),
    );
  });

  test.each(conditions.map(({ name }) => name))('%s in JSON', async (name) => {
    const wrong = misspelt(name);
    const filter = { title: { [wrong]: 'x' } };
    const stage = { $match: { title: { $not: { [wrong]: 1 } } } };
    expect(await server.post('/query/book', { query: filter })).toMatchObject(denied(wrong, name));
    expect(await server.post('/aggregate/book', [stage])).toMatchObject(denied(wrong, name));
    const bulk = [{ deleteMany: { filter } }];
    expect(await server.post('/bulkwrite/book', bulk, { headers: root.headers })).toMatchObject(denied(wrong, name));
  });

  test.each([
    ['$qe', '$eq'],
    ['$EQ', '$eq'],
    ['$regexp', '$regex'],
    ['$eelmMatch', '$elemMatch'],
  ])('%s means %s', async (name, meant) => {
    const filter = { title: { [name]: 'x' } };
    expect(await server.post('/query/book', { query: filter })).toMatchObject(denied(name, meant));
  });

  test.each(['$like', '$near', '$where', '$text', '$contains', '$zzzz', `$${'x'.repeat(100)}`])(
    '%s is the misspelling of none',
    async (name) => {
      const { status, body } = await server.post('/query/book', { query: { title: { [name]: 'x' } } });
      expect([status, body['err']]).toEqual([400, `${name.slice(0, 60)} is not allowed here`]);
    },
  );

  test.each([
    ['filter[pages][gte]=5', 'filter: pages.gte is not in the schema; operators begin with $: filter[pages][$gte]'],
    ['filter[pages.in]=5', 'filter: pages.in is not in the schema; operators begin with $: filter[pages][$in]'],
    // hidden, and unknown
    ['filter[salary][gte]=5', 'filter: salary.gte is not in the schema'],
    ['filter[zzzzzz][gte]=5', 'filter: zzzzzz.gte is not in the schema'],
  ])('without its $: %s', async (query, err) => {
    expect(await server.get(`/api/book?${query}`)).toMatchObject(refused('Unknown field', err));
  });

  test('without its $ in JSON', async () => {
    expect(await server.post('/query/book', { query: { pages: { gte: 5 } } })).toMatchObject(
      refused('Bad filter', 'pages cannot be an object; operators begin with $: "$gte"'),
    );
  });
});

describe('pipelines', () => {
  const aggregate = (stage: object, admin = false) =>
    server.send('POST', '/aggregate/book', { body: [stage], ...(admin ? { headers: root.headers } : {}) });

  test.each(stageRows.map((row) => [row.name, row.admin === true] as const))('the stage %s', async (name, admin) => {
    const wrong = misspelt(name);
    expect(await aggregate({ [wrong]: {} }, true)).toMatchObject(denied(wrong, name));
    expect(await aggregate({ [name.slice(1)]: {} }, true)).toMatchObject(denied(name.slice(1), name));
    const { body } = await aggregate({ [wrong]: {} });
    if (admin) expect(body['err']).not.toContain(`"${name}"`);
    else expect(body['err']).toContain(`"${name}"`);
  });

  const forAll = Object.entries(expressionGroups).flatMap(([theme, names]) =>
    theme === 'admin' ? [] : names.split(' '),
  );
  test.each(forAll)('the expression %s', async (name) => {
    // of two names that are near, either may be meant
    const { status, body } = await aggregate({ $project: { x: { [`${name}${name.at(-1) ?? ''}`]: 1 } } });
    expect({ status, err: body['err'] }).toEqual({
      status: 400,
      err: expect.stringMatching(/ is not allowed here; did you mean "\$\w+"\?$/),
    });
  });

  test('what only admins may use is suggested to them alone', async () => {
    const stage = { $project: { x: { $functoin: {} } } };
    expect(await aggregate(stage, true)).toMatchObject(denied('$functoin', '$function'));
    expect((await aggregate(stage)).body['err']).toBe('$functoin is not allowed here');
  });

  test('a variable', async () => {
    expect(await aggregate({ $project: { x: '$$ROTO' } })).toMatchObject(denied('$$ROTO', '$$ROOT'));
  });

  const withOptions = stageRows.flatMap(({ name, options = [], admin }) =>
    admin === true ? [] : options.map((option) => [name, option] as const),
  );
  test.each(withOptions)('%s: the option %s', async (stage, option) => {
    const wrong = `${option}x`;
    expect(await aggregate({ [stage]: { [wrong]: 1 } })).toMatchObject(
      refused('Bad pipeline', `${stage} has no option "${wrong}"; did you mean "${option}"?`),
    );
  });

  test('a key of $sort', async () => {
    expect(await aggregate({ $sort: { titel: 1 } })).toMatchObject(
      refused('Unknown field', '$sort: titel is not in the schema; did you mean "title"?'),
    );
  });
});

describe('updates', () => {
  test.each(updateRows.map(({ name }) => name))('%s', async (name) => {
    const wrong = misspelt(name);
    const update = { [wrong]: { pages: 1 } };
    expect(await server.send('PATCH', `/api/book/${id}`, { body: update })).toMatchObject(denied(wrong, name));
    expect(
      await server.post('/bulkwrite/book', [{ updateOne: { filter: { _id: id }, update } }], { headers: root.headers }),
    ).toMatchObject(denied(wrong, name));
  });

  test.each([
    ['$push', '$eahc', '$each'],
    ['$push', '$slcie', '$slice'],
    ['$addToSet', '$eahc', '$each'],
  ])('%s with %s', async (name, wrong, meant) => {
    const update = { [name]: { tags: { $each: ['a'], [wrong]: ['a'] } } };
    expect(await server.send('PATCH', `/api/book/${id}`, { body: update })).toMatchObject(denied(wrong, meant));
  });
});
