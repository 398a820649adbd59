/** Every endpoint × every caller: the status that the access rule demands, generated from the tables of the endpoints. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operationGroups } from '../../src/start/operations.ts';
import type { Person } from '../support/fixtures/people.ts';
import { openWorld, type World } from '../support/fixtures/world.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { check, checkContent } from '../support/scenario.ts';

/** By model, the letters that each caller has for all of its documents. */
const rights: Readonly<Record<string, Readonly<Record<Caller, string>>>> = {
  shut: { anonymous: '', eve: '', ed: '', root: 'crud' },
  open: { anonymous: 'crud', eve: 'crud', ed: 'crud', root: 'crud' },
  known: { anonymous: '', eve: 'crud', ed: 'crud', root: 'crud' },
  club: { anonymous: '', eve: '', ed: 'crud', root: 'crud' },
  letters: { anonymous: 'r', eve: 'cr', ed: 'cru', root: 'crd' },
  edits: { anonymous: 'r', eve: 'ru', ed: 'ru', root: 'crud' },
};
const callers = ['anonymous', 'eve', 'ed', 'root'] as const satisfies readonly (Person | 'anonymous')[];
type Caller = (typeof callers)[number];

const schema = (perms: string): string => `import { Schema } from 'mongoose';
const one = new Schema({ title: String, code: { type: String, unique: true, sparse: true } }, {
  perms: ${perms},
  callable_statics: ['run'],
  advanced_queries: { bulkwrite: true },
});
one.statics.run = () => 'ran';
export default one;`;

let world: World;
let mailbox: Mailbox;
afterAll(() => mailbox.close());
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  mailbox = await openMailbox();
  world = await openWorld({
    // switches all endpoints on
    signup: 'verified',
    metrics: { enabled: true },
    smtp: { url: mailbox.url },
    verify_url: 'https://app.example/verify?jwt=',
    more: {
      shut: schema('{}'),
      open: schema(`{ all: 'crud' }`),
      known: schema(`{ user: 'crud' }`),
      club: schema(`{ editors: 'crud' }`),
      letters: schema(`{ all: 'r', user: 'c', editors: 'u', admin: 'd' }`),
      edits: schema(`{ all: 'r', user: 'u', admin: 'crud' }`),
    },
  });
  const made = await Promise.all(
    Object.keys(rights).map(async (model) => {
      const { body } = await world.as('root', 'POST', '/setup/data', {
        body: { [model]: [{ title: 'x' }, { title: 'x', code: 'taken' }] },
      });
      const [[, { insertedIds }] = ['', { insertedIds: {} }]] = Object.entries(
        body['results'] as Record<string, { insertedIds: Record<string, string> }>,
      );
      return [model, insertedIds[0] ?? ''] as const;
    }),
  );
  ids = Object.fromEntries(made);
});

const endpoints = operationGroups.flatMap(({ operations }) => operations).map((row) => ({ ...row, ...row.http }));
type Endpoint = (typeof endpoints)[number];

/** The path for a model, its document and the caller. */
const pathOf = ({ path }: Endpoint, model: string, user: string): string =>
  path
    .replace(/:model|:modelname/, model)
    .replace(':method', 'run')
    .replace(':user_id', user)
    .replace(':path', 'title')
    .replace(':id', ids[model] ?? '0'.repeat(24))
    .replace(/:\w+/g, 'x');

/** The letter that a row needs of a model; `/call`, `/bulkwrite` and PUT with `on` create here. */
const letterOf = ({ access }: Endpoint): string => (access.kind === 'letter' ? access.letter : 'c');

const ofModels = endpoints.filter(({ access }) => access.kind === 'letter' || access.kind === 'perOperation');

const isUpsert = ({ name }: Endpoint): boolean => name === 'documents.upsert';

const bodyOf = (row: Endpoint, code: string): unknown => {
  const { path } = row;
  if (isUpsert(row)) return { title: 'x', code };
  if (path.startsWith('/aggregate')) return [];
  if (path.startsWith('/figure')) return { figure: { of: 'count' } };
  if (path.startsWith('/bulkwrite')) return [{ insertOne: { document: { title: 'x' } } }];
  return path.startsWith('/query') ? { query: {} } : { title: 'x' };
};

describe.each(ofModels.map((row) => ({ name: `${row.method} ${row.path}`, row })))('$name', ({ row }) => {
  test.each(callers.flatMap((caller) => Object.keys(rights).map((model) => [caller, model] as const)))(
    '%s on %s',
    async (caller, model) => {
      const may = rights[model]?.[caller].includes(letterOf(row)) === true;
      const answer = await world.as(caller, row.method, `${pathOf(row, model, '')}${isUpsert(row) ? '?on=code' : ''}`, {
        ...(row.method === 'GET' ? {} : { body: bodyOf(row, caller) }),
      });
      checkContent(answer);
      if (!may) expect(answer.status).toBe(caller === 'anonymous' ? 401 : 403);
      // an earlier row may have deleted it
      else expect([200, 201, 404]).toContain(answer.status);
    },
  );
});

describe('PUT /api/:model, judged by what it does', () => {
  test.each(callers.flatMap((caller) => Object.keys(rights).map((model) => [caller, model] as const)))(
    '%s on %s',
    async (caller, model) => {
      const has = (letter: string): boolean => rights[model]?.[caller].includes(letter) === true;
      const refused = caller === 'anonymous' ? 401 : 403;
      const put = async (query: string, code: string): Promise<number> => {
        const answer = await world.as(caller, 'PUT', `/api/${model}${query}`, { body: { title: 'y', code } });
        checkContent(answer);
        return answer.status;
      };
      const invalid = has('c') || has('u') ? 400 : refused;
      expect({
        creating: await put('?on=code', `new-${caller}`),
        changing: await put('?on=code', 'taken'),
        withoutOn: await put('', 'taken'),
        notUnique: await put('?on=title', 'taken'),
      }).toEqual({
        creating: has('c') ? 201 : refused,
        changing: has('u') ? 200 : refused,
        withoutOn: invalid,
        notUnique: invalid,
      });
    },
  );
});

const plain = endpoints.filter(
  ({ access }) => access.kind === 'admin' || access.kind === 'signedIn' || access.kind === 'selfOrAdmin',
);

describe.each(plain.map((row) => ({ name: `${row.method} ${row.path}`, row })))('$name', ({ row }) => {
  const refused: Readonly<Record<string, readonly (readonly [Person | 'anonymous', 'eve' | 'ann', number])[]>> = {
    admin: [
      ['anonymous', 'eve', 401],
      ['eve', 'eve', 403],
      ['ed', 'eve', 403],
    ],
    signedIn: [['anonymous', 'eve', 401]],
    selfOrAdmin: [
      ['anonymous', 'eve', 401],
      ['eve', 'ann', 403],
    ],
  };
  test.each(refused[row.access.kind] ?? [])('refuses %s, about %s, with %d', async (caller, whom, status) => {
    const path = pathOf(row, 'book', world.ids[whom] ?? '');
    const answer = await world.as(caller, row.method, path, row.method === 'GET' ? {} : { body: {} });
    expect({ status: answer.status, text: answer.text }).toEqual({ status, text: answer.text });
    checkContent(answer);
  });

  test('answers an admin', async () => {
    if (row.path.includes('logout')) return;
    const answer = await world.as('root', row.method, pathOf(row, 'book', world.ids['ann'] ?? ''), {
      ...(row.method === 'GET' ? {} : { body: {} }),
    });
    expect([401, 403]).not.toContain(answer.status);
    expect(answer.status).toBeLessThan(500);
  });
});

describe("an admin's feature on a model that every caller may use", () => {
  const code = { body: 'function(){return 1}', args: [], lang: 'js' };
  const features: readonly (readonly [request: string, body: unknown])[] = [
    ['POST /aggregate/open', [{ $out: 'x' }]],
    ['POST /aggregate/open', [{ $merge: { into: 'x' } }]],
    ['POST /aggregate/open', [{ $facet: { a: [{ $out: 'x' }] } }]],
    ['POST /aggregate/open', [{ $project: { a: { $function: code } } }]],
    ['POST /aggregate/open', [{ $match: { $expr: { $function: code } } }]],
    ['POST /aggregate/open', [{ $function: code }]],
    ['POST /aggregate/open', [{ $accumulator: {} }]],
    ['POST /api/open?password_override=1', { title: 'x' }],
    ['POST /bulkwrite/open', [{ updateMany: { filter: { title: 'x' }, update: { title: 'y' } } }]],
    ['POST /bulkwrite/open', [{ deleteMany: { filter: { title: 'x' } } }]],
  ];
  test.each(features)('%s %j', async (request, body) => {
    for (const [as, status] of [
      ['anonymous', 401],
      ['eve', 403],
    ] as const)
      await check(world, { as, request, body, status });
  });
});

test('every open endpoint has a reason, and every access value is known', () => {
  for (const { access } of endpoints)
    if (access.kind === 'open') expect(access.reason.length).toBeGreaterThan(10);
    else expect(['letter', 'perOperation', 'admin', 'signedIn', 'selfOrAdmin']).toContain(access.kind);
});

describe('every path refuses the methods that it does not have', () => {
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'] as const;
  const paths = [...new Set(endpoints.map(({ path }) => path))];
  test.each(paths)('%s', async (path) => {
    const known = endpoints.filter((row) => row.path === path);
    const target = pathOf(known[0] as Endpoint, 'open', world.ids['ann'] ?? '');
    for (const method of methods) {
      if (known.some((row) => row.method === method)) continue;
      const { status, headers } = await world.as('root', method, target);
      expect({ method, status }).toEqual({ method, status: 405 });
      expect(headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(known.map((row) => row.method)));
    }
  });
});
