/** A 503 with `Retry-After` means that nothing was written, also by the operations without a model (docs/writing.md, "Creating"). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { open, type OpenStore } from 'dossier-store';
import type { Context } from '../../src/context.ts';
import { internalCollection } from '../../src/models/mongoose.ts';
import { isOfModel, isWrite, type Operation } from '../../src/operations/operation.ts';
import { timeLimit } from '../../src/operations/time-limit.ts';
import { operationGroups } from '../../src/start/operations.ts';
import { makeProgress } from '../../src/write/progress.ts';
import type { Answer, Document, Sent } from '../support/client.ts';
import { codeAt } from '../support/fixtures/factors.ts';
import { as, type Caller, emailOf, logIn, makeRoot, passwordOf } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { openSlowLine, type SlowLine } from '../support/slow-line.ts';
import { until } from '../support/waiting.ts';

const limit = 200;
const models = {
  'job.js': `module.exports = (({ Schema }) => {
    const schema = new Schema({ name: String }, { perms: { admin: 'crud' }, callable_statics: ['ask'] });
    schema.options.schedules = { one: { call: 'note', cron: '0 3 1 1 *' }, two: { call: 'note', cron: '0 3 1 1 *' } };
    schema.statics.note = () => undefined;
    schema.statics.ask = (key, { api }) => api.later('job.note', undefined, { key, in: '1d' });
    return schema;
  })(require('mongoose'));`,
};

type Request = readonly [method: string, path: string, sent?: Sent];

/** What a round has made for its writes. */
interface Round {
  readonly root: Caller;
  /** A user of the round's own, who has signed in. */
  readonly user: (name: string) => Promise<Caller>;
  readonly send: (...request: Request) => Promise<Answer>;
  readonly job: (key: string) => Promise<string>;
  readonly webhook: () => Promise<string>;
  readonly key: (of: Caller) => Promise<string>;
}

/** A way to write: what it needs, its request, and the event that is recorded with the write, and only with it. */
interface Way {
  readonly event: string;
  readonly request: (round: Round) => Promise<Request>;
}

// one that is on waits until all servers know it
const hook = { url: 'https://hooks.example/', models: ['job'], active: false };
const idOf = ({ document, text }: Answer): string => {
  const { id, _id = id } = document;
  if (typeof _id !== 'string') throw new Error(text);
  return _id;
};
const groups = (method: string): Way => ({
  event: 'groups.changed',
  async request({ user, root, send }) {
    const { user_id } = await user(`of ${method}`.replace(' ', '-'));
    await send('PUT', `/groups/${user_id}`, as(root, { body: { group: 'first' } }));
    return [method, `/groups/${user_id}`, as(root, { body: { group: method === 'DELETE' ? 'first' : 'second' } })];
  },
});

const ways: Readonly<Record<string, Way>> = {
  'groups.add': groups('PUT'),
  'groups.replace': groups('POST'),
  'groups.remove': groups('DELETE'),
  'account.renewApiKey': {
    event: 'apikey.renewed',
    request: async ({ user }) => ['POST', '/login/apikey', as(await user('renews'))],
  },
  'account.changePassword': {
    event: 'password.changed',
    async request({ user }) {
      const caller = await user('changes');
      const { password } = caller;
      return ['POST', '/login/password', as(caller, { body: { password, new_password: 'another password 7' } })];
    },
  },
  'sessions.createJwt': {
    event: 'jwt.created',
    request: async ({ user, root }) => [
      'POST',
      '/login/getjwt',
      as(root, { body: { email: (await user('acted-for')).email } }),
    ],
  },
  'factor.confirm': {
    event: 'factor.enabled',
    async request({ user, send }) {
      const caller = await user('proves');
      const { secret } = (await send('POST', '/login/mfa', as(caller, { body: { password: caller.password } })))
        .document as { secret: string };
      return ['PUT', '/login/mfa', as(caller, { body: { code: codeAt(secret, Date.now()) } })];
    },
  },
  'keys.create': {
    event: 'key.created',
    request: async ({ user }) => ['POST', '/login/keys', as(await user('makes-key'), { body: { name: 'made' } })],
  },
  'keys.remove': {
    event: 'key.removed',
    async request({ user, key }) {
      const caller = await user('removes-key');
      return ['DELETE', `/login/keys/${await key(caller)}`, as(caller)];
    },
  },
  'keys.rotate': {
    event: 'key.rotated',
    async request({ user, key }) {
      const caller = await user('rotates-key');
      return ['POST', `/login/keys/${await key(caller)}/rotate`, as(caller)];
    },
  },
  'webhooks.create': {
    event: 'webhook.created',
    request: ({ root }) => Promise.resolve(['POST', '/webhooks', as(root, { body: hook })]),
  },
  'webhooks.change': {
    event: 'webhook.changed',
    request: async ({ root, webhook }) => [
      'PUT',
      `/webhooks/${await webhook()}`,
      as(root, { body: { description: 'another' } }),
    ],
  },
  'webhooks.remove': {
    event: 'webhook.removed',
    request: async ({ root, webhook }) => ['DELETE', `/webhooks/${await webhook()}`, as(root)],
  },
  'webhooks.rotate': {
    event: 'webhook.rotated',
    request: async ({ root, webhook }) => ['POST', `/webhooks/${await webhook()}/rotate`, as(root)],
  },
  'jobs.remove': {
    event: 'job.removed',
    request: async ({ root, job }) => ['DELETE', `/jobs/${await job('removed')}`, as(root)],
  },
  'jobs.retry': {
    event: 'job.retried',
    request: async ({ root, job }) => ['POST', `/jobs/${await job('retried')}/retry`, as(root)],
  },
  'schedules.pause': {
    event: 'schedule.paused',
    async request({ root, send }) {
      await send('PUT', '/schedules/job.one', as(root, { body: { paused: false } }));
      return ['PUT', '/schedules/job.one', as(root, { body: { paused: true } })];
    },
  },
  'schedules.run': {
    event: 'schedule.run',
    request: ({ root }) => Promise.resolve(['POST', '/schedules/job.two/run', as(root)]),
  },
};

/** Those that a server without users is asked for. */
const ofSetup = ['setup.createAdmin'];

const elsewhere = (operation: Operation): boolean =>
  isWrite(operation) && !isOfModel(operation) && operation.parts === undefined;
const writes = operationGroups.flatMap(({ operations }) => operations).filter(elsewhere);

test('each operation that says whether it has written is tried here', () => {
  const telling = writes.filter(({ tracksProgress }) => tracksProgress === true).map(({ name }) => name);
  expect(telling.sort()).toEqual([...Object.keys(ways), ...ofSetup].sort());
});

test.each(writes.filter(({ tracksProgress }) => tracksProgress !== true).map((one) => [one.name, one] as const))(
  'the others may have written: %s',
  async (_name, operation) => {
    const inTime = timeLimit({ ...operation, timeoutMs: 1 }, 1);
    const context = { progress: makeProgress() } as unknown as Context;
    const late = inTime(context, new AbortController(), () => new Promise<never>(() => undefined));
    const failure: unknown = await late.catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 503, reason: expect.stringContaining('may have been done') });
    expect(failure).not.toHaveProperty('headers.Retry-After');
  },
);

let store: OpenStore;
let line: SlowLine;
let server: TestServer;
let root: Caller;
beforeAll(async () => {
  store = await open({});
  line = await openSlowLine(store);
  server = await startServer({
    models,
    mongodb_url: line.url,
    query_limits: { max_time_ms: limit },
    webhook: { allow: ['127.0.0.1'] },
  });
  root = await makeRoot(server);
});
afterAll(async () => {
  await server.close();
  line.close();
  await store.close();
});

/** Repeats what a loaded machine refuses. */
async function sure(...request: Request): Promise<Answer> {
  let answer = await server.send(...request);
  await until(async () => answer.status < 500 || (answer = await server.send(...request)).status < 500);
  if (answer.status >= 400) throw new Error(`${request.join(' ')}: ${answer.text}`);
  return answer;
}

function roundOf(delayMs: number): Round {
  const admin = (method: string, path: string, body: unknown): Promise<Answer> =>
    sure(method, path, as(root, { body }));
  return {
    root,
    send: sure,
    async user(name) {
      const own = `${name}-${delayMs}`;
      await admin('POST', '/api/user', { name: own, email: emailOf(own), password: passwordOf(own) });
      return logIn(server, own);
    },
    async job(key) {
      await admin('POST', '/call/job/ask', `${key} ${delayMs}`);
      return String(((await sure('GET', '/jobs', as(root))).rows[0] as Document)['id']);
    },
    webhook: async () => idOf(await admin('POST', '/webhooks', hook)),
    key: async (of) => idOf(await sure('POST', '/login/keys', as(of, { body: { name: 'own' } }))),
  };
}

/** How often an event has been recorded; of users with a path of their own, theirs. */
async function recorded(event: string, [, path]: Request): Promise<number> {
  const rows = await internalCollection(server.dossier.services.registry, '_audit').find({ what: event }).toArray();
  return rows.filter(({ whom }) => event !== 'groups.changed' || path.includes(String(whom))).length;
}

/** Waits for what is on its way. */
async function settled(): Promise<void> {
  for (let n = 0; n < 4; n++) {
    await until(() => line.isQuiet());
    await sure('GET', '/setup');
  }
}

/** What an answer says of a write. */
function said({ status, headers, text }: Answer): 'done' | 'not done' | 'unknown' | 'wrong' {
  if (status < 300) return 'done';
  if (status !== 503) return 'wrong';
  if (headers.get('retry-after') !== null) return 'not done';
  return text.includes('may have been done') ? 'unknown' : 'wrong';
}

const seen = new Set<string>();
// for a limit of 200 ms, with 500 more: in time, in a transaction, at its first command, and beyond all limits
needs('transactions').each([[20], [150], [260], [400], [1200]])('over a line of %d ms', async (delayMs) => {
  const round = roundOf(delayMs);
  const trials: { readonly name: string; readonly event: string; readonly sent: Request }[] = [];
  for (const [name, { event, request }] of Object.entries(ways))
    trials.push({ name, event, sent: await request(round) });
  await settled();
  const count = (): Promise<readonly number[]> => Promise.all(trials.map(({ event, sent }) => recorded(event, sent)));
  const before = await count();
  line.slow(delayMs);
  const answers = await Promise.all(trials.map(({ sent }) => server.send(...sent)));
  line.slow(0);
  await settled();
  const after = await count();
  const wrong = trials.flatMap(({ name }, at) => {
    const answer = answers[at] as Answer;
    const verdict = said(answer);
    seen.add(verdict);
    const isDone = Number(after[at]) > Number(before[at]);
    const isRight = verdict === 'unknown' || verdict === (isDone ? 'done' : 'not done');
    return isRight ? [] : [[name, verdict, isDone, answer.status, answer.text]];
  });
  expect(wrong).toEqual([]);
});

needs('transactions')('writes that were done, and that were not, were said to be', async () => {
  expect([...seen]).toEqual(expect.arrayContaining(['done', 'not done']));
  return Promise.resolve();
});

needs('transactions')('a first admin is made, or not, as the answer says', async () => {
  const first = { name: 'root', email: emailOf('root'), password: passwordOf('root') };
  for (const delayMs of [150, 400]) {
    const mongodb_url = line.url.replace('/?', `/setup${delayMs}?`);
    const empty = await startServer({ models, mongodb_url, query_limits: { max_time_ms: limit } });
    line.slow(delayMs);
    const answer = await empty.post('/setup', first);
    line.slow(0);
    await until(() => line.isQuiet());
    const { needed } = (await empty.get('/setup')).body;
    await empty.close();
    if (said(answer) !== 'unknown')
      expect([said(answer), needed]).toEqual([needed === true ? 'not done' : 'done', needed]);
  }
});
