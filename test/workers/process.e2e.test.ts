/** Two worker processes: their output, which worker answers, the replacement of a killed one, and the stop of all. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from '../support/connection.ts';
import { listen } from '../support/event-stream.ts';
import { bearer } from '../support/fixtures/people.ts';
import { writeModels } from '../support/models.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { until } from '../support/waiting.ts';

/** Its functions return the process id, and block a request until its process ends, once for each file. */
const model = `import { appendFileSync, existsSync, statSync, writeFileSync } from 'node:fs';
import { Schema } from 'mongoose';
const callable_statics = { pid: 'r', hold: 'r' };
const schema = new Schema({ label: String }, { perms: { all: 'crud' }, callable_statics });
schema.statics.pid = () => process.pid;
schema.statics.hold = ({ file }) => {
  if (existsSync(file)) return 'free';
  writeFileSync(file, String(process.pid));
  return new Promise(() => undefined);
};
if (process.env.LOADS !== undefined) {
  appendFileSync(process.env.LOADS, '.');
  if (statSync(process.env.LOADS).size === Number(process.env.KILLED_AT)) process.kill(process.pid, 'SIGKILL');
}
if (existsSync(process.env.BROKEN ?? '')) {
  appendFileSync(process.env.BROKEN, '.');
  process.exit(3);
}
export default schema;`;
/** Ends a process before it has loaded its code, when two have ended at their model. */
const early = `import { statSync } from 'node:fs';
if (statSync(process.env.BROKEN, { throwIfNoEntry: false })?.size > 1) process.exit(3);`;
const admin = { email: 'root@x.test', password: 'pw-root-1' };

let folder: string;
let models: Awaited<ReturnType<typeof writeModels>>;
let server: ServerProcess;
let token: string;

interface Answered {
  readonly status: number;
  readonly body: Record<string, any>;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A request on a connection of its own: connections are handed to the workers in turn. */
function send(method: string, path: string, body?: object, headers: object = {}): Promise<Answered> {
  const content = body === undefined ? '' : JSON.stringify(body);
  return new Promise((done, failed) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = request(server.url + path, { method, agent: false, headers: { ...type, ...headers } }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => (text += piece));
      answer.on('error', failed);
      answer.on('end', () =>
        done({ status: answer.statusCode ?? 0, headers: answer.headers, body: JSON.parse(text) as Answered['body'] }),
      );
    });
    sent.on('error', failed);
    sent.end(content);
  });
}

function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

/** The processes that answer, once two have: one that is slow to take a connection is given no other meanwhile. */
async function workers(): Promise<number[]> {
  const found = new Set<number>();
  await until(async () => {
    const answers = await Promise.all(Array.from({ length: 4 }, () => send('POST', '/call/thing/pid', {})));
    for (const { body } of answers) found.add(Number(body['data']));
    return found.size >= 2;
  });
  return [...found].sort();
}

const environment = (more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  MODELS_DIR: models.folder,
  DATA_DIR: join(folder, 'data'),
  WORKERS: '2',
  BCRYPT_COST: '4',
  LOG_LEVEL: 'info',
  THROTTLE_ENABLED: 'false',
  ...more,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-workers-'));
  models = await writeModels({ thing: model });
  const throttle = { THROTTLE_ENABLED: 'true', THROTTLE_MAX: '100000', LOGIN_THROTTLE_MAX: '5', TRUST_PROXY: '1' };
  server = await startProcess(environment({ CACHE_ENABLED: 'true', ...throttle }));
  if (server.url === '') throw new Error(server.printed());
  await send('POST', '/setup', admin);
  token = String((await send('POST', '/login', admin)).body['token']);
});
afterAll(async () => {
  await server.stop('SIGKILL');
  await models.remove();
  await rm(folder, { recursive: true });
});

describe('two workers', () => {
  test('are announced once, and both answer', async () => {
    expect(server.printed().match(/listens on/g)).toHaveLength(1);
    expect(server.printed().match(/"msg":"started"/g)).toHaveLength(1);
    const pids = await workers();
    expect(pids).toHaveLength(2);
    expect(pids).not.toContain(server.child.pid);
    const secret = readFileSync(join(folder, 'data', 'secret'), 'utf8');
    for (const pid of pids)
      for (const file of ['environ', 'cmdline']) {
        const text = readFileSync(`/proc/${pid}/${file}`, 'utf8');
        expect(text).not.toContain(secret);
        expect(text).not.toContain('mongodb://');
      }
  });

  test('see the writes of the other despite cached answers, and end a session together', async () => {
    for (let round = 0; round < 6; round++) {
      await Promise.all([send('GET', '/api/thing'), send('GET', '/api/thing')]);
      const made = await send('POST', '/api/thing', { label: `round ${round}` });
      const lists = [await send('GET', '/api/thing'), await send('GET', '/api/thing')];
      for (const { body } of lists) expect(JSON.stringify(body)).toContain(String(made.body['data']._id));
    }
    const { body } = await send('POST', '/login', admin);
    const headers = bearer(String(body['token']));
    const statusOf = async (): Promise<number> => (await send('GET', '/me', undefined, headers)).status;
    expect([await statusOf(), await statusOf()]).toEqual([200, 200]);
    expect((await send('GET', '/login/logout', undefined, headers)).status).toBe(200);
    expect([await statusOf(), await statusOf()]).toEqual([401, 401]);
    token = String((await send('POST', '/login', admin)).body['token']);
  });

  test('count failed logins together', async () => {
    const headers = { 'x-forwarded-for': '10.0.0.1' };
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        const body = { email: 'nobody@x.test', password: `wrong ${at}` };
        return (await send('POST', '/login', body, headers)).status;
      }),
    );
    expect(statuses.sort()).toEqual([...Array<number>(5).fill(401), ...Array<number>(7).fill(429)]);
  });

  test('send each event to the subscribers of both, once and in one order', async () => {
    const sockets = await Promise.all([1, 2].map(() => connect(server.url, bearer(token))));
    for (const socket of sockets)
      expect(await socket.ask('subscribe', { model: 'thing' })).toMatchObject({ status: 'okay' });
    await Promise.all(Array.from({ length: 20 }, (_, at) => send('POST', '/api/thing', { label: `event ${at}` })));
    await Promise.all(sockets.map((socket) => socket.until(20)));
    const [one = [], two] = sockets.map(({ received }) => received.flatMap(({ data }) => data?.item.label ?? []));
    expect(one).toEqual(two);
    expect(new Set(one).size).toBe(20);
    for (const { socket } of sockets) socket.terminate();
  });

  test('show figures and log lines of a killed one still', async () => {
    const shown = async (path: string): Promise<Answered['body']> =>
      (await send('GET', path, undefined, bearer(token))).body;
    await Promise.all(Array.from({ length: 102 }, (_, at) => send('POST', '/api/thing', { label: `one of ${at}` })));
    const ofRequests = async (): Promise<number> => Number((await shown('/server/requests'))['total'].count);
    const ofSlow = async (): Promise<number> =>
      ((await shown('/server/slow'))['data'] as { shape: string; count: number }[])
        .filter(({ shape }) => shape.includes('label'))
        .reduce((sum, { count }) => sum + count, 0);
    await until(async () => {
      for (const ignored of [1, 2]) await send('GET', `/api/thing?filter[label]=${Math.random()}`);
      return (await ofSlow()) >= 4;
    });
    const asked = await send('POST', '/call/thing/pid', {}, { 'x-request-id': 'the-last-of-a-worker' });
    const victim = Number(asked.body['data']);
    const isLogged = async (): Promise<boolean> => {
      const { data } = await shown('/server/log?request_id=the-last-of-a-worker');
      return (data as unknown[]).length === 1;
    };
    // it writes the line when it has answered
    await until(isLogged);
    const before = { requests: await ofRequests(), slow: await ofSlow() };
    process.kill(victim, 'SIGKILL');
    await until(() => /worker \d is replaced/.test(server.printed()));
    await until(isLogged);
    expect(JSON.stringify(await shown('/server/log?limit=100'))).toMatch(/worker \d ended by SIGKILL/);
    for (const ignored of [1, 2]) {
      expect(await ofRequests()).toBeGreaterThan(before.requests);
      expect(await ofSlow()).toBeGreaterThanOrEqual(before.slow);
    }
  });

  test('a killed one is replaced: its requests end, others are answered, and its claims are free', async () => {
    const before = await workers();
    const mark = server.printed().length;
    const printed = (): string => server.printed().slice(mark);
    const file = join(folder, 'held');
    const headers = { ...bearer(token), 'idempotency-key': 'killed' };
    const hold = (): Promise<Answered> => send('POST', '/call/thing/hold', { file }, headers);
    const held = hold().then(
      () => 'answered',
      () => 'cut',
    );
    await until(() => existsSync(file));
    expect((await hold()).status).toBe(409);
    const victim = Number(readFileSync(file, 'utf8'));
    process.kill(victim, 'SIGKILL');
    expect(await held).toBe('cut');
    // a connection that is handed to a worker before its death is noticed is closed
    await until(() => /worker \d ended by SIGKILL/.test(printed()));
    expect(isRunning(victim)).toBe(false);
    for (let count = 0; count < 6; count++) expect((await send('GET', '/api/thing')).status).toBe(200);
    const statuses = new Set<number>();
    do {
      const stream = await listen(`${server.url}/events/thing`);
      statuses.add(stream.status);
      stream.close();
      statuses.add((await send('GET', '/cache/stats', undefined, bearer(token))).status);
    } while (!/worker \d is replaced/.test(printed()));
    expect([...statuses]).toEqual([200]);
    const now = await workers();
    expect(now).toHaveLength(2);
    expect(now.filter((pid) => before.includes(pid))).toEqual(before.filter((pid) => pid !== victim));
    expect((await hold()).body['data']).toBe('free');
  });

  test('end when their primary is killed', async () => {
    const pids = await workers();
    expect(await server.stop('SIGKILL')).toBeNull();
    await until(() => !pids.some(isRunning));
  });
});

describe.each(['1', '2'])('a worker that is killed when model files are loaded for the %s. time', (at) => {
  test('is started again, and the start continues', async () => {
    const loads = join(folder, `loads-${at}`);
    const started = await startProcess(
      environment({ DATA_DIR: join(folder, `killed-${at}`), LOADS: loads, KILLED_AT: at }),
    );
    expect(started.url).not.toBe('');
    expect(started.printed()).toMatch(/worker \d ended by SIGKILL before it listened/);
    const running = server;
    server = started;
    expect(await workers()).toHaveLength(2);
    server = running;
    expect(readFileSync(loads, 'utf8')).toBe('...');
    expect(await started.stop()).toBe(0);
  });
});

describe('a start that fails', () => {
  test('because of a model file is reported once', async () => {
    const failed = await startProcess(environment({ DATA_DIR: join(folder, 'failed'), MODELS_DIR: '/nowhere' }));
    expect(await failed.ended).toBe(1);
    expect(failed.printed()).toMatch(/^[^\n]*\/nowhere[^\n]*\n$/);
  });

  test('repeatedly ends the server', async () => {
    const broken = join(folder, 'broken');
    const options = `--import data:text/javascript,${encodeURIComponent(early)}`;
    const data = join(folder, 'ends');
    const started = await startProcess(environment({ DATA_DIR: data, BROKEN: broken, NODE_OPTIONS: options }));
    const running = server;
    server = started;
    const [victim = 0] = await workers();
    server = running;
    writeFileSync(broken, '');
    process.kill(victim, 'SIGKILL');
    expect(await started.ended).toBe(1);
    expect(readFileSync(broken, 'utf8')).toBe('..');
    expect(started.printed()).toMatch(/worker \d ended with code 3 before it listened/);
    expect(started.printed()).toMatch(/the server stops, because no worker can be started/);
    expect(started.printed().match(/"msg":"stopped"/g)).toHaveLength(1);
  });
});

test('a second signal ends all processes at once', async () => {
  server = await startProcess(environment({ DATA_DIR: join(folder, 'twice') }));
  const pids = await workers();
  const file = join(folder, 'twice-held');
  const held = send('POST', '/call/thing/hold', { file }).catch(() => undefined);
  await until(() => existsSync(file));
  server.child.kill('SIGTERM');
  await until(() => server.printed().includes('"msg":"stopping"'));
  expect(await server.stop('SIGTERM')).toBe(1);
  expect(server.printed()).not.toContain('"msg":"stopped"');
  await until(() => !pids.some(isRunning));
  await held;
});
