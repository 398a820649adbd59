/** Writes with an `Idempotency-Key` are sent again until they are answered, while workers are killed: each is carried out once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bearer } from '../support/fixtures/people.ts';
import { writeModels } from '../support/models.ts';
import { randomFrom } from '../support/numbers.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const rounds = 6;
const writesPerRound = 40;

const model = `import { Schema } from 'mongoose';
const schema = new Schema({ label: String }, { perms: { all: 'crud' }, callable_statics: { pid: 'r' } });
schema.statics.pid = () => process.pid;
export default schema;`;
const admin = { email: 'root@x.test', password: 'pw-root-1' };

let folder: string;
let models: Awaited<ReturnType<typeof writeModels>>;
let server: ServerProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-killed-writes-'));
  models = await writeModels({ thing: model });
  server = await startProcess({
    MODELS_DIR: models.folder,
    DATA_DIR: join(folder, 'data'),
    WORKERS: '2',
    BCRYPT_COST: '4',
    LOG_LEVEL: 'info',
    THROTTLE_ENABLED: 'false',
  });
  if (server.url === '') throw new Error(server.printed());
});
afterAll(async () => {
  await server.stop('SIGKILL');
  await models.remove();
  await rm(folder, { recursive: true });
});

const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', ...headers },
    body: JSON.stringify(body),
  });

/** What a write was answered before its last answer. */
interface Written {
  readonly status: number;
  readonly refusals: readonly (readonly [status: number, retryAfter: string | null])[];
}

/** Sends a write until it is neither cut nor refused for a moment. */
async function write(label: string, headers: Record<string, string>): Promise<Written> {
  const refusals: [number, string | null][] = [];
  for (;;) {
    const answer = await post('/api/thing', { label }, { ...headers, 'idempotency-key': label }).catch(() => undefined);
    if (answer === undefined) continue;
    await answer.arrayBuffer().catch(() => undefined);
    if (answer.status !== 409 && answer.status !== 503) return { status: answer.status, refusals };
    refusals.push([answer.status, answer.headers.get('retry-after')]);
    if (answer.headers.get('retry-after') === null) return { status: answer.status, refusals };
    await later(20);
  }
}

test('each write is carried out once, and a refusal says when to send it again', async () => {
  const random = randomFrom(7);
  await post('/setup', admin);
  const { token } = (await (await post('/login', admin)).json()) as { token: string };
  for (let round = 0; round < rounds; round++) {
    const { data: victim } = (await (await post('/call/thing/pid', {})).json()) as { data: number };
    const labels = Array.from({ length: writesPerRound }, (_, at) => `${round}-${at}`);
    const writing = Promise.all(labels.map((label) => write(label, bearer(token))));
    await later(random(40));
    process.kill(victim, 'SIGKILL');
    const written = await writing;
    expect(written.map(({ status }) => status)).toEqual(labels.map(() => 201));
    for (const { refusals } of written) for (const [, retryAfter] of refusals) expect(retryAfter).toMatch(/^\d+$/);
    await until(() => (server.printed().match(/worker \d is replaced/g) ?? []).length > round);
  }
  const answer = await fetch(`${server.url}/distinct/thing/label?limit=1000`);
  const { data } = (await answer.json()) as { data: readonly { value: string; count: number }[] };
  expect(data).toHaveLength(rounds * writesPerRound);
  expect(data.filter(({ count }) => count !== 1)).toEqual([]);
});
