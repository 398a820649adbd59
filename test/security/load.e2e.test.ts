/** Many requests of the highest possible cost; other callers are served meanwhile (docs/threats.md, "Resource exhaustion"). */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, send as request } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { writeModels } from '../support/models.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { inTime, type Meanwhile, meanwhile, until } from '../support/waiting.ts';

/** Milliseconds; shorter than the default, so that the test is short. */
const longest = 1500;
/** The longest wait in the queue, the longest work, and a reserve for a busy machine. */
const answeredWithin = 2 * longest + 4000;
/** Within a second where the server, its store and the test each have a processor. */
const othersWithin = 5000;

let server: ServerProcess;
let remove: () => Promise<void>;
let smallId = '';

beforeAll(async () => {
  const models = await writeModels({
    small: ({ Schema }) => new Schema({ n: Number }, { perms: { all: 'r' } }),
    big: ({ Schema }) => new Schema({ n: Number }, { perms: { all: 'r' } }),
    wide: ({ Schema }) => new Schema({ text: String }, { perms: { all: 'r' } }),
  });
  const folder = await mkdtemp(join(tmpdir(), 'load-'));
  server = await startProcess({
    MODELS_DIR: models.folder,
    DATA_DIR: folder,
    ADMIN_EMAIL: 'root@x.test',
    ADMIN_PASSWORD: 'pw-root-1',
    BCRYPT_COST: '4',
    THROTTLE_ENABLED: 'false',
    MAX_BODY_SIZE: '40mb',
    QUERY_LIMITS_MAX_TIME_MS: String(longest),
  });
  remove = async () => {
    await server.stop();
    await models.remove();
    await rm(folder, { recursive: true, force: true });
  };
  await fill(
    'big',
    6,
    Array.from({ length: 1000 }, (_, n) => ({ n: n + 1 })),
  );
  await fill(
    'wide',
    10,
    Array.from({ length: 100 }, () => ({ text: 'x'.repeat(20_000) })),
  );
  smallId = String((await write('/api/small', { n: 1 })).document['_id']);
});
afterAll(() => remove());

/** Inserts the same documents several times, each time within the short time limit on a slow machine too. */
async function fill(model: string, count: number, documents: readonly object[]): Promise<void> {
  for (let n = 0; n < count; n += 1) await write('/setup/data', { [model]: documents });
}

async function write(path: string, body: unknown): Promise<Answer> {
  const answer = await request('POST', server.url + path, { body, headers: rootBasic });
  if (answer.status >= 400) throw new Error(answer.text);
  return answer;
}

interface Outcome {
  readonly status: number;
  readonly retryAfter: string | null;
}

const limited: Outcome = { status: 503, retryAfter: '1' };
const tooLarge: Outcome = { status: 413, retryAfter: null };

/** Without a body it is a GET. */
async function ask(path: string, body?: unknown): Promise<Outcome> {
  const { status, headers } = await request(body === undefined ? 'GET' : 'POST', server.url + path, { body });
  return { status, retryAfter: headers.get('retry-after') };
}

const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

/** Megabytes that the server uses; 0 where the system does not report them. */
function memory(): number {
  try {
    const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid ?? 0}/status`, 'utf8'))?.[1];
    return Number(resident) / 1024;
  } catch {
    return 0;
  }
}

interface Loaded<T> extends Meanwhile<T> {
  /** Megabytes by which the memory of the server has grown. */
  readonly grown: number;
  /** The requests of other callers that were refused. */
  readonly refused: readonly string[];
}

/** Does the work, and requests the health and one document until it is done. */
async function loaded<T>(work: () => Promise<T>): Promise<Loaded<T>> {
  const before = memory();
  let grown = 0;
  const refused: string[] = [];
  const outcome = await meanwhile(work, async () => {
    for (const path of ['/health', `/api/small/${smallId}`]) {
      const { status } = await ask(path);
      if (status !== 200) refused.push(`${path} ${status}`);
    }
    grown = Math.max(grown, memory() - before);
    await later(20);
  });
  return { ...outcome, grown, refused };
}

/** Other callers are served: one whose request is held up by other programs until its time limit is so in few attempts. */
const fair = ({ refused }: Loaded<unknown>): boolean => refused.length === 0;

/** The work and the requests of other callers are in time. */
const quick = (outcome: Loaded<unknown>): boolean =>
  fair(outcome) && outcome.took < answeredWithin && outcome.longest < othersWithin;

const everyPair = [
  { $lookup: { from: 'bigs', pipeline: [{ $match: { $expr: { $gt: ['$n', 0] } } }], as: 'x' } },
  { $unwind: '$x' },
  { $count: 'n' },
];
// no index has the field to which it connects
const endless = [
  { $graphLookup: { from: 'bigs', startWith: '$n', connectFromField: 'n', connectToField: 'n', as: 'x' } },
  { $unwind: '$x' },
  { $count: 'n' },
];

describe('A join of everything', () => {
  test.each([
    ['$lookup', everyPair],
    ['$graphLookup', endless],
  ])('%s runs into the time limit', async (_name, pipeline) => {
    const { result } = await inTime(() => loaded(() => ask('/aggregate/big', pipeline)), quick);
    expect(result).toEqual(limited);
  });

  test('documents too large to be joined are a 413', async () => {
    const pipeline = [{ $lookup: { from: 'wides', pipeline: [{ $match: {} }], as: 'x' } }, { $count: 'n' }];
    const outcome = await inTime(
      () => ask('/aggregate/small', pipeline),
      ({ status }) => status !== limited.status,
    );
    expect(outcome).toEqual(tooLarge);
  });
});

describe('Many slow requests', () => {
  test('200 pipelines at once are refused in time', async () => {
    const { result, grown } = await inTime(
      () => loaded(() => times(200, () => ask('/aggregate/big', everyPair))),
      quick,
    );
    expect(result).toEqual(result.map(() => limited));
    expect(grown).toBeLessThan(300);
  });

  test('500 callers that disconnect leave nothing behind', async () => {
    const body = JSON.stringify(everyPair);
    const head = `POST /aggregate/big HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    const { hostname, port } = new URL(server.url);
    const disconnect = async (): Promise<void> => {
      const sockets = await times(500, async () => {
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        socket.write(`${head}\r\n\r\n${body}`);
        return socket;
      });
      // by now the server has read what they sent
      await ask('/health');
      for (const socket of sockets) socket.destroy();
    };
    await inTime(() => loaded(disconnect), fair);
    await until(async () => (await ask('/aggregate/small', [{ $count: 'n' }])).status === 200);
  });
});

describe('A large answer', () => {
  test.each(['/api/wide?limit=1000', '/csv/wide?limit=1000'])('50 times %s at once', async (path) => {
    const { result, grown } = await inTime(() => loaded(() => times(50, () => ask(path))), fair);
    expect(result).toContainEqual(tooLarge);
    // those that had to wait too long, or took too long
    const refused = result.filter(({ status }) => status !== 413);
    const soon = { status: 503, retryAfter: expect.stringMatching(/^[1-3]$/) };
    expect(refused).toEqual(refused.map(() => soon));
    expect(grown).toBeLessThan(600);
  });
});
