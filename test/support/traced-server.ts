/**
 * The program that `files-run.ts` starts: a server from the sources, and requests to it, with V8's precise coverage. Sends the functions
 * that each request has run, by file, to its parent process.
 *
 * The sources run unbundled, so that a script of V8 is a source file, and no source map can be wrong by a function. Time stands still: no
 * timer of the server or the driver runs, and nothing depends on how long a step has taken. So what runs between two looks at the coverage
 * belongs to the request.
 */
import { Agent, request as sendRequest } from 'node:http';
import { type Profiler, Session } from 'node:inspector';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import type { FilesRun, RequestName, Traces } from './files-run.ts';

// before anything is loaded that may keep a timer's function
mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: Date.now() });
syncBuiltinESMExports();
const started = performance.now();
performance.now = () => started;
performance.eventLoopUtilization = () => ({ active: 0, idle: 0, utilization: 0 });

const inspector = new Session();
inspector.connect();
inspector.post('Profiler.enable');
inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

const sources = new URL('../../src/', import.meta.url).href;

/** What has run since the last call. */
function takeFilesRun(): FilesRun {
  let scripts: readonly Profiler.ScriptCoverage[] = [];
  // answers before it returns
  inspector.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error;
    scripts = result;
  });
  const files = scripts
    .filter(({ url }) => url.startsWith(sources))
    .map(({ url, functions }) => [url.slice(sources.length).replace(/\?.*/, ''), namesOf(functions)] as const)
    .filter(([, names]) => names.length > 0);
  return Object.fromEntries(files);
}

/** The functions that have run, but for the top level of the module and what the loader adds to it. */
const namesOf = (functions: readonly Profiler.FunctionCoverage[]): string[] =>
  functions
    .filter(({ functionName, ranges: [whole] }) => {
      const hasRun = whole !== undefined && whole.count > 0 && whole.startOffset > 0;
      return hasRun && functionName !== '__name';
    })
    .map(({ functionName }) => (functionName === '' ? '(anonymous)' : functionName));

const { open } = await import('dossier-store');
const { createServer } = await import('../../src/index.ts');
const admin = { email: 'admin@example.com', password: 'a password for tracing' };
const store = await open({ thread: false });
const database = new URL(store.url);
database.searchParams.set('monitorCommands', 'true');
const server = await createServer({
  environment: {
    // nothing is written to the data folder
    SHARED_SECRET: 'the secret of the traced server',
    ...{ MONGODB_URL: database.href, MODELS_DIR: 'bench/models', MODELS_FOLDERS: 'jobs', PORT: '0' },
    ...{ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, BCRYPT_COST: '4', THROTTLE_ENABLED: 'false' },
  },
  logTarget: { write: () => undefined },
});

/** Commands that the database has not answered; change streams wait for theirs. */
const running = new Set<number>();
const client = server.services.connection.getClient();
client.on('commandStarted', ({ commandName, requestId }) => {
  if (commandName !== 'getMore') running.add(requestId);
});
client.on('commandSucceeded', ({ requestId }) => void running.delete(requestId));
client.on('commandFailed', ({ requestId }) => void running.delete(requestId));

/** Turns of the event loop without a running command after which nothing of a request is left to run: more than any step takes. */
const quietTurns = 50;

async function settled(): Promise<void> {
  for (let turn = 0; turn < quietTurns; turn++) {
    await new Promise((next) => setImmediate(next));
    if (running.size > 0) turn = 0;
  }
}

/** A connection that stays, as clients have one. */
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' };

/** @returns the answer's body @throws Error for an answer that is no success */
function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  return new Promise((done, failed) => {
    const request = sendRequest(server.url + path, { method, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        if ((response.statusCode ?? 0) < 300) done(JSON.parse(text));
        else failed(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
      });
    });
    request.on('error', failed);
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const item = (n: number): object => ({
  ...{ title: `item ${n}`, kind: 'kind 1', price: n, active: true, labels: ['red', 'new'] },
  ...{ released: '2026-11-01T00:00:00Z', size: { width: n, unit: 'cm' } },
});
const ids: string[] = [];
/** The path of another item each time. */
const nextItem = (): string => `/api/item/${ids.pop()}`;

/** Paths of texts that filters combine: each request has another combination of them. */
const texts = ['title', 'code', 'description', 'size.unit'];
const newFilter = (n: number): string =>
  texts.flatMap((path, at) => ((n >> at) % 2 === 1 ? [`&filter[${path}]=$ne:${n}`] : [])).join('');

/** The requests, of which each gets the numbers from 0. */
const requests: Readonly<Record<RequestName, (n: number) => Promise<unknown>>> = {
  'get one': () => ask('GET', nextItem()),
  'list of 20': () => ask('GET', '/api/item?limit=20&sort=-price&filter[kind]=kind 1'),
  'list, new filter': (n) => ask('GET', `/api/item?limit=20&sort=-price&filter[price]=$gte:${n}${newFilter(n)}`),
  create: (n) => ask('POST', '/api/item', item(n)),
  'PUT of one field': (n) => ask('PUT', nextItem(), { price: n }),
  delete: () => ask('DELETE', nextItem()),
  'batch of 2': (n) =>
    ask('POST', '/batch', {
      operations: [n, n + 1].map((m) => ({ method: 'POST', path: '/api/item', body: item(m) })),
    }),
  job: () => ask('POST', '/call/noted/ask', 1),
};
const names = Object.keys(requests) as RequestName[];

const { token } = (await ask('POST', '/login', admin)) as { readonly token: string };
headers = { ...headers, authorization: `Bearer ${token}` };
for (let n = 0; n < 50; n++)
  ids.push(((await ask('POST', '/api/item', item(n))) as { readonly data: { readonly _id: string } }).data._id);

/** Requests right before the one that is traced, with other values: what they leave in memory does not depend on earlier ones. */
const warmUps = 2;
const sent = new Map<RequestName, number>();

async function trace(name: RequestName): Promise<FilesRun> {
  const first = sent.get(name) ?? 0;
  for (let n = first; n < first + warmUps; n++) {
    await requests[name](n);
    await settled();
  }
  takeFilesRun();
  await requests[name](first + warmUps);
  await settled();
  sent.set(name, first + warmUps + 1);
  return takeFilesRun();
}

async function round(order: readonly RequestName[]): Promise<Readonly<Record<RequestName, FilesRun>>> {
  const run: [RequestName, FilesRun][] = [];
  for (const name of order) run.push([name, await trace(name)]);
  return Object.fromEntries(run) as Record<RequestName, FilesRun>;
}

const traces: Traces = [await round(names), await round(names.toReversed()), await round(names)];
// the end of this process could overtake its message
process.on('disconnect', () => process.exit(0));
process.send?.(traces);
