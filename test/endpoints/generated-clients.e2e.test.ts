/** Clients that public generators create from `/openapi.json` compile under `strict`, and their calls work. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { emailOf, logIn, makeRoot, passwordOf } from '../support/fixtures/people.ts';
import type { ModelFiles } from '../support/models.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let folder: string;

/** Runs a script without blocking this process, in which the server runs. An error contains the whole output. */
async function node(script: string, ...args: readonly string[]): Promise<string> {
  const running = promisify(execFile)(process.execPath, [script, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
  });
  const { stdout } = await running.catch((error: Error & { stdout?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}`);
  });
  return stdout;
}

const tool = (path: string): string => join(process.cwd(), 'node_modules', path);

const compilerOptions = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmitOnError: true,
  skipLibCheck: true,
  types: [],
  outDir: 'js',
};

/** The programs receive the URL of the server as their argument. */
const start = `
declare const process: { argv: string[] };
const baseUrl = process.argv[2] ?? '';
`;

/** Both programs do the same in the style of their client, and print their results. */
const programs: Readonly<Record<string, string>> = {
  'openapi-typescript': `
import createClient from 'openapi-fetch';
import type { paths as EvePaths } from './types-eve.js';
import type { paths as RootPaths } from './types-root.js';
${start}
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
const id: string = created.data?.data?._id ?? '';
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
  created: [created.response.status, created.data?.data?.title],
  changed: changed.data?.data?.price,
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
`,
  '@hey-api/openapi-ts': `
import * as eve from './client-eve/index.js';
import { client as eveClient } from './client-eve/client.gen.js';
import * as root from './client-root/index.js';
import { client as rootClient } from './client-root/client.gen.js';
${start}
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
const id: string = created.data?.data?._id ?? '';
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
  created: [created.response?.status, created.data?.data?.title],
  changed: changed.data?.data?.price,
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
`,
};

/** Only a few models, because each one costs time in the generators and the compiler. */
const models: ModelFiles = {
  author: ({ Schema }) => new Schema({ name: String }, { perms: { user: 'r' } }),
  book: ({ Schema, ObjectId }) =>
    new Schema(
      {
        title: String,
        price: { type: Number, min: 0 },
        published: Date,
        tags: [String],
        author_id: { type: ObjectId, link: 'author' },
      },
      { perms: { all: 'r', user: 'cr', owner: 'crud' } },
    ),
  ledger: ({ Schema }) => new Schema({ amount: Number }),
  job: ({ Schema }) => {
    const schema = new Schema(
      { runs: { type: Number, required: true } },
      { advanced_queries: { bulkwrite: true }, callable_statics: { twice: 'r' } },
    );
    schema.static('twice', ({ n }: { n: number }) => n * 2);
    return schema;
  },
};

/** Creates eve, a plain user, and a few rows. @returns the descriptions for eve and for the admin */
async function fill(): Promise<Readonly<Record<string, string>>> {
  const root = await makeRoot(server);
  await server.post('/api/user', { name: 'eve', email: emailOf('eve'), password: passwordOf('eve') }, root);
  const eve = await logIn(server, 'eve');
  const author = await server.post('/api/author', { name: 'Ada' }, root);
  await server.post('/api/book', { title: 'Book of root', price: 1 }, root);
  await server.post('/api/book', { title: 'Book of eve', price: 12, author_id: author.document['_id'] }, eve);
  await server.post('/api/ledger', { amount: 5 }, root);
  const [forEve, forRoot] = await Promise.all([eve, root].map((caller) => server.get('/openapi.json', caller)));
  return { eve: forEve?.text ?? '', root: forRoot?.text ?? '' };
}

const programFile = (name: string): string => name.replaceAll(/[^a-z]+/g, '');

/** Both generators for both descriptions in one process, because they take longer to load than to run. */
const generator = `
import { writeFile } from 'node:fs/promises';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypes, { astToString } from 'openapi-typescript';

const people = process.argv.slice(2);
for (const person of people) {
  const types = await openapiTypes(new URL(person + '.json', import.meta.url));
  await writeFile('types-' + person + '.ts', astToString(types));
}
await createClient(
  people.map((person) => ({ input: person + '.json', output: 'client-' + person, logs: { file: false } })),
);
`;

beforeAll(async () => {
  await mkdir('.test-build', { recursive: true });
  // inside the project, so that the programs find the packages that they import
  folder = await mkdtemp(join(process.cwd(), '.test-build', 'generated-'));
  server = await startServer({ models });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  const files = Object.keys(programs).map((name) => `${programFile(name)}.ts`);
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  for (const [name, program] of Object.entries(programs))
    await writeFile(join(folder, `${programFile(name)}.ts`), program);
  const descriptions = await fill();
  for (const [person, text] of Object.entries(descriptions)) await writeFile(join(folder, `${person}.json`), text);
  await writeFile(join(folder, 'generate.mjs'), generator);
  await node('generate.mjs', ...Object.keys(descriptions));
  await node(tool('typescript-7/bin/tsc'), '-p', 'tsconfig.json');
}, 180_000);
afterAll(() => rm(folder, { recursive: true }));

test.each(Object.keys(programs))('a client of %s compiles and works', async (name) => {
  const printed = await node(join('js', `${programFile(name)}.js`), server.url);
  expect(JSON.parse(printed)).toEqual({
    list: [1, [{ title: 'Book of eve', author: 'Ada' }]],
    created: [201, 'Generated'],
    changed: 4,
    price: 4,
    deleted: { book: 1 },
    missing: 404,
    refused: [400, 'fail', ['price']],
    amounts: [5],
    queried: ['Book of eve'],
    grouped: [{ _id: 'Book of eve' }],
    inserted: 1,
    called: 42,
    refusedStage: 400,
  });
});
