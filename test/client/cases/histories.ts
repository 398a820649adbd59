/** Histories of documents: entries, earlier states, reverts, and deleted documents. */
import { createClient } from 'dossier-client';
import { type Cases, equal, failure, type Given, unique } from './case.ts';

const open = async ({ url, people }: Given, person: keyof Given['people'] = 'ann') => {
  const client = createClient({ url });
  await client.login(people[person]);
  return { client, scripts: client.model('script') };
};

export const histories: Cases = {
  'the entries of a document are pages, the newest first, and each has its state': async (given) => {
    const { client, scripts } = await open(given);
    const { _id } = await scripts.create({ title: 'One' });
    await scripts.set(_id, { title: 'Two' });
    await scripts.set(_id, { title: 'Three', acts: 3 });
    const first = await scripts.history(_id, { limit: 2 });
    equal(
      first.data.map(({ rev, op, who }) => [rev, op, who]),
      [
        [3, 'change', client.user],
        [2, 'change', client.user],
      ],
    );
    equal(first.data[1]?.changes, [{ path: 'title', from: 'One', to: 'Two' }]);
    const second = await scripts.history(_id, { limit: 2, after: first.next_cursor ?? '' });
    equal(
      second.data.map(({ rev, op }) => [rev, op]),
      [[1, 'create']],
    );
    const { data, rev, at } = await scripts.history(_id, 2);
    equal([data?.['title'], rev, at], ['Two', 2, first.data[1]?.at]);
    equal((await scripts.one(_id, { at, fields: ['title'] }))['title'], 'Two');
    equal((await scripts.one(_id, { at: new Date(at) }))['title'], 'Two');
    equal((await failure(scripts.one(_id, { at: new Date(0) })))['status'], 404);
    equal((await failure(scripts.history(_id, 9)))['status'], 404);
  },

  'the entries of a model are found by time, user and operation': async (given) => {
    const [{ client, scripts }, { scripts: others }] = [await open(given), await open(given, 'bob')];
    const { _id } = await scripts.create({ title: unique('Found') });
    await others.set(_id, { acts: 1 });
    const since = (await scripts.history(_id, 1)).at;
    const of = async (options: object) =>
      (await scripts.entries({ since, ...options })).data.filter(({ id }) => id === _id).map(({ rev }) => rev);
    equal(await of({}), [2, 1]);
    equal(await of({ who: client.user }), [1]);
    equal(await of({ op: 'change' }), [2]);
    equal(await of({ until: new Date(since) }).then((revs) => revs.includes(1)), true);
  },

  'a document is reverted, unless it has changed since it was read': async (given) => {
    const { client, scripts } = await open(given);
    const { _id } = await scripts.create({ title: 'Draft', acts: 1 });
    const read = await client.request(`/api/script/${_id}`);
    const ifMatch = String(read.headers.get('etag'));
    await scripts.set(_id, { title: 'Final', acts: 5 });
    equal((await failure(scripts.revert(_id, 1, { ifMatch })))['status'], 412);
    const reverted = await scripts.revert(_id, 1);
    equal([reverted.data['title'], reverted.data['acts'], reverted.kept], ['Draft', 1, []]);
    equal((await scripts.history(_id)).data.length, 3);
  },

  'deleted documents are listed alone, and restored with what was deleted with them': async (given) => {
    const { client } = await open(given);
    const [authors, books] = [client.model('author'), client.model('book')];
    const author = await authors.create({ name: unique('Trash') });
    const { _id } = await books.create({ title: 'With its author', author_id: author._id });
    const filter = { author_id: author._id };
    await authors.remove(author._id, { cascade: true });
    const deleted = async () => (await books.list({ filter, showDeleted: 'only' })).data.map((book) => book._id);
    equal(await deleted(), [_id]);
    equal(await books.count({ filter, showDeleted: 'only' }), 1);
    const live = books.live({ filter, showDeleted: 'only' });
    await live.ready;
    equal(live.rows.length, 1);
    const isEmpty = new Promise<void>((done) => live.onChange(() => live.rows.length === 0 && done()));
    await authors.restore(author._id, { cascade: true });
    await isEmpty;
    live.close();
    equal([await deleted(), (await books.one(_id))['title']], [[], 'With its author']);
  },

  'an admin discards the history of a document': async (given) => {
    const [{ scripts }, { scripts: admins }] = [await open(given), await open(given, 'root')];
    const { _id } = await scripts.create({ title: 'Personal' });
    equal((await failure(scripts.purge(_id)))['status'], 403);
    await admins.purge(_id);
    equal((await scripts.history(_id)).data, []);
    equal((await failure(scripts.one(_id, { at: new Date() })))['status'], 410);
  },

  'a model without history answers that there is none': async (given) => {
    const { client } = await open(given);
    const { _id } = await client.model('author').create({ name: unique('Plain') });
    equal((await failure(client.model('author').history(_id)))['status'], 404);
    equal((await failure(client.model('author').one(_id, { at: new Date() })))['status'], 400);
  },
};
