
import * as eve from './client-eve/index.js';
import { client as eveClient } from './client-eve/client.gen.js';
import * as root from './client-root/index.js';
import { client as rootClient } from './client-root/client.gen.js';

declare const process: { argv: string[] };
const baseUrl = process.argv[2] ?? '';

const login = async (name: string) => {
  const { data } = await root.sessionsLogin({ body: { email: name + '@x.test', password: 'pw-' + name + '-1' } });
  return data?.token;
};
rootClient.setConfig({ baseUrl });
const eveToken = await login('eve');
const rootToken = await login('root');
eveClient.setConfig({ baseUrl, auth: ({ scheme }) => (scheme === 'bearer' ? eveToken : undefined) });
rootClient.setConfig({ auth: ({ scheme }) => (scheme === 'bearer' ? rootToken : undefined) });

const list = await eve.documentsListBook({
  query: { limit: 5, count: true, populate: 'author', filter: { price: '$gte:1', title: 'Book of eve' } },
});
const found = list.data?.data.map(({ title, author }) => ({ title, author: author?.name }));
const created = await eve.documentsCreateBook({
  body: { title: 'Generated', price: 3, published: '2024-02-03T04:05:06.000Z', tags: ['new'], author_id: null },
});
const id: string = created.data?.data._id ?? '';
const path = { id };
const changed = await eve.documentsChangeBook({ path, body: { price: 4 } });
const read = await eve.documentsGetBook({ path });
const price: number | null | undefined = read.data?.data.price;
const deleted = await eve.documentsDeleteBook({ path, query: { _permaDelete: true } });
const missing = await eve.documentsGetBook({ path });
// @ts-expect-error a price is a number
const refused = await eve.documentsCreateBook({ body: { price: 'many' } });
const reason: 'fail' | undefined = refused.error?.status;
// @ts-expect-error the description for eve does not have ledgers
const hidden: keyof typeof eve = 'documentsListLedger';

const ledgers = await root.documentsListLedger();
const amounts: (number | null | undefined)[] | undefined = ledgers.data?.data.map(({ amount }) => amount);
const queried = await root.documentsQueryBook({ body: { query: { price: { $gt: 1 } } } });
const grouped = await root.documentsAggregateBook({
  body: [{ $match: { price: 12 } }, { $group: { _id: '$title' } }, { $limit: 1 }],
});
const written = await root.documentsBulkWriteJob({
  body: [
    { insertOne: { document: { runs: 7 } } },
    { updateOne: { filter: { runs: 7 }, update: { $set: { runs: 8 } } } },
    { deleteOne: { filter: { runs: 8 } } },
  ],
});
const inserted: number | undefined = written.data?.data.nInserted;
const called = await root.functionsCallJobTwice({ body: { n: 21 } });
// @ts-expect-error there is no such stage
const refusedStage = await root.documentsAggregateBook({ body: [{ $nosuch: {} }] });

console.log(JSON.stringify({
  list: [list.data?.count, found],
  created: [created.response?.status, created.data?.data.title],
  changed: changed.data?.data.price,
  price,
  deleted: deleted.data?.deleted,
  missing: missing.response?.status,
  refused: [refused.response?.status, reason, refused.error?.errors?.map(({ path }) => path)],
  amounts,
  queried: queried.data?.data.map(({ title }) => title),
  grouped: grouped.data?.data,
  inserted,
  called: called.data?.data,
  refusedStage: refusedStage.response?.status,
}));
