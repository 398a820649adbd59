
import createClient from 'openapi-fetch';
import type { paths as EvePaths } from './types-eve.js';
import type { paths as RootPaths } from './types-root.js';

declare const process: { argv: string[] };
const baseUrl = process.argv[2] ?? '';

const basic = (name: string) => 'Basic ' + btoa(name + '@x.test:pw-' + name + '-1');
const eve = createClient<EvePaths>({ baseUrl, headers: { authorization: basic('eve') } });
const root = createClient<RootPaths>({ baseUrl, headers: { authorization: basic('root') } });

const list = await eve.GET('/api/book', {
  params: { query: { limit: 5, count: true, populate: 'author', filter: { price: '$gte:1', title: 'Book of eve' } } },
});
const found = list.data?.data.map(({ title, author }) => ({ title, author: author?.name }));
const created = await eve.POST('/api/book', {
  body: { title: 'Generated', price: 3, published: '2024-02-03T04:05:06.000Z', tags: ['new'], author_id: null },
});
const id: string = created.data?.data._id ?? '';
const params = { path: { id } };
const changed = await eve.PUT('/api/book/{id}', { params, body: { price: 4 } });
const read = await eve.GET('/api/book/{id}', { params });
const price: number | null | undefined = read.data?.data.price;
const deleted = await eve.DELETE('/api/book/{id}', { params: { ...params, query: { _permaDelete: true } } });
const missing = await eve.GET('/api/book/{id}', { params });
// @ts-expect-error a price is a number
const refused = await eve.POST('/api/book', { body: { price: 'many' } });
const reason: 'fail' | undefined = refused.error?.status;
// @ts-expect-error the description for eve does not have ledgers
const hidden: keyof EvePaths = '/api/ledger';

const ledgers = await root.GET('/api/ledger');
const amounts: (number | null | undefined)[] | undefined = ledgers.data?.data.map(({ amount }) => amount);
const queried = await root.POST('/query/book', { body: { query: { price: { $gt: 1 } } } });
const grouped = await root.POST('/aggregate/book', {
  body: [{ $match: { price: 12 } }, { $group: { _id: '$title' } }, { $limit: 1 }],
});
const written = await root.POST('/bulkwrite/job', {
  body: [
    { insertOne: { document: { runs: 7 } } },
    { updateOne: { filter: { runs: 7 }, update: { $set: { runs: 8 } } } },
    { deleteOne: { filter: { runs: 8 } } },
  ],
});
const inserted: number | undefined = written.data?.data.nInserted;
const called = await root.POST('/call/job/twice', { body: { n: 21 } });
const refusedStage = await root.POST('/aggregate/book', { body: [{ $nosuch: {} }] });

console.log(JSON.stringify({
  list: [list.data?.count, found],
  created: [created.response.status, created.data?.data.title],
  changed: changed.data?.data.price,
  price,
  deleted: deleted.data?.deleted,
  missing: missing.response.status,
  refused: [refused.response.status, reason, refused.error?.errors?.map(({ path }) => path)],
  amounts,
  queried: queried.data?.data.map(({ title }) => title),
  grouped: grouped.data?.data,
  inserted,
  called: called.data?.data,
  refusedStage: refusedStage.response.status,
}));
