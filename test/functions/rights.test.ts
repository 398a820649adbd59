/** Functions of models: every letter × role × caller × form of the rule, on the model and on own and others' documents. */
import { beforeAll, expect, test } from '@jest/globals';
import { type Letter, letters } from '../../src/models/letters.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import type { ModelFiles } from '../support/models.ts';

const roles = ['all', 'user', 'owner', 'editors', 'nobody'] as const;
type Role = (typeof roles)[number];
const people = ['root', 'ann', 'eve', 'ed'] as const;
const callers = ['anonymous', 'eve', 'ed', 'root'] as const;
type Caller = (typeof callers)[number];
const forms = ['either', 'document', 'model'] as const;
type Form = (typeof forms)[number];
/** What a call names in its path. */
const paths = ['none', 'own', 'other'] as const;
type Path = (typeof paths)[number];

const nameOf = (role: Role, letter: Letter): string => `${role}_${letter}`;
const cases = roles.flatMap((role) => letters.map((letter) => [role, letter] as const));

const schema = (role: Role, letter: Letter): string => `import { Schema } from 'mongoose';
const one = new Schema({ title: String }, {
  perms: { ${role}: '${letter === 'r' ? 'r' : `${letter}r`}' },
  callable_statics: {
    either: '${letter}',
    document: { needs: '${letter}', on: 'document' },
    model: { needs: '${letter}', on: 'model' },
  },
});
for (const name of ['either', 'document', 'model']) one.statics[name] = (first) => first.title ?? 'no document';
export default one;`;

let world: PeopledServer<(typeof people)[number]>;
/** Ids of documents by model and owner. */
const ids: Record<string, Readonly<Record<Caller, string>>> = {};

beforeAll(async () => {
  const models: ModelFiles = Object.fromEntries(
    cases.map(([role, letter]) => [nameOf(role, letter), schema(role, letter)]),
  );
  world = await openPeople(people, { models });
  const rows = (['ann', 'eve', 'ed', 'root'] as const).map((owner) => ({
    title: owner,
    _owner_id: world.callers[owner].user_id,
  }));
  const data = Object.fromEntries(Object.keys(models).map((model) => [model, rows]));
  const { body } = await world.as('root', 'POST', '/setup/data', { body: data });
  const results = body['results'] as Record<string, { insertedIds: Record<string, string> }>;
  for (const [model, { insertedIds }] of Object.entries(results)) {
    const [anonymous = '', eve = '', ed = '', root = ''] = Object.values(insertedIds);
    ids[model] = { anonymous, eve, ed, root };
  }
});

/** On which rows the caller has the right of a role. */
function rowsOf(role: Role, caller: Caller): 'all' | 'own' | 'none' {
  if (role === 'all' || caller === 'root') return 'all';
  if (caller === 'anonymous' || role === 'nobody') return 'none';
  if (role === 'owner') return 'own';
  return role === 'user' || caller === 'ed' ? 'all' : 'none';
}

function statusOf(role: Role, caller: Caller, form: Form, path: Path): number {
  const rows = rowsOf(role, caller);
  if (rows === 'none') return caller === 'anonymous' ? 401 : 403;
  const target = path === 'none' ? 'model' : 'document';
  if (form !== 'either' && form !== target) return 400;
  if (rows === 'own') return { none: 403, own: 200, other: 404 }[path];
  return 200;
}

const every = callers.flatMap((caller) => forms.flatMap((form) => paths.map((path) => ({ caller, form, path }))));
/** Two letters call by POST what the other two call by GET: every rule is tried with both. */
const methodOf = (letter: Letter, at: number): string => ((letters.indexOf(letter) + at) % 2 === 0 ? 'POST' : 'GET');

test.each(cases)('a function that %s may call by %s', async (role, letter) => {
  const model = nameOf(role, letter);
  // a document's owner other than the caller: eve, or ed where eve calls
  const others = (caller: Caller): string => ids[model]?.[caller === 'eve' ? 'ed' : 'eve'] ?? '';
  const [seen, right]: [unknown[], unknown[]] = [[], []];
  for (const [at, { caller, form, path }] of every.entries()) {
    const method = methodOf(letter, at);
    const id = path === 'none' ? '' : `${path === 'own' ? ids[model]?.[caller] : others(caller)}/`;
    const forged = { _id: others(caller), title: 'forged' };
    const query = method === 'GET' ? `?_id=${forged._id}&title=forged` : '';
    const answer = await world.as(caller, method, `/call/${model}/${id}${form}${query}`, {
      ...(method === 'GET' ? {} : { body: forged }),
    });
    const status = statusOf(role, caller, form, path);
    const isForged = answer.status === 200 && answer.body['data'] === 'forged';
    seen.push({ caller, form, path, method, status: answer.status, isForged });
    right.push({ caller, form, path, method, status, isForged: status === 200 && path === 'none' });
  }
  expect(seen).toEqual(right);
});

test('the refusals say what to do', async () => {
  const own = await world.as('eve', 'POST', '/call/owner_u/either', { body: { _id: ids['owner_u']?.ed } });
  expect(own).toMatchObject({
    status: 403,
    body: { err: expect.stringMatching(/only your own documents.*id in the path/) },
  });
  const withoutId = await world.as('root', 'POST', '/call/owner_u/document', { body: {} });
  expect(withoutId.body['err']).toMatch(/called on a document: put the document's id into the path/);
  const withId = await world.as('root', 'POST', `/call/owner_u/${ids['owner_u']?.ed ?? ''}/model`, { body: {} });
  expect(withId.body['err']).toMatch(/called on the model: leave the document's id out/);
});

test('the description of the model and the OpenAPI document say how each is called', async () => {
  const { body } = await world.as('eve', 'GET', '/model/owner_u');
  expect((body['data'] as { callable_statics: unknown }).callable_statics).toEqual({
    either: 'u',
    document: { needs: 'u', on: 'document' },
    model: { needs: 'u', on: 'model' },
  });
  const pathsFor = async (caller: Caller): Promise<string[]> => {
    const { body } = await world.as(caller, 'GET', '/openapi.json');
    return Object.keys(body['paths'] as object).filter((path) => path.startsWith('/call/owner_u/'));
  };
  expect((await pathsFor('eve')).sort()).toEqual(['/call/owner_u/{id}/document', '/call/owner_u/{id}/either']);
  expect((await pathsFor('root')).sort()).toEqual([
    '/call/owner_u/either',
    '/call/owner_u/model',
    '/call/owner_u/{id}/document',
    '/call/owner_u/{id}/either',
  ]);
  expect(await pathsFor('anonymous')).toEqual([]);
});
