/** The outbox, under load: groups that hang hold up no others, a database that takes no writes costs no attempts, and commands are shared. */
import { beforeEach, expect, test } from '@jest/globals';
import { outOfStorage, readOnly, unavailable } from '../../src/errors/errors.ts';
import type { Feature } from '../../src/features/feature.ts';
import { features } from '../../src/features/index.ts';
import { outboxKind } from '../../src/features/ports.ts';
import { internalCollection, type Row } from '../../src/models/mongoose.ts';
import type { Entry, RunOutcome } from '../../src/outbox/contract.ts';
import { provide } from '../../src/ports/port.ts';
import { openMonitored } from '../support/database.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

type Run = (entry: Entry, signal: AbortSignal) => Promise<RunOutcome>;
const ok: RunOutcome = { status: 'ok' };
let run: Run;
let running: string[] = [];
let ended: string[] = [];

const parcels: Feature = {
  name: 'parcels',
  provides: [
    provide(outboxKind, () => ({
      kind: 'parcel',
      concurrency: 6,
      groupConcurrency: 3,
      slowAfterMs: 200,
      keepMs: 60_000,
      async run(entry, signal) {
        running.push(entry.group);
        try {
          return await run(entry, signal);
        } finally {
          running.splice(running.indexOf(entry.group), 1);
          ended.push(entry.group);
        }
      },
    })),
  ],
};
let now = new Date('2056-03-01T12:00:00Z').getTime();
const start = (more: object = {}): Promise<TestServer> =>
  startServer({ features: [...features, parcels], clock: () => new Date(now), ...more });
const add = (server: TestServer, groups: readonly string[], lanes = false): Promise<unknown> =>
  server.dossier.services.outbox.add(
    groups.map((group, at) => ({ kind: 'parcel', group, data: {}, ...(lanes ? { lane: `lane ${at}` } : {}) })),
  );
const rowsOf = (server: TestServer): Promise<readonly Row[]> =>
  internalCollection(server.dossier.services.registry, '_outbox').find({ kind: 'parcel' }).toArray();
const countOf = (group: string): number => ended.filter((one) => one === group).length;

beforeEach(() => void ([running, ended] = [[], []]));

test('groups that hang hold up no others, and have one place each when they have failed', async () => {
  const server = await start();
  const hanging = ['h1', 'h2', 'h3', 'h4'];
  let fail: () => void = () => undefined;
  const answered = new Promise<void>((done) => (fail = done));
  run = async ({ group }) => {
    if (!hanging.includes(group)) return ok;
    await answered;
    return { status: 'waiting', due: new Date(now + 1000) };
  };
  await add(
    server,
    hanging.flatMap((group) => [group, group, group, group]),
  );
  await until(() => running.length >= 6);
  await add(
    server,
    Array.from({ length: 30 }, () => 'healthy'),
  );
  await until(() => countOf('healthy') === 30);
  expect(hanging.map(countOf)).toEqual([0, 0, 0, 0]);
  fail();
  await until(() => running.length === 0 && hanging.every((group) => countOf(group) >= 4));
  // they hang again, when their time has come
  let release: () => void = () => undefined;
  const held = new Promise<void>((done) => (release = done));
  run = ({ group }) => (hanging.includes(group) ? held.then(() => ok) : Promise.resolve(ok));
  ended = [];
  now += 2000;
  await add(
    server,
    Array.from({ length: 30 }, () => 'healthy'),
  );
  await until(() => countOf('healthy') === 30 && running.length === 3);
  expect([...running].sort()).toEqual([...new Set(running)].sort());
  release();
  await until(() => hanging.every((group) => countOf(group) === 4));
  await server.close();
});

test.each([
  ['away', unavailable()],
  ['full', outOfStorage('the disk of the database is full or refuses writes')],
  ['read-only', readOnly()],
  ['full, as the cause of another error', new Error('the report failed', { cause: outOfStorage('full') })],
])('a database that is %s costs no attempt', async (_name, error) => {
  const server = await start();
  let attempts = 0;
  run = (entry) => {
    attempts = entry.attempts;
    return Promise.reject(error);
  };
  await add(server, ['g']);
  for (let tries = 1; tries <= 4; tries++) {
    await until(async () => ended.length === tries && (await rowsOf(server))[0]?.['status'] === 'waiting');
    expect([attempts, (await rowsOf(server))[0]?.['attempts']]).toEqual([1, 0]);
    now += 3_600_000;
    server.dossier.services.outbox.committed();
  }
  expect(server.log.filter((line) => line.includes('running a parcel failed'))).toEqual([]);
  run = () => Promise.resolve(ok);
  await until(async () => {
    now += 3_600_000;
    server.dossier.services.outbox.committed();
    return (await rowsOf(server))[0]?.['status'] === 'ok';
  });
  await server.close();
});

/** The commands for the outbox while entries run, and the looks for entries of each kind among them. */
interface Sent {
  all: number;
  readonly looks: Record<string, number>;
}

function note(sent: Sent, command: Row): void {
  if (!JSON.stringify(command).includes('_dossier_outbox')) return;
  sent.all++;
  const kind = (command['filter'] as Row | undefined)?.['kind'];
  if (typeof kind === 'string') sent.looks[kind] = (sent.looks[kind] ?? 0) + 1;
}

/** Lets runs wait until all places are filled. @param endAll ends them: how many share a command does not depend on the time that runs take */
function holdUntilFull(endAll: (ends: readonly (() => void)[]) => void): void {
  let waiting: (() => void)[] = [];
  run = () =>
    new Promise((done) => {
      waiting.push(() => done(ok));
      if (waiting.length < 6) return;
      const all = waiting;
      waiting = [];
      endAll(all);
    });
}

async function sentFor(total: number): Promise<Sent> {
  const database = await openMonitored();
  const server = await start({ mongodb_url: database.mongodb_url });
  const sent: Sent = { all: 0, looks: {} };
  const groups = Array.from({ length: total }, (_, at) => `g${at}`);
  await add(server, groups, true);
  server.dossier.services.connection
    .getClient()
    .on('commandStarted', ({ command }: { readonly command: Row }) => note(sent, command));
  await until(() => ended.length === total);
  const counted = { ...sent, looks: { ...sent.looks } };
  await server.close();
  await database.close();
  return counted;
}

const together = (ends: readonly (() => void)[]): void => ends.forEach((end) => end());
function oneByOne([end, ...others]: readonly (() => void)[]): void {
  end?.();
  if (others.length > 0) setImmediate(() => oneByOne(others));
}

test.each([
  ['together', together],
  ['one after another', oneByOne],
])('entries that are due at once share commands where runs end %s', async (_name, endAll) => {
  holdUntilFull(endAll);
  const { all, looks } = await sentFor(96);
  // sixteen batches, with six to eight commands each; one by one there were six for each entry
  expect(all).toBeLessThan(2 * 96);
  // the end of a run looks for others of its kind only
  expect(2 * (looks['webhook'] ?? 0)).toBeLessThan(looks['parcel'] ?? 0);
});
