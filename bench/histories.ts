/**
 * `npm run bench -- histories [counts]`: what a write with history and the first pages of `/history` cost where there are these numbers of
 * entries (10,000 and 1,000,000), with the embedded store in the server's own process. One entry in 10,000 is of another user or a
 * removal. BENCH_SECONDS (1) sets how long each row is measured. Prints results, and checks none.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { itemBody } from './data.ts';
import { measure } from './load.ts';
import { print } from './print.ts';
import { processorTime, type Running, startPrinting, startServer, stop } from './processes.ts';

const { ObjectId } = mongoose.Types;
const { Binary, BSON, MongoClient } = mongoose.mongo;
const usual = [10_000, 1_000_000];
const milliseconds = Number(process.env['BENCH_SECONDS'] ?? 1) * 1000;
const connections = 4;
const model = 'traced_draft';
const atOnce = 5000;
/** Entries of each document. */
const revisions = 20;
const rarity = 10_000;
const admin = { email: 'bench@example.com', password: 'a password for measuring' };
const [often, rare] = ['6'.repeat(24), '7'.repeat(24)];

const idOf = (number: number): string => `00000005${number.toString(16).padStart(16, '0')}`;
const keyOf = (number: number): string => `${model}/${idOf(number)}`;
const timeOf = (number: number): Date => new Date(1.7e12 + number * 1000);
const documentOf = (number: number): mongoose.mongo.BSON.Document => {
  const { maker_id, released, ...body } = itemBody(number);
  const links = { released: new Date(String(released)), maker_id: new ObjectId(String(maker_id)) };
  const stamps = { _deleted: false, createdAt: timeOf(0), updatedAt: timeOf(0), __v: 0 };
  return { _id: new ObjectId(idOf(number)), ...body, ...links, ...stamps };
};

/** An entry as the server stores it (`src/features/history/recorder.ts`). @param number of the entry among all */
function entryOf(number: number): object {
  const [document, rev] = [Math.floor(number / revisions), (number % revisions) + 1];
  const isRare = number % rarity === rarity - 1;
  const isWhole = rev % 16 === 1;
  const content = isWhole
    ? { [rev === 1 ? 'after' : 'before']: documentOf(document), ...(rev > 1 && { changes: [] }) }
    : { changes: [{ path: 'stock', to: rev }] };
  return {
    ...{ _id: `${keyOf(document)}/${String(rev).padStart(10, '0')}`, model, document: idOf(document), rev },
    ...{
      at: timeOf(number),
      operation: rev === 1 ? 'create' : isRare ? 'remove' : 'change',
      who: isRare ? rare : often,
    },
    ...{ ...(isWhole && { whole: true }), content: new Binary(BSON.serialize(content)) },
  };
}

/** The requests, by their names. @param count of documents */
const requests = (count: number): Readonly<Record<string, (number: number) => string>> => ({
  create: (number) => written('POST', `/api/${model}`, itemBody(number)),
  update: (number) => written('PUT', `/api/${model}/${idOf((number * 7919) % count)}`, { stock: number % 997 }),
  'entries of a document': (number) => `GET /history/${model}/${idOf((number * 7919) % count)}`,
  'entries of the model': () => `GET /history/${model}`,
  'by a rare user': () => `GET /history/${model}?who=${rare}`,
  'of a rare kind': () => `GET /history/${model}?op=remove`,
  'a document at a time': (number) => `GET /api/${model}/${idOf((number * 7919) % count)}?at=2100-01-01T00:00:00Z`,
});

const written = (method: string, path: string, body: object): string => `${method} ${path} ${JSON.stringify(body)}`;

/** Measures each number with a data folder of its own. @param counts of entries; the default ones where none are given */
export async function measureHistories(counts: readonly number[]): Promise<void> {
  const sizes = counts.length === 0 ? usual : counts;
  const found = new Map<string, string[]>();
  for (const size of sizes)
    for (const [name, value] of await rowsOf(size)) found.set(name, [...(found.get(name) ?? []), value]);
  print(`| processor time, µs (ms until the answer) | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} |`);
  print(`|---|${sizes.map(() => '---|').join('')}`);
  for (const [name, values] of found) print(`| ${name} | ${values.join(' | ')} |`);
}

async function rowsOf(entries: number): Promise<[string, string][]> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-histories-'));
  const count = Math.ceil(entries / revisions);
  const environment = {
    ...{ MODELS_DIR: 'bench/models', MODELS_FOLDERS: 'traced', DATA_DIR: folder, MONGODB_URL: '' },
    ...{ THROTTLE_ENABLED: 'false', ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, BCRYPT_COST: '4' },
  };
  const start = (): Promise<Running> =>
    startServer(['--max-semi-space-size=64', 'dist/main.js'], environment, '/health', { timeoutMs: 600_000 });
  try {
    await fillFolder(folder, count);
    // the first start creates the indexes
    await stop(await start());
    const server = await start();
    const token = await signIn(server.port);
    const rows: [string, string][] = [];
    for (const [name, request] of Object.entries(requests(count)))
      rows.push([name, await costOf(server, (number) => textOf(request(number), token))]);
    await stop(server);
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function costOf({ child, port }: Running, request: (number: number) => string): Promise<string> {
  await measure({ port, request, connections, milliseconds: milliseconds / 2 });
  const before = processorTime(child) ?? NaN;
  const { answers, rate, failed } = await measure({ port, request, connections, milliseconds });
  if (failed.size > 0) return `status ${[...failed.keys()].join()}`;
  const micros = (((processorTime(child) ?? NaN) - before) / answers) * 1000;
  return `${Math.round(micros).toLocaleString('en')} (${((connections / rate) * 1000).toFixed(1)})`;
}

function textOf(request: string, token: string): string {
  const [method = '', path = '', ...rest] = request.split(' ');
  const body = rest.join(' ');
  const type = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`;
  return `${head}${body === '' ? '' : type}\r\n${body}`;
}

async function signIn(port: number): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body: JSON.stringify(admin) };
  const response = await fetch(`http://127.0.0.1:${port}/login`, sent);
  return ((await response.json()) as { readonly token: string }).token;
}

/** Puts documents and their histories into the store of a data folder. */
async function fillFolder(dir: string, count: number): Promise<void> {
  const { child, line } = await startPrinting(['--import', 'tsx', 'packages/store/bench/store-process.ts', dir]);
  const client = await new MongoClient(line).connect();
  const fill = async (name: string, many: number, make: (number: number) => object): Promise<void> => {
    for (let from = 0; from < many; from += atOnce)
      await client
        .db()
        .collection(name)
        .insertMany(Array.from({ length: Math.min(atOnce, many - from) }, (_, at) => make(from + at)));
  };
  await fill('drafts', count, documentOf);
  await fill('_dossier_history', count * revisions, entryOf);
  await client.close();
  await stop({ child });
}
