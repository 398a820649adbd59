/** Documents of `api` in what routes and functions return: they leave as the caller of the route may read them. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { needs } from '../support/needs.ts';
import { openRoutes, routeFile, type RoutesWorld } from './world.ts';

/** Hidden values contain this text. */
const mark = 'HIDDEN';

const models = {
  person: `
    import { Schema } from 'mongoose';
    const perms = { all: '', user: '', owner: '', admin: 'cru' };
    const schema = new Schema(
      {
        name: String,
        phone: { type: String, perms },
        aliased: { type: String, perms, alias: 'shownAs' },
        own: { type: String, perms: { all: '', user: 'c', owner: 'r', admin: 'cru' } },
        notes: { type: String, select: false },
        pay: new Schema({ grade: String, amount: { type: String, perms } }),
        rows: [new Schema({ label: String, secret: { type: String, perms } })],
      },
      { perms: { all: 'r', user: 'cr', admin: 'crud' }, history: true, advanced_queries: { query: true, aggregate: true }, callable_statics: { asSystem: 'r' } },
    );
    schema.statics.asSystem = async (input, { api }) => ({ rows: await api.as('system').model('person').query({}) });
    export default schema;
  `,
  team: `
    import { Schema } from 'mongoose';
    const perms = { all: '', user: '', owner: '', admin: 'cru' };
    export default new Schema(
      {
        name: String,
        lead_id: { type: Schema.Types.ObjectId, link: 'person', reverse: 'leads' },
        member_ids: [{ type: Schema.Types.ObjectId, link: 'person' }],
        desk: new Schema({ clerk_id: { type: Schema.Types.ObjectId, link: 'person' } }),
        sponsor_id: { type: Schema.Types.ObjectId, link: 'person', perms, reverse: 'sponsored' },
        budget: { type: String, perms },
      },
      { perms: { all: 'r', admin: 'crud' }, advanced_queries: { query: true, aggregate: true } },
    );
  `,
};

const routes = {
  reads: routeFile(`
    let first;
    const forms = {
      list: async (api) => (await api.model('person').list()).data,
      page: async (api) => api.model('person').list({ count: 'exact' }),
      query: async (api) => api.model('person').query({ name: { $exists: true } }),
      one: async (api, id) => api.model('person').one(id),
      earlier: async (api, id) => api.model('person').one(id, { at: new Date() }),
      walked: async (api) => { const found = []; for await (const one of api.model('person').iterate({ limit: 1 })) found.push(one); return found; },
      created: async (api) => api.model('person').create({ name: 'made', phone: '${mark}', pay: { amount: '${mark}' } }),
      set: async (api, id) => api.model('person').set(id, { name: 'Ann' }),
      patched: async (api, id) => api.model('person').patch(id, { $set: { name: 'Ann' } }),
      selected: async (api) => api.model('person').list({ fields: ['name', 'phone', 'pay'] }),
      nested: async (api, id) => ({ a: [{ b: await api.model('person').one(id), c: [[await api.model('person').one(id)]] }] }),
      map: async (api, id) => new Map([['one', await api.model('person').one(id)]]),
      adds: async (api, id) => Object.assign(await api.model('person').one(id), { total: 3 }),
      linked: async (api) => api.model('team').list({ populate: ['lead', 'member_ids', 'desk.clerk', 'sponsor'] }),
      deeply: async (api) => api.model('person').list({ populate: ['leads.lead', 'sponsored'] }),
      led: async (api) => api.model('person').list({ populate: ['leads.lead'] }),
      inUnit: async (api, id) => api.transaction((inner) => inner.model('person').one(id)),
      aggregated: async (api) => api.model('person').aggregate([{ $match: {} }]),
      grouped: async (api) => api.model('person').aggregate([{ $group: { _id: null, all: { $push: '$$ROOT' } } }]),
      joined: async (api) => api.model('team').aggregate([{ $lookup: { from: 'person', localField: 'lead_id', foreignField: '_id', as: 'found' } }]),
    };
    const copies = {
      taken: async (api, id) => { const { name, phone } = await api.model('person').one(id); return { name, phone }; },
      spread: async (api, id) => ({ ...(await api.model('person').one(id)) }),
      value: async (api, id) => (await api.model('person').one(id)).phone,
    };
    const of = (access, prefix, all, as) => defineRoute({
      method: 'POST', path: '/' + prefix + '/:form/:id', access,
      handler: ({ params, api }) => all[params.form](as === undefined ? api : api.as(as), params.id),
    });
    export default [
      of('all', 'system', forms, 'system'), of('all', 'copies', copies, 'system'), of('all', 'caller', forms),
      defineRoute({ method: 'GET', path: '/notes', access: 'all', handler: ({ api }) => api.as('system').model('person').list({ fields: ['name', 'notes'] }) }),
      defineRoute({ method: 'GET', path: '/own', access: 'all', handler: ({ api }) => api.model('person').list({ fields: ['own'], filter: { name: 'Eve' } }) }),
      defineRoute({ method: 'GET', path: '/first', access: 'all', handler: async ({ api }) => (first ??= await api.model('person').list()) }),
    ];
  `),
};

let world: RoutesWorld;
let ann: string;
beforeAll(async () => {
  world = await openRoutes(routes, { models });
  const system = world.dossier.api.as('system');
  const hidden = {
    ...{ phone: mark, aliased: mark, own: mark, pay: { grade: 'A', amount: mark } },
    ...{ rows: [{ label: 'x', secret: mark }], notes: 'a note' },
  };
  const made = await system.model('person').create({ name: 'Ann', ...hidden });
  ann = String(made['_id']);
  const team = { lead_id: ann, member_ids: [ann], desk: { clerk_id: ann } };
  await system.model('team').create({ name: 'Led', ...team, budget: mark });
  await system.model('team').create({ name: 'Sponsored', sponsor_id: ann, budget: mark });
});

const forms = [...routes.reads.matchAll(/^ {6}(\w+): async \(api/gm)].map(([, name = '']) => name);
const copies = new Set(['taken', 'spread', 'value']);

describe('documents that a route reads as the system', () => {
  const isHidden = async (form: string): Promise<void> => {
    const path = `/system/${form}/${ann}`;
    const [anonymous, user, admin] = [
      await world.as('anonymous', 'POST', path),
      await world.as('eve', 'POST', path),
      await world.as('root', 'POST', path),
    ];
    for (const { status, text } of [anonymous, user]) {
      expect([status === 200 ? '' : text, text.includes(mark)]).toEqual(['', false]);
      expect(text).toMatch(/"name":"(Ann|made|Led)"/);
    }
    expect([admin.status, admin.text.includes(mark)]).toEqual([200, true]);
  };

  test.each(forms.filter((form) => !copies.has(form) && form !== 'inUnit'))('%s', isHidden);

  needs('transactions')('inUnit', () => isHidden('inUnit'));

  test('have their links where the caller may read the path of the link', async () => {
    const teams = async (caller: 'eve' | 'root') =>
      ((await world.as(caller, 'POST', `/system/linked/${ann}`)).body['data'] as { data: Record<string, any>[] }).data;
    const [led, sponsored] = await teams('eve');
    expect(led).toMatchObject({
      lead: { name: 'Ann', id: ann },
      member_ids: [{ name: 'Ann' }],
      desk: { clerk: { name: 'Ann' } },
    });
    expect(Object.keys(sponsored ?? {})).not.toEqual(expect.arrayContaining(['sponsor']));
    expect((await teams('root'))[1]).toMatchObject({ sponsor: { name: 'Ann', phone: mark } });
  });

  test('have what links to them where the caller may read the path of the link', async () => {
    const people = async (caller: 'eve' | 'root') =>
      ((await world.as(caller, 'POST', `/system/deeply/${ann}`)).body['data'] as { data: Record<string, any>[] }).data;
    const [seen] = await people('eve');
    expect(seen).toMatchObject({ leads: [{ name: 'Led', lead: { name: 'Ann' } }] });
    expect(Object.keys(seen ?? {}).filter((name) => name.startsWith('sponsored'))).toEqual([]);
    expect((await people('root'))[0]).toMatchObject({ sponsored: [{ name: 'Sponsored', budget: mark }] });
  });

  test('keep what the handler adds, and the fields of `select: false` that it has asked for', async () => {
    expect((await world.as('eve', 'POST', `/system/adds/${ann}`)).document).toMatchObject({ name: 'Ann', total: 3 });
    expect((await world.as('eve', 'GET', '/notes')).text).toContain('a note');
  });

  test('are what the handler has made of them where it copies them', async () => {
    for (const form of copies) expect((await world.as('eve', 'POST', `/copies/${form}/${ann}`)).text).toContain(mark);
  });

  test('leave alike from a function', async () => {
    const { status, text } = await world.as('eve', 'POST', '/call/person/asSystem', { body: {} });
    expect([status, text.includes(mark), text.includes('"name":"Ann"')]).toEqual([200, false, true]);
    expect((await world.as('root', 'POST', '/call/person/asSystem', { body: {} })).text).toContain(mark);
  });
});

test('documents that a route reads as its caller are as that caller reads them', async () => {
  const query = 'populate=leads.lead';
  for (const caller of ['anonymous', 'eve', 'root'] as const) {
    const direct = await world.as(caller, 'GET', `/api/person?${query}`);
    expect((await world.as(caller, 'POST', `/caller/led/${ann}`)).body['data']).toEqual(direct.body);
    expect(direct.rows[0]).toMatchObject({ name: 'Ann', leads: [{ lead: { name: 'Ann' } }] });
  }
});

test('a document of their own has the fields for its owner, also without the path that names the owner', async () => {
  await world.as('eve', 'POST', '/api/person', { body: { name: 'Eve', own: 'hers' } });
  const direct = await world.as('eve', 'GET', '/api/person?fields=own&filter[name]=Eve');
  expect(direct.rows[0]).toMatchObject({ own: 'hers' });
  expect((await world.as('eve', 'GET', '/own')).body['data']).toEqual(direct.body);
});

test('what a route keeps of the documents of one caller leaves as the next one may read it', async () => {
  expect((await world.as('root', 'GET', '/first')).text).toContain(mark);
  expect((await world.as('eve', 'GET', '/first')).text).not.toContain(mark);
});
