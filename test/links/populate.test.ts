/** Linked documents: every form of `populate`, `autopopulate`, deleted and missing targets, and rights (docs/links.md). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from '../support/client.ts';
import { openShelf, type Shelf } from '../support/fixtures/shelf.ts';

let shelf: Shelf;
beforeAll(async () => {
  shelf = await openShelf();
});

const one = async (query: string, name = 'apple'): Promise<Document> =>
  (await shelf.get(`/api/thing/${shelf.ids[name] ?? ''}?${query}`)).document;

describe('a link shows', () => {
  test.each<[query: string, shown: object]>([
    ['populate=maker', { maker: { name: 'Ada', town: 'Oslo' } }],
    ['populate=maker_id', { maker: { name: 'Ada' } }],
    ['populate[]=maker&populate[]=chief', { maker: { name: 'Ada' }, chief: { name: 'Bo' } }],
    ['populate=maker,chief', { maker: { name: 'Ada' }, chief: { name: 'Bo' } }],
    ['populate=boss_id', { chief: { name: 'Bo' } }],
    ['populate=part', { part: [{ label: 'nut' }, { label: 'bolt' }] }],
    ['populate=holder.part', { holder: { part: { label: 'bolt' } } }],
    ['populate=holder.part&fields=title', { title: 'Apple pie', holder: { part: { label: 'bolt' } } }],
    ['populate[uses.part]=label&fields=n', { uses: [{ part: { label: 'nut' } }, { part: null }] }],
    [
      'populate=uses.part',
      {
        uses: [
          { part: { label: 'nut' }, times: 2 },
          { part: null, times: 1 },
        ],
      },
    ],
    ['populate=maker.best', { maker: { best: { label: 'bolt' } } }],
    ['populate=part.made_by', { part: [{ made_by: { name: 'Ada' } }, { made_by: null }] }],
    ['populate=part.made_by.best', { part: [{ made_by: { best: { label: 'bolt' } } }, {}] }],
    ['populate=maker&populate=chief', { maker: { name: 'Ada' }, chief: { name: 'Bo' } }],
  ])('%s', async (query, shown) => {
    expect(await one(query)).toMatchObject(shown);
  });

  test('only the fields named, and its id', async () => {
    const { maker, maker_id } = await one('populate[maker]=name');
    expect(maker).toEqual({ _id: maker_id, id: maker_id, name: 'Ada' });
    expect(await one('populate[maker]=name,town')).toMatchObject({ maker: { name: 'Ada', town: 'Oslo' } });
    expect((await one('populate[maker]=-town'))['maker']).not.toHaveProperty('town');
  });

  test('deleted targets as null, and in lists omitted, unless showDeleted is given', async () => {
    expect(await one('populate=holder.part', 'date')).toMatchObject({ holder: { part: null } });
    expect((await one('populate=part'))['part']).toHaveLength(2);
    expect(await one('populate=holder.part&showDeleted=true', 'date')).toMatchObject({
      holder: { part: { label: 'lost' } },
    });
    expect((await one('populate=part&showDeleted=1'))['part']).toHaveLength(3);
  });

  test('the ids beside the documents', async () => {
    const { maker_id, part_id } = await one('populate=maker,part');
    expect(maker_id).toBe(shelf.ids['ada']);
    expect(part_id).toEqual([shelf.ids['nut'], shelf.ids['bolt'], shelf.ids['lost']]);
  });

  test('itself, three levels deep', async () => {
    expect(await one('populate=parent.parent', 'cherry')).toMatchObject({
      parent: { title: 'Banana (split)', parent: { title: 'Apple pie' } },
    });
  });

  test('in lists as in single documents', async () => {
    const { rows } = await shelf.get('/api/thing?populate=maker&fields=title&sort=n');
    expect(rows.map(({ maker }) => (maker as Document | null)?.['name'])).toEqual(['Ada', 'Bo', 'Ada', undefined]);
    expect(rows[3]).toHaveProperty('maker', null);
  });

  test('never a password', async () => {
    for (const query of [
      'populate=maker',
      'populate[maker]=name,password',
      'populate[maker]=-name',
      'autopopulate=1',
    ]) {
      const { text } = await shelf.get(`/api/thing?${query}`);
      expect(text).not.toMatch(/password|\$2[aby]\$/);
    }
  });
});

describe('autopopulate', () => {
  test('shows every link that the caller may read, and omits the others', async () => {
    const row = await one('autopopulate=1');
    expect(row).toMatchObject({
      maker: { name: 'Ada' },
      chief: { name: 'Bo' },
      part: [{ label: 'nut' }, { label: 'bolt' }],
      holder: { part: { label: 'bolt' } },
      secret_id: shelf.ids['shut'],
      _owner: { name: 'root' },
    });
    expect(row).not.toHaveProperty('secret');
    const asRoot = await shelf.get(`/api/thing/${shelf.ids['apple'] ?? ''}?autopopulate=1`, shelf.root);
    expect(asRoot.document).toMatchObject({ secret: { word: 'CANARY-LEDGER' } });
  });

  test('combines with populate, which selects the fields', async () => {
    const row = await one('autopopulate=1&populate[maker]=town');
    expect(row['maker']).toEqual({ _id: shelf.ids['ada'], id: shelf.ids['ada'], town: 'Oslo' });
    expect(row).toMatchObject({ chief: { name: 'Bo' } });
  });
});

describe('people', () => {
  test('_owner and _updated_by show id and name to those who may not read users', async () => {
    const { _owner, _updated_by } = await one('populate=_owner,_updated_by', 'banana');
    const root = { _id: shelf.root.user_id, name: 'root' };
    expect(_owner).toEqual(root);
    expect(_updated_by).toEqual(root);
    expect((await one('populate[_owner]=email,admin'))['_owner']).not.toHaveProperty('email');
  });

  test('admins see all their fields', async () => {
    const { document } = await shelf.get(`/api/thing/${shelf.ids['apple'] ?? ''}?populate=_owner`, shelf.root);
    expect(document).toMatchObject({ _owner: { email: 'root@x.test', admin: true } });
  });
});

test.each([
  ['populate[maker]=name&populate=chief', 'populate[maker]=name&populate[chief]=1'],
  ['populate=chief&populate[maker]=name,town', 'populate[chief]=1&populate[maker]=name,town'],
  ['populate[]=chief&populate[]=part&populate[maker]=name', 'populate[chief]=1&populate[part]=1&populate[maker]=name'],
  ['populate=chief,part&populate[maker]', 'populate[chief]=1&populate[part]=1&populate[maker]='],
])('names beside names in brackets are refused with the form that takes both: %s', async (query, form) => {
  const { status, text } = await shelf.get(`/api/thing?${query}`);
  expect(status).toBe(400);
  expect(text).toContain(`populate: takes all links in one form, such as ${form}"`);
  expect((await shelf.get(`/api/thing?${form}`)).status).toBe(200);
});

describe('populate is refused', () => {
  test.each<[query: string, status: number]>([
    ['populate=secret', 403],
    ['populate[]=secret', 403],
    ['populate[secret]=word', 403],
    ['populate=maker,secret', 403],
    ['populate=nosuch', 400],
    ['populate=title', 400],
    ['populate=maker.nosuch', 400],
    ['populate=parent.parent.parent.parent', 400],
    ['populate=a.b.c.d.e', 400],
    ['populate[path]=maker&populate[match][$where]=1', 400],
    ['populate[maker][match][password][$regex]=^', 400],
    ['populate[0][path]=maker', 400],
    ['populate[maker][]=name&populate[maker][x]=1', 400],
    ['populate[$where]=1', 400],
    ['populate[__proto__]=x', 400],
    [Array.from({ length: 11 }, (_, at) => `populate[]=maker${at}`).join('&'), 400],
    ['populate[maker]=name&populate=secret', 400],
    ['populate=maker&populate[__proto__]=x', 400],
  ])('%s', async (query, status) => {
    for (const path of ['/api/thing', `/api/thing/${shelf.ids['apple'] ?? ''}`]) {
      const answer = await shelf.get(`${path}?${query}`);
      expect({ path, status: answer.status }).toEqual({ path, status });
      expect(answer.text).not.toContain('CANARY');
    }
    expect((await shelf.post(`/query/thing?${query}`, { query: {} })).status).toBe(status);
  });
});
