/** `api` in functions, hooks and programs (docs/api.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, createClient, DossierError } from 'dossier-client';
import type { Api } from '../../src/index.ts';
import type { Answer } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';

const models = {
  'film.ts': `import { Schema } from 'mongoose';
const film = new Schema(
  {
    title: { type: String, required: true },
    year: Number,
    cost: { type: Number, perms: { admin: 'cru' } },
    studio: { type: Schema.Types.ObjectId, link: 'studio', map_to: 'made_by' },
    released: Date,
    big: BigInt,
  },
  {
    perms: { admin: 'crud', user: 'cr', owner: 'ud' },
    advanced_queries: { bulkwrite: true },
    callable_statics: { run: { needs: 'r', on: 'model' }, shout: { needs: 'r', on: 'document' } },
  },
);
film.index({ title: 1 }, { unique: true });
// what a test sends is the body of the function
film.statics.run = async ({ code }, caller) => {
  const run = new Function('api', 'caller', 'return (async () => {' + code + '})()');
  return { value: (await run(caller.api, caller)) ?? null };
};
film.statics.shout = (document, { mark = '!' }) => document.title.toUpperCase() + mark;
export default film;`,
  'studio.ts': `import { Schema } from 'mongoose';
export default new Schema({ name: String }, { perms: { admin: 'crud', user: 'cr' } });`,
  'secret.ts': `import { Schema } from 'mongoose';
export default new Schema({ word: String }, { perms: { admin: 'crud' } });`,
};

let server: PeopledServer<'root' | 'ann' | 'bob'>;
beforeAll(async () => {
  server = await openPeople(['root', 'ann', 'bob'], {
    models,
    cache: { enabled: true, ttl: 60 },
    pre_hooks: {
      getOne: async ({ dossier: { api, params } }: any, _res: unknown, next: (error?: unknown) => void) => {
        // one that calls itself without end
        if (params.model === 'studio') await api.model('studio').one(params.id);
        next();
      },
      delete: async ({ dossier: { api, params } }: any, _res: unknown, next: (error?: unknown) => void) => {
        if (params.model === 'studio' && (await api.model('film').count({ filter: { studio: params.id } })) > 0)
          await api.model('film').one('0123456789abcdef01234567');
        next();
      },
    },
    post_hooks: {
      put: async ({ dossier: { api, principal } }: any, result: any) => {
        if (!('word' in result.data)) return undefined;
        const { data } = await api.model('secret').list({ filter: { _id: result.data._id } });
        return { ...result, seen: data[0].word, by: principal.user.email };
      },
    },
  });
});

/** Runs code in a function that a person calls. */
const runAs = (person: 'root' | 'ann' | 'bob' | 'anonymous', code: string): Promise<Answer> =>
  server.as(person, 'POST', '/call/film/run', { body: { code } });
const valueOf = async (person: 'root' | 'ann' | 'bob', code: string): Promise<any> => {
  const { status, body } = await runAs(person, code);
  return status === 200 ? (body['data'] as { value: unknown }).value : body;
};

const clientOf = (person: 'root' | 'ann'): Client =>
  createClient({ url: server.url, apikey: server.callers[person].apikey, retry: { times: 0 } });
const apiOf = (person: 'root' | 'ann'): Api => server.dossier.api.as({ user: server.callers[person].user_id });

type Door = Pick<Client, 'model'> | Api;

/** What a door answers, or throws, with placeholders for what differs in each document. */
async function outcome(door: Door, run: (door: Door) => Promise<unknown>): Promise<unknown> {
  const value = await run(door).catch((error: unknown) => {
    if (!(error instanceof DossierError)) throw error;
    return { status: error.status, err: error.err, errors: error.errors, message: error.message };
  });
  const text = JSON.stringify(value ?? null)
    .replace(/[0-9a-f]{24}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  return JSON.parse(text) as unknown;
}

const made = async (door: Door, more: object = {}): Promise<string> =>
  (await door.model('film').create({ title: 'A', year: 1979, ...more }))._id;

/** Each leaves no film behind. */
const cases: readonly (readonly [string, (door: Door) => Promise<unknown>])[] = [
  ['creates', async (door) => door.model('film').one(await made(door))],
  ['creates what is not valid', (door) => door.model('film').create({ year: 'no' })],
  ['creates what is there', async (door) => [await made(door), await door.model('film').create({ title: 'A' })]],
  ['creates with an unknown field', (door) => door.model('film').create({ title: 'A', colour: 'red' })],
  ['creates with a date', async (door) => door.model('film').create({ title: 'A', released: new Date(0) })],
  ['creates with 64 bits', (door) => door.model('film').create({ title: 'A', big: '9007199254740993' })],
  ['sets', async (door) => door.model('film').set(await made(door), { year: 1980 })],
  ['sets a document that is not there', (door) => door.model('film').set('0123456789abcdef01234567', { year: 1 })],
  ['sets by an id that is none', (door) => door.model('film').set('no/id?', { year: 1 })],
  ['changes by fields', async (door) => door.model('film').patch(await made(door), { year: 1981 })],
  ['changes by operators', async (door) => door.model('film').patch(await made(door), { $inc: { year: 2 } })],
  ['merges', async (door) => door.model('film').patch(await made(door), { year: null }, { merge: true })],
  [
    'changes by a JSON Patch',
    async (door) => door.model('film').patch(await made(door), [{ op: 'replace', path: '/year', value: 3 }]),
  ],
  ['updates', async (door) => door.model('film').update(await made(door), { year: 1982 })],
  ['upserts', async (door) => door.model('film').upsert({ title: 'A', year: 5 }, { on: ['title'] })],
  ['removes', async (door) => door.model('film').remove(await made(door))],
  [
    'restores',
    async (door) => {
      const id = await made(door);
      await door.model('film').remove(id);
      return door.model('film').restore(id);
    },
  ],
  [
    'lists',
    async (door) => [await made(door), await door.model('film').list({ filter: { title: 'A' }, count: 'exact' })],
  ],
  [
    'lists by a filter that an address cannot express',
    async (door) => [
      await made(door),
      await door.model('film').list({ filter: { $or: [{ year: 1979 }, { year: 1 }] } }),
    ],
  ],
  ['lists by an unknown path', (door) => door.model('film').list({ filter: { colour: 'red' } })],
  ['lists by a secret path', (door) => door.model('film').list({ filter: { cost: 3 } })],
  [
    'walks through all',
    async (door) => {
      for (const title of ['A', 'B', 'C']) await door.model('film').create({ title });
      const titles: unknown[] = [];
      for await (const film of door.model('film').iterate({ limit: 2, sort: 'title', fields: ['title'] }))
        titles.push(film['title']);
      return titles;
    },
  ],
  ['counts', async (door) => [await made(door), await door.model('film').count({ filter: { year: { $gt: 1970 } } })]],
  ['lists values', async (door) => [await made(door), await door.model('film').distinct('year')]],
  [
    'queries',
    async (door) => [await made(door), await door.model('film').query({ title: /^a/i }, { fields: ['year'] })],
  ],
  [
    'aggregates',
    async (door) => [
      await made(door),
      await door.model('film').aggregate([{ $match: { title: 'A' } }, { $group: { _id: '$year', n: { $sum: 1 } } }]),
    ],
  ],
  ['aggregates by a forbidden stage', (door) => door.model('film').aggregate([{ $currentOp: {} }])],
  ['exports', async (door) => [await made(door), await door.model('film').csv({ fields: ['title', 'year'] })]],
  ['calls on a document', async (door) => door.model('film').call('shout', { mark: '?' }, { id: await made(door) })],
  ['calls what is not listed', (door) => door.model('film').call('deleteMany')],
  [
    'writes in bulk',
    (door) =>
      door
        .model('film')
        .bulk([
          { insertOne: { document: { title: 'A' } } },
          { updateMany: { filter: { title: 'A' }, update: { $set: { year: 7 } } } },
        ]),
  ],
  ['asks for rights', (door) => door.model('film').rights()],
  [
    'populates',
    async (door) => {
      const { _id } = await door.model('studio').create({ name: 'S' });
      const id = await made(door, { studio: _id });
      return door.model('film').one(id, { populate: ['made_by'] });
    },
  ],
  ['names a model that is not there', (door) => door.model('nothing').list()],
  ['names a model by a path', (door) => door.model('../login').list()],
  ['reads a model without a right', (door) => door.model('secret').list()],
];

describe.each(['ann', 'root'] as const)('%s, by HTTP and inside of the server', (person) => {
  test.each(cases)('%s', async (_name, run) => {
    await empty();
    const overHttp = await outcome(clientOf(person), run);
    await empty();
    expect(await outcome(apiOf(person), run)).toEqual(overHttp);
  });
});

async function empty(): Promise<void> {
  const films = server.dossier.api.as('system').model('film');
  for await (const { _id } of films.iterate({ showDeleted: true, fields: ['_id'] }))
    await films.remove(_id, { permanent: true });
}

describe('a function', () => {
  beforeAll(empty);

  test('acts as its caller, whose rights and stamps hold', async () => {
    expect(await valueOf('ann', `return api.model('film').create({ title: 'by ann' })`)).toMatchObject({
      title: 'by ann',
      _owner_id: server.callers.ann.user_id,
    });
    expect(
      await valueOf(
        'bob',
        `const { data } = await api.model('film').list(); return api.model('film').remove(data[0]._id)`,
      ),
    ).toMatchObject({ status: 'fail', message: 'Forbidden' });
    expect((await runAs('ann', `return api.model('secret').list()`)).status).toBe(403);
    expect(await valueOf('ann', `return api.model('film').create({ title: 'x', cost: 3 })`)).toMatchObject({
      status: 'fail',
    });
  });

  test('refuses an id that no path can have, and takes one that is not there for a mistake', async () => {
    const refused = await runAs('ann', `return api.model('film').one('..')`);
    expect([refused.status, refused.body['err']]).toEqual([400, '".." is no id, and no name']);
    const mistaken = await runAs('ann', `return api.model('film').one(undefined)`);
    expect([mistaken.status, mistaken.body['err']]).toEqual([500, 'something went wrong on the server']);
  });

  test('may act as another user, and as the system', async () => {
    const bob = server.callers.bob.user_id;
    expect(
      await valueOf('ann', `return api.as({ user: '${bob}' }).model('film').create({ title: 'by bob' })`),
    ).toMatchObject({ _owner_id: bob });
    const secret = await valueOf('ann', `return api.as('system').model('secret').create({ word: 'w' })`);
    expect(secret).toMatchObject({ word: 'w' });
    expect(secret._owner_id ?? null).toBeNull();
    expect(
      await valueOf('ann', `return api.as({ user: '0123456789abcdef01234567' }).model('film').list()`),
    ).toMatchObject({ status: 'fail', message: 'Not found' });
    for (const actor of [`'admin'`, 'null', '{}', '{ user: 3 }', ''])
      expect((await runAs('ann', `return api.as(${actor}).model('film').list()`)).status).toBe(500);
  });

  test('gets an error with the status, the reason and the faults, and may catch it', async () => {
    expect(
      await valueOf(
        'ann',
        `try { await api.model('film').create({}) } catch (error) { return { name: error.name, status: error.status, err: error.err, errors: error.errors } }`,
      ),
    ).toMatchObject({ name: 'DossierError', status: 400, errors: [{ path: 'title', kind: 'required' }] });
    // the caller gets an error that it lets pass
    expect(await runAs('ann', `await api.model('film').create({})`)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'title', kind: 'required' }] },
    });
  });

  test('does not answer with its api', async () => {
    expect(await valueOf('ann', 'return caller')).toEqual({ user: expect.objectContaining({ email: 'ann@x.test' }) });
  });

  test('gets copies, as JSON carries them, and sends copies', async () => {
    expect(
      await valueOf(
        'ann',
        `
        const sent = { title: 'copy', released: new Date(0) };
        const made = await api.model('film').create(sent);
        return [typeof made._id, made.released, sent.released instanceof Date, Object.keys(sent)];`,
      ),
    ).toEqual(['string', '1970-01-01T00:00:00.000Z', true, ['title', 'released']]);
    expect(
      await valueOf(
        'ann',
        `return api.model('film').create({ title: 'x', ['__proto__']: 1, constructor: { prototype: 1 } })`,
      ),
    ).toMatchObject({ status: 'fail' });
  });
});

describe('hooks', () => {
  test('act as the caller, and an error that they let pass answers', async () => {
    const studio = await server.as('root', 'POST', '/api/studio', { body: { name: 'Empty' } });
    const full = await server.as('root', 'POST', '/api/studio', { body: { name: 'Full' } });
    const film = { title: 'in a studio', studio: full.document['_id'] };
    expect((await server.as('root', 'POST', '/api/film', { body: film })).status).toBe(201);
    const path = (id: unknown): string => `/api/studio/${String(id)}`;
    expect(await server.as('root', 'DELETE', path(full.document['_id']))).toMatchObject({
      status: 404,
      body: { err: expect.stringContaining('0123456789abcdef01234567') },
    });
    expect((await server.as('root', 'DELETE', path(studio.document['_id']))).status).toBe(200);
  });

  test('cannot call themselves without end', async () => {
    const { document } = await server.as('root', 'POST', '/api/studio', { body: { name: 'loop' } });
    const { status, text } = await server.as('root', 'GET', `/api/studio/${String(document['_id'])}`);
    expect([status, text.includes('other calls')]).toEqual([500, false]);
    expect(server.log.join('\n')).toContain('api is called inside of 10 other calls');
  });

  test('see what their operation has written, also in a batch that is not committed yet', async () => {
    const { document } = await server.as('root', 'POST', '/api/secret', { body: { word: 'old' } });
    const path = `/api/secret/${String(document['_id'])}`;
    const put = { method: 'PUT', path, body: { word: 'new' } };
    expect((await server.as('root', 'PUT', path, { body: put.body })).body).toMatchObject({ seen: 'new' });
  });

  needs('transactions')('see what a batch has written before it is committed', async () => {
    const { document } = await server.as('root', 'POST', '/api/secret', { body: { word: 'old' } });
    const path = `/api/secret/${String(document['_id'])}`;
    // an answer that is cached must not be taken for what the batch has written
    await server.as('root', 'GET', '/api/secret');
    const operations = [1, 2].map((n) => ({ method: 'PUT', path, body: { word: `word ${n}` } }));
    const { status, body } = await server.as('root', 'POST', '/batch', { body: { operations } });
    expect([status, body['data']]).toMatchObject([
      200,
      [{ body: { seen: 'word 1' } }, { body: { seen: 'word 2', by: 'root@x.test' } }],
    ]);
  });
});

describe('a transaction', () => {
  beforeAll(empty);

  needs('transactions')('commits all writes together, and sees its own', async () => {
    expect(
      await valueOf(
        'ann',
        `return api.transaction(async (api) => {
        await Promise.all(['T1', 'T2'].map((title) => api.model('film').create({ title, year: 2 })));
        const { data, count } = await api.model('film').list({ filter: { year: 2 }, sort: 'title', count: 'exact' });
        return [data.map(({ title }) => title), count, await api.model('film').count(), (await api.model('film').one(data[0]._id)).title,
          (await api.model('film').aggregate([{ $match: { year: 2 } }])).length, (await api.model('film').distinct('title')).length];
      })`,
      ),
    ).toEqual([['T1', 'T2'], 2, 2, 'T1', 2, 2]);
    expect((await server.as('ann', 'GET', '/count/film')).body).toMatchObject({ count: 2 });
  });

  needs('transactions')('keeps nothing when its work throws', async () => {
    const failing = await runAs(
      'ann',
      `await api.transaction(async (api) => {
      await api.model('film').create({ title: 'T3' });
      await api.as('system').model('secret').create({ word: 'T3' });
      await api.model('film').create({ title: 'T3' });
    })`,
    );
    expect(failing.status).toBe(409);
    await expect(
      server.dossier.api.as('system').transaction(async (api) => {
        await api.model('film').create({ title: 'T4' });
        throw new RangeError('own');
      }),
    ).rejects.toThrow(RangeError);
    const system = server.dossier.api.as('system');
    expect(await system.model('film').count({ filter: { title: { $in: ['T3', 'T4'] } } })).toBe(0);
    expect(await system.model('secret').count({ filter: { word: 'T3' } })).toBe(0);
  });

  needs('transactions')('loses no write of many that run at once on one document', async () => {
    const system = server.dossier.api.as('system');
    const { _id } = await system.model('film').create({ title: 'counter', year: 0 });
    const add = (): Promise<unknown> =>
      system.transaction(async (api) => {
        const { year } = (await api.model('film').one(_id)) as unknown as { year: number };
        await api.model('film').set(_id, { year: year + 1 });
      });
    await Promise.all(Array.from({ length: 12 }, add));
    expect(await system.model('film').one(_id)).toMatchObject({ year: 12 });
  });
});

test('a database without transactions is a 501', async () => {
  const { isReplicaSet } = server.dossier.services;
  const done = server.dossier.api.as('system').transaction(() => Promise.resolve('done'));
  const status = await done.catch((error: unknown) => (error as DossierError).status);
  expect(status).toBe(isReplicaSet ? 'done' : 501);
});

test('without a name, a program is a caller who has not signed in', async () => {
  await expect(server.dossier.api.model('film').list()).rejects.toMatchObject({ name: 'DossierError', status: 401 });
});

test('a key with scopes binds what its holder causes', async () => {
  const narrow = await server.as('ann', 'POST', '/login/keys', { body: { name: 'narrow', scopes: { film: 'r' } } });
  const headers = { 'x-api-key': String((narrow.body['data'] as { key: string }).key) };
  const send = (code: string): Promise<Answer> => server.post('/call/film/run', { code }, { headers });
  expect((await send(`return api.model('film').list()`)).status).toBe(200);
  expect((await send(`return api.model('film').create({ title: 'by a key' })`)).status).toBe(403);
  expect((await send(`return api.model('studio').list()`)).status).toBe(403);
  expect((await send(`return api.as('system').model('studio').list()`)).status).toBe(200);
});

test('the audit log says who did what, from where', async () => {
  const bob = server.callers.bob.user_id;
  await server.dossier.api
    .as('system')
    .model('user')
    .set(bob, { groups: ['readers'] });
  const { body } = await server.as('root', 'GET', '/audit?filter[what]=groups.changed');
  expect(body['data']).toMatchObject([{ whom: bob, who: null, address: 'server' }]);
});
