/** Rows with every kind of field, for the tests of reading: things, their makers and their parts. */
import { type Caller, makeRoot } from '../support/callers.ts';
import type { Document } from '../support/client.ts';
import type { ModelFiles } from '../support/models.ts';
import { type StartOptions, startServer, type TestServer } from '../support/server.ts';

export const shelfModels: ModelFiles = {
  thing: `import { Schema } from 'mongoose';
const { ObjectId, Mixed } = Schema.Types;
const thing = new Schema(
  {
    title: String,
    email: { type: String, lowercase: true },
    n: Number,
    at: Date,
    on: Boolean,
    tags: [String],
    sizes: [Number],
    sub: { deep: { value: Number }, name: String },
    items: [{ _id: false, name: String, qty: Number }],
    meta: Mixed,
    maker_id: { type: ObjectId, link: 'maker' },
    part_id: [{ type: ObjectId, link: 'part' }],
    parent_id: { type: ObjectId, ref: 'Thing' },
    boss_id: { type: ObjectId, link: 'MAKER', map_to: 'chief' },
    holder: { part_id: { type: ObjectId, link: 'part' } },
    uses: [{ _id: false, part_id: { type: ObjectId, link: 'part' }, times: Number }],
    secret_id: { type: ObjectId, link: 'shut' },
  },
  { perms: { all: 'r' } },
);
thing.index({ title: 'text', 'sub.name': 'text' });
export default thing;
`,
  maker: ({ Schema, ObjectId }) =>
    new Schema(
      { name: String, town: String, password: String, best_id: { type: ObjectId, link: 'part' } },
      { perms: { all: 'r' } },
    ),
  part: ({ Schema, ObjectId }) =>
    new Schema({ label: String, made_by_id: { type: ObjectId, link: 'maker' } }, { perms: { all: 'r' } }),
  shut: ({ Schema }) => new Schema({ word: String }),
};

export interface Shelf extends TestServer {
  readonly root: Caller;
  /** Ids of rows by name: `apple`, `ada`, `bolt` … */
  readonly ids: Readonly<Record<string, string>>;
  /** Titles of a list, in its order; ids in braces, such as `{ada}`, are filled in. */
  titles(query: string): Promise<unknown[]>;
}

/** Apple, Banana, Cherry and Date, made one after the other; Elder is deleted. */
export async function openShelf(options: StartOptions = {}): Promise<Shelf> {
  const server = await startServer({ models: shelfModels, ...options });
  const root = await makeRoot(server);
  const ids: Record<string, string> = {};
  const make = async (name: string, model: string, body: Document): Promise<void> => {
    const answer = await server.post(`/api/${model}`, body, root);
    if (answer.status !== 201) throw new Error(`${name}: ${answer.text}`);
    ids[name] = String(answer.document['_id']);
  };
  await make('nut', 'part', { label: 'nut' });
  await make('bolt', 'part', { label: 'bolt' });
  await make('lost', 'part', { label: 'lost' });
  await make('ada', 'maker', { name: 'Ada', town: 'Oslo', password: 'CANARY-PW', best_id: ids['bolt'] });
  await make('bo', 'maker', { name: 'Bo', town: 'Rome' });
  await server.put(`/api/part/${ids['nut'] ?? ''}`, { made_by_id: ids['ada'] }, root);
  await make('shut', 'shut', { word: 'CANARY-LEDGER' });
  for (const [name, row] of rowsOf(ids)) await make(name, 'thing', row);
  await server.put(`/api/thing/${ids['banana'] ?? ''}`, { parent_id: ids['apple'] }, root);
  await server.put(`/api/thing/${ids['cherry'] ?? ''}`, { parent_id: ids['banana'] }, root);
  await server.remove(`/api/part/${ids['lost'] ?? ''}`, root);
  await server.remove(`/api/thing/${ids['elder'] ?? ''}`, root);
  const titles = async (query: string): Promise<unknown[]> => {
    const filled = query.replace(/\{(\w+)\}/g, (braces, name: string) => ids[name] ?? braces);
    const { status, rows, text } = await server.get(`/api/thing?${filled}`);
    return status === 200 ? rows.map((row) => row['title']) : [status, text];
  };
  return { ...server, root, ids, titles };
}

const rowsOf = (ids: Readonly<Record<string, string>>): readonly (readonly [string, Document])[] => [
  [
    'apple',
    {
      title: 'Apple pie',
      email: 'Apple@X.test',
      n: 1,
      at: '2020-01-01T00:00:00Z',
      on: true,
      tags: ['red', 'sweet'],
      sizes: [1, 2],
      sub: { deep: { value: 10 }, name: 'orchard' },
      items: [
        { name: 'core', qty: 1 },
        { name: 'seed', qty: 5 },
      ],
      meta: { flag: true, when: '2020-01-01T00:00:00Z', none: null, count: 3, word: '7' },
      maker_id: ids['ada'],
      part_id: [ids['nut'], ids['bolt'], ids['lost']],
      boss_id: ids['bo'],
      holder: { part_id: ids['bolt'] },
      uses: [
        { part_id: ids['nut'], times: 2 },
        { part_id: ids['lost'], times: 1 },
      ],
      secret_id: ids['shut'],
    },
  ],
  [
    'banana',
    {
      title: 'Banana (split)',
      n: 2,
      at: '2021-06-15T12:00:00Z',
      on: false,
      tags: ['yellow', 'sweet'],
      sub: { deep: { value: 20 } },
      items: [{ name: 'skin', qty: 1 }],
      meta: { flag: false, count: 4 },
      maker_id: ids['bo'],
    },
  ],
  [
    'cherry',
    { title: 'cherry, a pie', n: 3, at: '2022-12-31T23:59:59.500Z', on: true, tags: ['red'], maker_id: ids['ada'] },
  ],
  ['date', { title: 'Date.*', n: 10.5, tags: [], holder: { part_id: ids['lost'] } }],
  ['elder', { title: 'Elder pie', n: 5, on: true, tags: ['red'], maker_id: ids['ada'] }],
];
