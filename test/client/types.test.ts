/** Which uses compile with the types of the models and which do not, and the types of the results. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { typesModule } from '../../src/typegen/index.ts';
import { faultsOf } from '../support/compile.ts';
import { startServer } from '../support/server.ts';
import { library } from './library.ts';

let types: string;
beforeAll(async () => {
  const server = await startServer({
    models: {
      ...library,
      ticket: ({ Schema }) => new Schema({ id: Number, text: String }, { perms: { all: 'crud' } }),
    },
  });
  types = typesModule(server.dossier.services.registry.served);
});

const head = `
import { createClient, type DossierError, indexedDbStore, mapStore } from 'dossier-client';
import { expectTypeOf } from 'expect-type';
import type { Book, Author, Models, Roles } from './types.ts';
declare const storage: { getItem(key: string): string | null; setItem(key: string, value: string): void; removeItem(key: string): void };
const client = createClient<Models>({ url: 'https://api.example.com', storage });
const [books, authors, users, tickets] = [client.model('book'), client.model('author'), client.model('user'), client.model('ticket')];
declare const id: string; declare const signal: AbortSignal; declare const caught: DossierError;
`;

/** The lines that do not compile, each as a function of its own after the head. */
function wrongAmong(lines: readonly string[]): readonly string[] {
  const text = `${head}${lines.map((line) => `async () => { ${line} };`).join('\n')}`;
  const first = head.split('\n').length;
  const faults = faultsOf({ 'types.ts': types, 'uses.ts': text });
  const wrong = faults.map(
    ({ file, line, text: reason }) => (file === 'uses.ts' ? lines[line - first] : undefined) ?? reason,
  );
  return [...new Set(wrong)];
}

const right = [
  `expectTypeOf(await books.one(id)).toEqualTypeOf<Book>();`,
  `expectTypeOf((await books.one(id)).title).toEqualTypeOf<string>();`,
  `expectTypeOf((await books.one(id)).pages).toEqualTypeOf<number | null | undefined>();`,
  `expectTypeOf((await books.one(id)).tags).toEqualTypeOf<string[]>();`,
  `expectTypeOf((await books.list()).data).toEqualTypeOf<Book[]>();`,
  `expectTypeOf((await books.list()).next_cursor).toEqualTypeOf<string | undefined>();`,
  `expectTypeOf((await books.list({ count: true })).count).toEqualTypeOf<number | undefined>();`,
  `expectTypeOf((await books.list({ fields: ['title'] })).data[0]!).toEqualTypeOf<{ _id: string; id: string; title: string }>();`,
  `expectTypeOf(await books.one(id, { fields: ['pages'] })).toEqualTypeOf<{ _id: string; id: string; pages?: number | null }>();`,
  `expectTypeOf(await books.one(id, { fields: ['label'] })).toEqualTypeOf<{ _id: string; id: string; label?: unknown }>();`,
  `expectTypeOf((await books.one(id, { fields: ['print.colour'] })).print).toEqualTypeOf<{ colour?: string | null } | null | undefined>();`,
  `expectTypeOf((await books.one(id, { fields: ['chapters.name'] })).chapters[0]!).toEqualTypeOf<{ name?: string | null }>();`,
  `expectTypeOf(await books.one(id, { fields: ['-title', '-tags'] })).not.toHaveProperty('title');`,
  `expectTypeOf((await books.one(id, { fields: ['-title'] })).pages).toEqualTypeOf<number | null | undefined>();`,
  `expectTypeOf((await books.one(id, { populate: ['author'] })).author).toEqualTypeOf<Author | null>();`,
  `expectTypeOf((await books.one(id, { populate: ['author'] })).title).toEqualTypeOf<string>();`,
  `expectTypeOf((await authors.one(id, { populate: ['books'] })).books).toEqualTypeOf<Book[]>();`,
  `expectTypeOf((await authors.one(id, { populate: ['books'] })).books_more).toEqualTypeOf<true | undefined>();`,
  `expectTypeOf((await authors.one(id, { populate: ['books.author'] })).books[0]!.author).toEqualTypeOf<Author | null>();`,
  `expectTypeOf((await books.one(id, { populate: ['author.books'] })).author!.books).toEqualTypeOf<Book[]>();`,
  `expectTypeOf((await books.one(id, { populate: ['author.books.author'] })).author!.books[0]!.author!.name).toEqualTypeOf<string>();`,
  `expectTypeOf((await books.one(id, { populate: ['chapters.author'] })).chapters[0]!.author).toEqualTypeOf<Author | null>();`,
  `expectTypeOf((await books.one(id, { populate: ['author', '_owner'] }))._owner!.email).toEqualTypeOf<string>();`,
  `expectTypeOf(await books.one(id, { fields: ['title'], populate: ['author'] })).toEqualTypeOf<{ _id: string; id: string; title: string; author: Author | null }>();`,
  `expectTypeOf((await tickets.list({ fields: ['text'], filter: { id: 5 } })).data[0]!).toEqualTypeOf<{ _id: string; text?: string | null }>();`,
  `for await (const change of books.watch()) if (change.event === 'del') expectTypeOf(change.item).toEqualTypeOf<{ readonly _id: string; readonly id: string }>();`,
  `expectTypeOf(books.live({ filter: { title: 'Emma' }, sort: '-pages', limit: 10 }).rows).toEqualTypeOf<readonly Book[]>();`,
  `expectTypeOf(books.live({ fields: ['title'], populate: ['author'] }).rows[0]!.author).toEqualTypeOf<Author | null>();`,
  `expectTypeOf((await books.history(id)).data[0]!.changes[0]!.path).toEqualTypeOf<string>();`,
  `expectTypeOf((await books.history(id, 2)).data).toEqualTypeOf<Book | null>();`,
  `expectTypeOf(await books.revert(id, 2, { ifMatch: '"tag"', silent: true })).toEqualTypeOf<{ readonly data: Book; readonly kept: readonly string[] }>();`,
  `expectTypeOf(await books.one(id, { at: new Date(), fields: ['title'] })).toEqualTypeOf<{ _id: string; id: string; title: string }>();`,
  `await books.entries({ since: new Date(), op: 'delete', who: id }); await books.purge(id); await books.restore(id, { cascade: true });`,
  `await books.list({ showDeleted: 'only' });`,
  `for await (const rows of authors.live()) expectTypeOf(rows).toEqualTypeOf<readonly Author[]>();`,
  `await books.sync(mapStore(new Map<string, Book>()), { filter: { title: 'Emma' }, signal });`,
  `await books.sync(indexedDbStore('books')); await tickets.sync(mapStore(new Map<string, { text?: string | null }>()));`,
  `await books.sync(mapStore(new Map<string, { title: string }>()), { fields: ['title'] });`,
  `expectTypeOf(await indexedDbStore<Book>('books').all()).toEqualTypeOf<Book[]>();`,
  `for await (const book of books.iterate({ fields: ['title'], limit: 10 })) expectTypeOf(book.title).toEqualTypeOf<string>();`,
  `await books.list({ filter: { title: 'Emma', pages: { $gte: 5, $in: [5, 6] }, tags: { $size: 2 } } });`,
  `await books.list({ filter: { published: { $lt: new Date() }, 'print.colour': null, title: /^E/i } });`,
  `await books.list({ filter: { 'author.name': { $regex: '^J' }, '_owner.email': 'ann@x.test' } });`,
  `await books.list({ filter: { $or: [{ pages: 1 }, { $and: [{ 'chapters.name': 'x' }, { 'chapters.author.name': 'y' }] }] } });`,
  `await books.list({ filter: { chapters: { $elemMatch: { name: 'x' } }, 'meta.any.thing': 5, tags: 'x' } });`,
  `await books.list({ filter: { pages: { $not: { $gt: 5 } }, title: { $not: { $regex: 'x' } } } });`,
  `await books.list({ sort: '-published', limit: 5, after: 'cursor', signal });`,
  `await books.list({ sort: ['author_id', '-print.copies'] }); await books.list({ sort: { pages: -1 } });`,
  `await books.list({ search: 'words', showDeleted: true, count: 'capped' }); await books.list({ search: { title: 'x' } });`,
  `expectTypeOf(await books.count({ filter: { pages: 5 } })).toEqualTypeOf<number>();`,
  `expectTypeOf(await books.distinct('tags')).toEqualTypeOf<{ value: string; count: number }[]>();`,
  `expectTypeOf((await books.distinct('published'))[0]!.value).toEqualTypeOf<string>();`,
  `expectTypeOf(await books.create({ title: 'Emma', published: new Date(), print: { colour: 'red' } })).toEqualTypeOf<Book>();`,
  `await books.set(id, { 'print.copies': 5, pages: null, 'meta.any': [] });`,
  `await books.patch(id, { $inc: { pages: 1 }, $push: { tags: 'x' }, $unset: { published: 1 } });`,
  `await books.patch(id, [{ op: 'test', path: '/pages', value: 5 }, { op: 'remove', path: '/pages' }], { signal });`,
  `await books.patch(id, { pages: null }, { merge: true, silent: true });`,
  `await books.upsert({ isbn: '1', title: 'x' }, { on: ['isbn'] });`,
  `expectTypeOf((await books.remove(id, { permanent: true, cascade: true })).deleted).toEqualTypeOf<Readonly<Record<string, number>>>();`,
  `expectTypeOf(await books.call('shout', { text: 'x' })).toBeUnknown(); await books.call<number>('grow', { by: 1 }, { id });`,
  `await books.bulk([{ insertOne: { document: { title: 'x' } } }, { updateOne: { filter: { pages: 1 }, update: { $set: { pages: 2 } } } }]);`,
  `expectTypeOf(await books.aggregate<{ n: number }>([{ $count: 'n' }])).toEqualTypeOf<{ n: number }[]>();`,
  `expectTypeOf((await books.rights()).rows.c).toEqualTypeOf<'all' | 'some' | 'own' | 'none'>(); expectTypeOf((await books.rights({ id })).rows.c).toEqualTypeOf<boolean>();`,
  `for await (const change of books.watch({ filter: { pages: 1 } })) if (change.event !== 'del') expectTypeOf(change.item).toEqualTypeOf<Book>();`,
  `books.watch({ id }).addEventListener('change', ({ detail }) => expectTypeOf(detail.position).toEqualTypeOf<string>());`,
  `expectTypeOf((await client.me()).user.email).toEqualTypeOf<string>(); expectTypeOf(caught.errors[0]!.path).toEqualTypeOf<string>();`,
  `await client.login({ email: 'a', password: 'b' }); await client.login({ ticket: 'a', code: 'b' }); await client.logout(); await client.recover('a'); await client.reset('jwt', 'b');`,
  `expectTypeOf((await createClient({ url: '' }).model('anything').one(id))['field']).toBeUnknown();`,
  `await createClient<Roles['user']>({ url: '' }).model('book').create({ title: 'x' });`,
];

const wrong = [
  `client.model('bok');`,
  `(await books.one(id)).titel;`,
  `(await books.one(id)).author;`,
  `(await books.one(id)).password;`,
  `(await books.one(id)).pages.toFixed();`,
  `(await books.list({ fields: ['title'] })).data[0]!.pages;`,
  `await books.list({ fields: ['titel'] });`,
  `await books.list({ fields: ['print.color'] });`,
  `await books.list({ fields: ['author.name'] });`,
  `await books.list({ fields: ['-titel'] });`,
  `(await books.one(id, { fields: ['print.colour'] })).print!.copies;`,
  `(await books.one(id, { fields: ['-title'] })).title;`,
  `await books.list({ populate: ['writer'] });`,
  `await books.list({ populate: ['author_id'] });`,
  `await books.list({ populate: ['author.book'] });`,
  `await books.list({ populate: ['books'] });`,
  `await books.list({ populate: ['author.books.author.books'] });`,
  `(await books.one(id, { populate: ['author'] })).author.name;`,
  `(await books.one(id, { populate: ['author'] })).author!.books;`,
  `(await books.one(id, { populate: ['author.books'] })).author!.books[0]!.author;`,
  `await books.list({ filter: { titel: 'x' } });`,
  `await books.list({ filter: { title: 5 } });`,
  `await books.list({ filter: { pages: '5' } });`,
  `await books.list({ filter: { pages: { $gte: 'x' } } });`,
  `await books.list({ filter: { pages: { $regex: 'x' } } });`,
  `await books.list({ filter: { pages: { $gt: 1, $lte2: 5 } } });`,
  `await books.list({ filter: { $where: 'x' } });`,
  `await books.list({ filter: { title: { $where: 'x' } } });`,
  `await books.list({ filter: { title: { $size: 1 } } });`,
  `await books.list({ filter: { title: { $mod: [2, 0] } } });`,
  `await books.list({ filter: { tags: { $in: [5] } } });`,
  `await books.list({ filter: { 'author.nam': 'x' } });`,
  `await books.list({ filter: { author: 'x' } });`,
  `await authors.list({ filter: { 'books.title': 'x' } });`,
  `await books.list({ filter: { $or: [{ titel: 'x' }] } });`,
  `await books.list({ filter: { label: 'x' } });`,
  `await books.list({ sort: 'titel' });`,
  `await books.list({ sort: '-label' });`,
  `await books.list({ sort: ['pages', '+title'] });`,
  `await books.list({ sort: { pages: 2 } });`,
  `await books.list({ limit: '5' });`,
  `await books.list({ limits: 5 });`,
  `await books.list({ count: 'guessed' });`,
  `books.live({ sort: '-label' });`,
  `await books.list({ showDeleted: 'none' });`,
  `await books.entries({ op: 'post' });`,
  `await books.history(id, '2');`,
  `books.live({ fields: ['title'] }).rows[0]!.pages;`,
  `await books.sync(mapStore(new Map<string, { titel: string }>()));`,
  `await books.sync(mapStore(new Map<string, Book>()), { fields: ['title'] });`,
  `await books.sync(mapStore(new Map<number, Book>()));`,
  `await books.sync(mapStore(new Map<string, Book>()), { filter: { 'author.name': 'x' } });`,
  `await books.distinct('label');`,
  `await books.create({ pages: 5 });`,
  `await books.create({ title: 'x', titel: 'y' });`,
  `await books.create({ title: 'x', pages: 'many' });`,
  `await books.set(id, { 'print.color': 'red' });`,
  `await books.set(id, { title: null });`,
  `await books.patch(id, { $inc: { title: 1 } });`,
  `await books.patch(id, { $add: { pages: 1 } });`,
  `await books.patch(id, [{ op: 'put', path: '/pages', value: 5 }]);`,
  `await books.upsert({ title: 'x' }, { on: ['isbm'] });`,
  `await books.upsert({ title: 'x' });`,
  `await books.call('whisper');`,
  `await authors.call('shout');`,
  `await books.bulk([{ insertMany: { document: { title: 'x' } } }]);`,
  `await books.bulk([{ insertOne: { document: { titel: 'x' } } }]);`,
  `books.watch({ filter: { 'author.name': 'x' } });`,
  `for await (const change of books.watch()) change.item.title;`,
  `await users.list({ filter: { password: 'x' } });`,
  `await client.login({ email: 'x' });`,
  `await client.reset('jwt');`,
  `await createClient<Roles['all']>({ url: '' }).model('book').create({ title: 'x' });`,
  `await createClient<Roles['user']>({ url: '' }).model('user').create({ email: 'x' });`,
  `createClient<Roles['all']>({ url: '' }).model('note');`,
  `createClient<Models>({ uri: '' });`,
];

describe('the typed client', () => {
  test('is tested by at least fifty uses of each kind', () => {
    expect(Math.min(right.length, wrong.length)).toBeGreaterThanOrEqual(50);
  });

  // all in one program, since each has to compile the client
  let refused: readonly string[];
  beforeAll(() => {
    refused = wrongAmong([...right, ...wrong]);
  });

  test('accepts correct uses, and its results follow fields and links', () =>
    expect(refused.filter((line) => !wrong.includes(line))).toEqual([]));

  test('refuses each wrong name, operator and value', () =>
    expect(refused.filter((line) => wrong.includes(line))).toEqual(wrong));
});
