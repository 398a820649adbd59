/**
 * The world of the security tests: all users, the eight models, at least one document of each user and one deleted document of each
 * model.
 */
import type mongoose from 'mongoose';
import { as, type Caller, type Callers, makeCallers, type Person } from './callers.ts';
import type { Answer, Document, Sent } from './client.ts';
import type { ModelFiles } from './models.ts';
import { type StartOptions, startServer, type TestServer } from './server.ts';

const book = `import { Schema } from 'mongoose';
const { ObjectId, Mixed } = Schema.Types;
const book = new Schema(
  {
    title: String,
    isbn: { type: String, unique: true, sparse: true },
    price: { type: Number, min: 0 },
    published: Date,
    author_id: { type: ObjectId, link: 'author' },
    tag_id: [{ type: ObjectId, link: 'tag' }],
    tags: [String],
    meta: Mixed,
  },
  { perms: { all: 'r', user: 'cr', owner: 'crud' }, callable_statics: { stats: 'r', whoami: 'c' } },
);
book.index({ title: 'text' });
book.statics.stats = async function () { return { books: await this.countDocuments({ _deleted: false }) }; };
book.statics.whoami = function (_body, { user }) { return user; };
export default book;
`;

const note = `import { Schema } from 'mongoose';
const { ObjectId, Mixed } = Schema.Types;
const login = { site: String, password: String };
export default new Schema(
  {
    title: String,
    body: String,
    book_id: { type: ObjectId, link: 'book' },
    login,
    logins: [{ ...login, _id: false }],
    meta: Mixed,
  },
  { perms: { user: 'c', owner: 'crud' }, advanced_queries: { bulkwrite: true } },
);
`;

const wiki = `import { Schema } from 'mongoose';
const { ObjectId, Mixed } = Schema.Types;
export default new Schema(
  {
    title: { type: String, required: true, maxlength: 200 },
    count: { type: Number, min: 0 },
    status: { type: String, enum: ['new', 'old'] },
    code: { type: String, match: /^[a-z]+$/ },
    note_id: { type: ObjectId, link: 'note' },
    parent_id: { type: ObjectId, link: 'wiki' },
    meta: Mixed,
  },
  { perms: { all: 'r', user: 'cru' }, advanced_queries: { bulkwrite: true } },
);
`;

/** The models of the attacks' table. */
const worldModels: ModelFiles = {
  book,
  note,
  wiki,
  author: `import { Schema } from 'mongoose';
export default new Schema({ name: String, email: String, password: String }, { perms: { user: 'r' } });`,
  tag: `import { Schema } from 'mongoose';
export default new Schema({ label: String }, { perms: { user: 'r' } });`,
  memo: `import { Schema } from 'mongoose';
export default new Schema({ text: String }, { perms: { editors: 'crud' } });`,
  ledger: ({ Schema, ObjectId }) =>
    new Schema({
      amount: Number,
      body: String,
      wiki_id: { type: ObjectId, link: 'wiki' },
      book_id: { type: ObjectId, link: 'book' },
    }),
  big: ({ Schema }) => new Schema({ n: Number }, { perms: { all: 'r' } }),
};

export interface World extends TestServer {
  readonly callers: Callers;
  /** Ids by name: `ann`, `annNote`, `eveBook`, `author`, `tag`, `ledger`, `memo`, `goneBook`, `goneWiki`, `goneNote` … */
  readonly ids: Readonly<Record<string, string>>;
  /** A request as somebody, `anonymous` being nobody. Names in braces, such as `{annNote}` and `{ann_token}`, are filled in. */
  as(person: Person | 'anonymous', method: string, path: string, sent?: Sent): Promise<Answer>;
  /** Everything that is stored for people, to compare byte for byte. */
  stored(): Promise<string>;
}

export interface WorldOptions extends StartOptions {
  /** Rows of `big`; 12,000 make it a large collection. */
  readonly bigRows?: number;
  /** Model files besides the world's, or in their place. */
  readonly more?: ModelFiles;
}

export async function openWorld({ bigRows = 3, more = {}, ...options }: WorldOptions = {}): Promise<World> {
  const server = await startServer({ models: { ...worldModels, ...more }, ...options });
  const callers = await makeCallers(server);
  const ids: Record<string, string> = {};
  for (const [name, { id }] of Object.entries(callers)) ids[name] = id;
  await fill(server, callers, ids);
  const bigs = Array.from({ length: bigRows }, (_, n) => ({ n, _deleted: false }));
  if (bigRows > 0) await collection(server, 'bigs').insertMany(bigs);
  const words = wordsOf(ids, callers);
  return {
    ...server,
    callers,
    ids,
    as: (person, method, path, sent) =>
      server.send(method, filled(path, words), as(callerOf(callers, person), filledSent(sent, words))),
    stored: () => stored(server),
  };
}

const callerOf = (callers: Callers, person: Person | 'anonymous'): Caller | undefined =>
  person === 'anonymous' ? undefined : callers[person];

const collection = (server: TestServer, name: string): mongoose.Collection =>
  server.dossier.services.connection.collection(name);

async function fill(server: TestServer, callers: Callers, ids: Record<string, string>): Promise<void> {
  const make = async (name: string, by: Person, model: string, body: Document): Promise<void> => {
    const answer = await server.post(`/api/${model}`, body, { headers: callers[by].headers });
    if (answer.status !== 201) throw new Error(`${name}: ${answer.text}`);
    ids[name] = String(answer.document['_id']);
  };
  const drop = (model: string, name: string): Promise<Answer> =>
    server.remove(`/api/${model}/${ids[name] ?? ''}`, { headers: callers.root.headers });
  await make('author', 'root', 'author', { name: 'Ada', email: 'ada@x.test', password: 'CANARY-PW' });
  await make('tag', 'root', 'tag', { label: 'fine' });
  await make('memo', 'ed', 'memo', { text: 'CANARY-MEMO' });
  for (const person of ['ann', 'bob', 'eve'] as const) {
    const price = { ann: 1, bob: 2, eve: 3 }[person];
    const published = `202${price}-02-03T04:05:06.000Z`;
    const links = { author_id: ids['author'], tag_id: [ids['tag']] };
    const title = `Book of ${person}`;
    await make(`${person}Book`, person, 'book', { title, isbn: `isbn-${person}`, price, published, ...links });
    await make(`${person}Note`, person, 'note', noteOf(person, ids[`${person}Book`]));
    const wiki = { title: `Wiki of ${person}`, count: price, status: 'new', note_id: ids[`${person}Note`] };
    await make(`${person}Wiki`, person, 'wiki', wiki);
  }
  const shut = { amount: 7, body: 'CANARY-LEDGER', wiki_id: ids['annWiki'], book_id: ids['annBook'] };
  await make('ledger', 'root', 'ledger', shut);
  await make('goneBook', 'ann', 'book', { title: 'Vanished book', isbn: 'isbn-gone' });
  await make('goneNote', 'ann', 'note', { title: 'Vanished note' });
  await make('goneWiki', 'ann', 'wiki', { title: 'Vanished wiki' });
  await make('goneTag', 'root', 'tag', { label: 'vanished' });
  for (const model of ['book', 'note', 'wiki', 'tag'] as const)
    await drop(model, `gone${model.charAt(0).toUpperCase()}${model.slice(1)}`);
}

const noteOf = (person: string, book_id: string | undefined): Document => ({
  title: `Note of ${person}`,
  body: `CANARY-${person}`,
  book_id,
  login: { site: 's', password: 'CANARY-PW' },
  logins: [{ site: 't', password: 'CANARY-PW' }],
  meta: { colour: 'red', password: 'CANARY-PW', deep: [{ password: 'CANARY-PW' }] },
});

/** What may stand in braces: ids, and everybody's token, refresh token, key and JWT. */
function wordsOf(ids: Readonly<Record<string, string>>, callers: Callers): ReadonlyMap<string, string> {
  const words = new Map(Object.entries(ids));
  for (const [name, { token, refresh, key, jwt }] of Object.entries(callers))
    for (const [kind, text] of Object.entries({ token, refresh, key, jwt })) words.set(`${name}_${kind}`, text);
  return words;
}

const filled = (text: string, words: ReadonlyMap<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (braces, name: string) => words.get(name) ?? braces);

function filledSent(sent: Sent | undefined, words: ReadonlyMap<string, string>): Sent | undefined {
  return sent === undefined
    ? undefined
    : {
        ...sent,
        ...(sent.body === undefined ? {} : { body: JSON.parse(filled(JSON.stringify(sent.body), words)) as unknown }),
        ...(typeof sent.raw === 'string' ? { raw: filled(sent.raw, words) } : {}),
        ...(sent.form === undefined ? {} : { form: filled(sent.form, words) }),
        ...(sent.headers === undefined
          ? {}
          : {
              headers: Object.fromEntries(
                Object.entries(sent.headers).map(([name, text]) => [name, filled(text, words)]),
              ),
            }),
      };
}

/** All documents of all collections but the server's own (sessions and counters change with every login). */
async function stored(server: TestServer): Promise<string> {
  const { registry } = server.dossier.services;
  const found: Record<string, unknown> = {};
  for (const { name, collection: stored } of registry.served)
    if (name !== 'big') found[name] = await collection(server, stored).find({}).sort({ _id: 1 }).toArray();
  return JSON.stringify(found);
}
