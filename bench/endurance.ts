/**
 * `npm run bench -- endurance [documents] [minutes]` (default 2000000 60): a server with its embedded store under a mixed load, paced at
 * BENCH_RATE (200) requests/s. Prints latencies, failures and memory for each minute. At the end it compares what was written with what
 * is read, before and after a restart. BENCH_FOLDER keeps the data for another run; BENCH_CGROUP is the folder of a control group for the
 * server, so that its memory can be limited.
 */
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { type Article, articleOf, idOf } from './articles.ts';
import { print } from './print.ts';
import { memory, ownMemory, type Running, startPrinting, startServer, stop } from './processes.ts';

const admin = { email: 'bench@example.com', password: 'a password for measuring' };
const clients = 8;
const perInsert = 1000;
const rate = Number(process.env['BENCH_RATE'] ?? 200);
/** Milliseconds that building all indexes at the first start may take. */
const maxIndexingMs = 3_600_000;
/** Created and changed documents that are read at the end, of each kind. */
const maxChecks = 5000;
const agent = new Agent({ keepAlive: true, maxSockets: clients });

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Runs the load. @param given the number of documents and of minutes */
export async function measureEndurance(given: readonly number[]): Promise<void> {
  const [documents = 2_000_000, minutes = 60] = given;
  const kept = process.env['BENCH_FOLDER'];
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'dossier-endurance-')));
  try {
    await fill(folder, documents);
    const indexing = await start(folder, maxIndexingMs);
    print(`indexed in ${Math.round(indexing.firstAnswer / 1000)} s`);
    await stop(indexing);
    let server = await start(folder);
    print(`${documents} documents, first answer after ${Math.round(server.firstAnswer)} ms`);
    const load = new MixedLoad(server, documents);
    await load.begin();
    await load.run(minutes);
    await load.check();
    const begun = performance.now();
    await stop(server);
    print(`stopped in ${Math.round(performance.now() - begun)} ms`);
    server = await start(folder);
    print(`first answer after the restart ${Math.round(server.firstAnswer)} ms`);
    await load.check(server);
    await stop(server);
  } finally {
    if (kept === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Puts documents into an empty data folder. Indexes are created afterwards, as an import does. */
async function fill(folder: string, documents: number): Promise<void> {
  const { child, line } = await startPrinting(['--import', 'tsx', 'packages/store/bench/store-process.ts', folder]);
  const client = await new mongoose.mongo.MongoClient(line).connect();
  const articles = client.db().collection<Article>('articles');
  const begun = performance.now();
  for (let at = await articles.countDocuments(); at < documents; at += perInsert) {
    const length = Math.min(perInsert, documents - at);
    await articles.insertMany(Array.from({ length }, (_, n) => articleOf(at + n)));
  }
  await client.close();
  await stop({ child });
  print(`filled in ${Math.round((performance.now() - begun) / 1000)} s`);
}

async function start(folder: string, timeoutMs?: number): Promise<Running> {
  const environment = {
    ...{ MODELS_DIR: 'bench/endurance', DATA_DIR: folder, MONGODB_URL: '', THROTTLE_ENABLED: 'false' },
    ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, BCRYPT_COST: '4' },
  };
  const group = process.env['BENCH_CGROUP'];
  const onProcess = (pid: number | undefined): void => {
    if (group !== undefined) writeFileSync(join(group, 'cgroup.procs'), String(pid));
  };
  return startServer(['dist/main.js'], environment, '/health', {
    onProcess,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

/** Members of a list, evenly spread, at most as many as are read at the end. */
function some<T>(list: readonly T[]): readonly T[] {
  const step = Math.ceil(list.length / maxChecks);
  return list.filter((_, at) => at % step === 0);
}

/** Requests of all kinds, and what the collection should contain after them. */
class MixedLoad {
  #server: Running;
  readonly #documents: number;
  #token = '';
  /** Number of documents before the load. */
  #before = 0;
  #created: string[] = [];
  #deleted = 0;
  readonly #prices = new Map<string, number>();
  #times: number[] = [];
  #failed = new Map<number, number>();

  constructor(server: Running, documents: number) {
    this.#server = server;
    this.#documents = documents;
  }

  /** Signs in, and counts what an earlier run has left. */
  async begin(): Promise<void> {
    const { body } = await this.#send('POST', '/login', admin);
    this.#token = (JSON.parse(body) as { readonly token: string }).token;
    this.#before = await this.#count('');
  }

  async run(minutes: number): Promise<void> {
    print('| minute | requests | failed | p50 ms | p99 ms | max ms | own MB | resident MB |');
    print('|---|---|---|---|---|---|---|---|');
    for (let minute = 1; minute <= minutes; minute += 1) {
      const end = performance.now() + 60_000;
      await Promise.all(Array.from({ length: clients }, () => this.#client(end)));
      this.#report(minute);
    }
  }

  async #client(end: number): Promise<void> {
    const interval = (1000 * clients) / rate;
    for (let due = performance.now(); Math.max(due, performance.now()) < end; due += interval) {
      await pause(Math.max(0, due - performance.now()));
      const begun = performance.now();
      await this.#one();
      this.#times.push(performance.now() - begun);
    }
  }

  #report(minute: number): void {
    const times = this.#times.sort((a, b) => a - b);
    const at = (share: number): number => Math.round((times[Math.floor(times.length * share)] ?? NaN) * 10) / 10;
    const failed = [...this.#failed].map(([status, count]) => `${count} × ${status}`).join(', ');
    const { child } = this.#server;
    const columns = [minute, times.length, failed || 0, at(0.5), at(0.99), at(0.9999), ownMemory(child), memory(child)];
    print(`| ${columns.join(' | ')} |`);
    this.#times = [];
    this.#failed = new Map();
  }

  #random(limit: number): number {
    return Math.floor(Math.random() * limit);
  }

  #anyId(): string {
    return idOf(this.#random(this.#documents)).toHexString();
  }

  async #one(): Promise<void> {
    const kind = this.#random(100);
    if (kind < 45) await this.#expect('GET', `/api/article/${this.#anyId()}`);
    else if (kind < 60)
      await this.#expect('GET', `/api/article?filter[group]=${this.#random(1000)}&sort=-created&limit=20`);
    else if (kind < 65) await this.#expect('GET', '/api/article?sort=price&limit=20');
    else if (kind < 70)
      await this.#expect('GET', `/api/article?search=unique${this.#random(this.#documents)}&limit=20`);
    else if (kind < 73) await this.#expect('GET', `/count/article?filter[price]=$gt:${1_000_000 - this.#random(2000)}`);
    else if (kind < 85) await this.#create();
    else if (kind < 97) await this.#update();
    else await this.#remove();
  }

  async #create(): Promise<void> {
    const { _id, ...article } = articleOf(this.#documents + this.#created.length + this.#random(1_000_000));
    const { body } = await this.#expect('POST', '/api/article', article);
    const id = (JSON.parse(body) as { readonly data?: { readonly _id: string } }).data?._id;
    if (id !== undefined) this.#created.push(id);
  }

  async #update(): Promise<void> {
    const [id, price] = [this.#anyId(), this.#random(1_000_000)];
    // two updates of one document at once have no order
    if (this.#prices.has(id)) return;
    this.#prices.set(id, price);
    await this.#expect('PUT', `/api/article/${id}`, { price });
  }

  /** Deletes one of the created documents permanently. */
  async #remove(): Promise<void> {
    const id = this.#created.splice(this.#random(this.#created.length), 1)[0];
    if (id === undefined) return;
    this.#deleted += 1;
    await this.#expect('DELETE', `/api/article/${id}?_permaDelete=1`);
  }

  async #expect(method: string, path: string, body?: object): Promise<Answer> {
    const answer = await this.#send(method, path, body);
    if (answer.status < 200 || answer.status > 299)
      this.#failed.set(answer.status, (this.#failed.get(answer.status) ?? 0) + 1);
    return answer;
  }

  #send(method: string, path: string, body?: object): Promise<Answer> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
    };
    const { port } = this.#server;
    return new Promise((done) => {
      const sent = request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
      });
      sent.on('error', () => done({ status: 0, body: '{}' }));
      sent.end(text);
    });
  }

  /** Compares what is read with what was acknowledged. @throws Error if something is lost */
  async check(server = this.#server): Promise<void> {
    this.#server = server;
    const count = await this.#count('');
    const expected = this.#before + this.#created.length;
    if (count !== expected) throw new Error(`there are ${count} documents, not ${expected}`);
    const created = some(this.#created);
    for (const id of created) await this.#mustBeFound(await this.#mustBe(id, () => true));
    const changed = some([...this.#prices]);
    for (const [id, price] of changed) await this.#mustBe(id, (article) => article.price === price);
    const writes = `${this.#created.length} created, ${this.#prices.size} changed, ${this.#deleted} deleted`;
    print(`${count} documents, ${writes}: counts, searches and ${created.length + changed.length} documents are right`);
  }

  async #count(query: string): Promise<number> {
    const { body } = await this.#send('GET', `/count/article${query}`);
    return (JSON.parse(body) as { readonly count: number }).count;
  }

  async #mustBe(id: string, holds: (article: Article) => boolean): Promise<Article> {
    const { status, body } = await this.#send('GET', `/api/article/${id}`);
    const { data } = JSON.parse(body) as { readonly data: Article };
    if (status !== 200 || !holds(data)) throw new Error(`${id} is wrong: ${body}`);
    return data;
  }

  /** Searches for the rare word of an article. */
  async #mustBeFound({ _id, text }: Article): Promise<void> {
    const [, rare = ''] = text.split(' ');
    const { body } = await this.#send('GET', `/api/article?search=${rare}&fields=_id&limit=100`);
    const { data } = JSON.parse(body) as { readonly data: readonly Article[] };
    if (!data.some((found) => found._id === _id)) throw new Error(`${rare} does not find ${String(_id)}: ${body}`);
  }
}
