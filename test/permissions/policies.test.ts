/** The ten policies of docs/permissions.md, as the guide shows them: who sees and changes which rows. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ObjectId } from '../../src/models/object-id.ts';
import type { Document } from '../support/client.ts';
import { type Callers, makeCallers } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

type Person = 'root' | 'ann' | 'bob' | 'ed' | 'cat';
type By = Person | 'anonymous';

interface Row {
  readonly title: string;
  readonly owner?: Person;
  readonly [field: string]: unknown;
}

interface Policy {
  readonly rows: readonly Row[];
  /** The titles that each caller sees. */
  readonly sees: Readonly<Partial<Record<By, string>>>;
  /** Caller, title, change and status. */
  readonly changes: readonly (readonly [By, string, Document, number])[];
  /** Caller, new document and status. */
  readonly creates: readonly (readonly [By, Document, number])[];
}

const [north, south] = ['64b000000000000000000001', '64b000000000000000000002'];
const long = new Date(Date.now() - 86_400_000).toISOString();
const later = new Date(Date.now() + 86_400_000).toISOString();

const policies: Readonly<Record<string, Policy>> = {
  Team: {
    rows: [{ title: 'N', team_id: north }, { title: 'S', team_id: south }, { title: 'none' }],
    sees: { ann: 'N', bob: 'S', ed: 'N,S', cat: '', root: 'N,S,none' },
    changes: [
      ['ann', 'N', { title: 'N2' }, 200],
      ['ann', 'N', { team_id: south }, 403],
      ['ann', 'S', { title: 'x' }, 404],
      ['ed', 'S', { team_id: north }, 200],
      ['anonymous', 'N', { title: 'x' }, 401],
    ],
    creates: [
      ['ann', { title: 'n', team_id: north }, 201],
      ['ann', { title: 'n', team_id: south }, 403],
      ['ann', { title: 'n' }, 403],
      ['cat', { title: 'n', team_id: north }, 403],
    ],
  },
  'Several owners': {
    rows: [
      { title: 'A', owner: 'ann' },
      { title: 'B', owner: 'ann', editor_ids: ['bob'] },
    ],
    sees: { ann: 'A,B', bob: 'B', ed: '' },
    changes: [
      ['bob', 'B', { title: 'B2' }, 200],
      ['bob', 'A', { title: 'x' }, 404],
      ['bob', 'B', { editor_ids: [] }, 403],
      ['ann', 'A', { editor_ids: ['ed'] }, 200],
    ],
    creates: [['ed', { title: 'E' }, 201]],
  },
  'Published or mine': {
    rows: [
      { title: 'P', owner: 'ann', published: true },
      { title: 'D', owner: 'ann', published: false },
      { title: 'E', owner: 'bob' },
    ],
    sees: { anonymous: 'P', ann: 'D,P', bob: 'E,P' },
    changes: [
      ['bob', 'P', { title: 'x' }, 403],
      ['bob', 'D', { title: 'x' }, 404],
      ['ann', 'D', { published: true }, 200],
    ],
    creates: [['bob', { title: 'B' }, 201]],
  },
  Tenant: {
    rows: [
      { title: 'N', tenant: 'north' },
      { title: 'S', tenant: 'south' },
      { title: 'none', tenant: null },
    ],
    sees: { ann: 'N', bob: 'S', cat: '', root: 'N,S,none' },
    changes: [
      ['ann', 'N', { title: 'N2' }, 200],
      ['ann', 'N', { tenant: 'south' }, 403],
      ['ann', 'S', { title: 'x' }, 404],
    ],
    creates: [
      ['ann', { title: 'n', tenant: 'north' }, 201],
      ['ann', { title: 'n', tenant: 'south' }, 403],
      ['cat', { title: 'n', tenant: null }, 403],
    ],
  },
  'Draft and reviewer': {
    rows: [
      { title: 'D', owner: 'ann', state: 'draft' },
      { title: 'S', owner: 'ann', state: 'submitted' },
      { title: 'P', owner: 'ann', state: 'published' },
    ],
    sees: { ann: 'D,P,S', ed: 'P,S', bob: '' },
    changes: [
      ['ann', 'D', { state: 'published' }, 403],
      ['ann', 'D', { state: 'submitted' }, 200],
      ['ed', 'S', { state: 'published' }, 200],
      ['ann', 'P', { title: 'x' }, 403],
      ['ed', 'P', { state: 'draft' }, 403],
    ],
    creates: [['ann', { title: 'A', state: 'draft' }, 201]],
  },
  Salary: {
    rows: [
      { title: 'A', owner: 'ann', salary: 100 },
      { title: 'B', owner: 'bob', salary: 200 },
    ],
    sees: { ann: 'A,B', bob: 'A,B' },
    changes: [
      ['root', 'A', { salary: 110 }, 200],
      ['ann', 'A', { salary: 1000 }, 403],
    ],
    creates: [
      ['root', { title: 'R', salary: 5 }, 201],
      ['ann', { title: 'R' }, 403],
    ],
  },
  Moderator: {
    rows: [
      { title: 'V', owner: 'ann' },
      { title: 'H', owner: 'ann', hidden: true },
    ],
    sees: { anonymous: 'V', ann: 'V', ed: 'H,V' },
    changes: [
      ['ann', 'V', { hidden: true }, 403],
      ['ed', 'V', { hidden: true }, 200],
      ['ed', 'H', { hidden: false }, 200],
    ],
    creates: [
      ['bob', { title: 'B' }, 201],
      ['bob', { title: 'B', hidden: true }, 403],
    ],
  },
  'Invited by email': {
    rows: [
      { title: 'I', owner: 'ann', invited: ['bob@x.test'] },
      { title: 'O', owner: 'ann' },
    ],
    sees: { ann: 'I,O', bob: 'I', ed: '', anonymous: '401' },
    changes: [['bob', 'I', { title: 'x' }, 403]],
    creates: [['cat', { title: 'C' }, 201]],
  },
  'Embargo until a date': {
    rows: [{ title: 'past', embargo: long }, { title: 'future', embargo: later }, { title: 'none' }],
    sees: { anonymous: 'past', ann: 'past', ed: 'future,none,past' },
    changes: [
      ['ed', 'future', { embargo: long }, 200],
      ['ann', 'past', { title: 'x' }, 403],
    ],
    creates: [['ed', { title: 'E', embargo: later }, 201]],
  },
  'Archive read-only': {
    rows: [
      { title: 'A', owner: 'ann', archived: true },
      { title: 'O', owner: 'ann' },
    ],
    sees: { ann: 'A,O', bob: 'A,O' },
    changes: [
      ['ann', 'A', { title: 'x' }, 403],
      ['bob', 'O', { title: 'O2' }, 200],
      ['ann', 'O', { archived: true }, 403],
      ['root', 'A', { archived: false }, 200],
    ],
    creates: [['ann', { title: 'A', archived: true }, 403]],
  },
};

/** The model file under a heading of the guide. */
function fileOf(heading: string): string {
  const guide = readFileSync('docs/permissions.md', 'utf8');
  const [, text] = new RegExp(`^### ${heading}$.*?^\`\`\`ts$(.*?)^\`\`\`$`, 'ms').exec(guide) ?? [];
  if (text === undefined) throw new Error(`the guide has no policy ${heading}`);
  return text.trim();
}

const nameOf = (heading: string): string => heading.toLowerCase().replaceAll(' ', '');
const names = Object.keys(policies);

let server: TestServer;
let callers: Callers<Person>;
const ids: Record<string, string> = {};

/** Names of people in a document → their ids. */
const filled = (value: Document): Document =>
  JSON.parse(
    JSON.stringify(value).replace(/"(ann|bob|ed|cat)"/g, (_, name: Person) => `"${callers[name].user_id}"`),
  ) as Document;
const headersOf = (by: By): Readonly<Record<string, string>> => (by === 'anonymous' ? {} : callers[by].headers);

beforeAll(async () => {
  server = await startServer({
    models: {
      ...Object.fromEntries(names.map((heading) => [`${nameOf(heading)}.ts`, fileOf(heading)])),
      'user.ts': `export default ({ Schema, ObjectId }) => new Schema({
        name: String,
        team_ids: { type: [ObjectId], perms: { admin: 'cru', owner: 'r' } },
        tenant: { type: String, perms: { admin: 'cru', owner: 'r' } },
      }, { perms: { admin: 'crud', owner: 'ru' } });`,
    },
  });
  callers = await makeCallers(server, ['root', 'ann', 'bob', 'ed', 'cat']);
  const people: readonly (readonly [Person, Document])[] = [
    ['ann', { team_ids: [north], tenant: 'north' }],
    ['bob', { team_ids: [south], tenant: 'south' }],
    ['ed', { team_ids: [north, south], groups: ['reviewers', 'moderators'] }],
  ];
  for (const [name, body] of people) {
    const done = await server.put(`/api/user/${callers[name].user_id}`, body, callers.root);
    if (done.status !== 200) throw new Error(done.text);
  }
  await fill();
});

/** Stores the rows of all policies, with their owners. */
async function fill(): Promise<void> {
  const all = Object.entries(policies);
  const rowsOf = ({ rows }: Policy): Document[] => rows.map(({ owner: _, ...row }) => filled(row));
  const data = Object.fromEntries(all.map(([heading, policy]) => [nameOf(heading), rowsOf(policy)]));
  const { status, text, body } = await server.post('/setup/data', data, callers.root);
  if (status !== 200) throw new Error(text);
  const results = body['results'] as Readonly<Record<string, { insertedIds: Readonly<Record<number, string>> }>>;
  const { connection, registry } = server.dossier.services;
  for (const [heading, { rows }] of all)
    for (const [at, { title, owner }] of rows.entries()) {
      const id = String(results[nameOf(heading)]?.insertedIds[at]);
      ids[`${heading} ${title}`] = id;
      if (owner === undefined) continue;
      const $set = { _owner_id: new ObjectId(callers[owner].user_id) };
      const { collection } = registry.get(nameOf(heading));
      await connection.collection(collection).updateOne({ _id: new ObjectId(id) }, { $set });
    }
}

test('the guide has exactly these, each of at most five lines', () => {
  const guide = readFileSync('docs/permissions.md', 'utf8');
  const [, section = ''] = /^## Ten policies$(.*?)^## /ms.exec(guide) ?? [];
  expect([...section.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading)).toEqual(names);
  for (const heading of names) expect(fileOf(heading).split('\n').length).toBeLessThanOrEqual(5);
});

test('admins see the rules of a model in its description', async () => {
  const path = `/model/${nameOf('Embargo until a date')}`;
  const { document } = await server.get(path, callers.root);
  expect(document).toMatchObject({
    perms: { all: 'r', reviewers: 'cru' },
    rules: { all: { r: { embargo: { $lte: '$now' } } } },
  });
  expect((await server.get(path, callers.ann)).document).not.toHaveProperty('rules');
});

describe.each(names)('%s', (heading) => {
  const model = nameOf(heading);
  const { sees, changes, creates } = policies[heading] as Policy;

  test.each(Object.entries(sees))('%s sees %s', async (by, titles) => {
    const headers = headersOf(by as By);
    const list = await server.get(`/api/${model}?sort=title`, { headers });
    const count = await server.get(`/count/${model}`, { headers });
    if (titles === '401') return expect([list.status, count.status]).toEqual([401, 401]);
    expect(list.rows.map(({ title }) => title).join()).toBe(titles);
    expect(count.body).toEqual({ count: list.rows.length });
    const csv = (await server.get(`/csv/${model}?fields=title`, { headers })).text.trim().split('\n').slice(1);
    expect(csv).toHaveLength(list.rows.length);
    const query = await server.post(`/query/${model}`, { query: {} }, { headers });
    expect(query.rows).toHaveLength(list.rows.length);
    const piped = await server.post(`/aggregate/${model}`, [{ $sort: { title: 1 } }], { headers });
    expect(piped.rows.map(({ title }) => title).join()).toBe(titles);
    for (const [name, id] of Object.entries(ids).filter(([name]) => name.startsWith(`${heading} `))) {
      const isSeen = list.rows.some(({ _id }) => _id === id);
      expect([name, (await server.get(`/api/${model}/${id}`, { headers })).status]).toEqual([name, isSeen ? 200 : 404]);
    }
  });

  test.each(changes)('%s changes %s by %j: %s', async (by, title, body, status) => {
    const id = ids[`${heading} ${title}`] ?? '';
    const before = (await server.get(`/api/${model}/${id}`, callers.root)).document;
    const answer = await server.put(`/api/${model}/${id}`, filled(body), { headers: headersOf(by) });
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    const after = (await server.get(`/api/${model}/${id}`, callers.root)).document;
    if (status !== 200) return expect(after).toEqual(before);
    // as it was, for the tests after this one
    const { title: _, ...fields } = before;
    const restored = Object.fromEntries(Object.keys(body).map((name) => [name, { title: _, ...fields }[name] ?? null]));
    expect((await server.put(`/api/${model}/${id}`, restored, callers.root)).status).toBe(200);
  });

  test.each(creates)('%s creates %j: %s', async (by, body, status) => {
    const before = (await server.get(`/count/${model}`, callers.root)).body;
    const made = await server.post(`/api/${model}`, filled(body), { headers: headersOf(by) });
    expect([made.status, made.text]).toEqual([status, expect.any(String)]);
    const id = (made.headers.get('location') ?? '').split('/').at(-1) ?? '';
    if (status === 201)
      expect((await server.remove(`/api/${model}/${id}?_permaDelete=1`, callers.root)).status).toBe(200);
    expect((await server.get(`/count/${model}`, callers.root)).body).toEqual(before);
  });
});
