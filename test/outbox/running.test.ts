/** The outbox: entries are written with a write, and run after its commit: once at a time, in the order of their lane, until they end. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Context } from '../../src/context.ts';
import type { Feature } from '../../src/features/feature.ts';
import { features } from '../../src/features/index.ts';
import { outboxKind } from '../../src/features/ports.ts';
import { internalCollection, type Row } from '../../src/models/mongoose.ts';
import { json } from '../../src/operations/answer.ts';
import { adminAccess } from '../../src/operations/operation.ts';
import type { Entry, NewEntry, RunOutcome } from '../../src/outbox/contract.ts';
import { provide } from '../../src/ports/port.ts';
import { record } from '../../src/write/mutation/record.ts';
import { transaction } from '../../src/write/transaction.ts';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

type Run = (entry: Entry, signal: AbortSignal) => Promise<RunOutcome>;

/** The runs in the order of their ends, and how many took place at once. */
let ended: string[] = [];
let running: string[] = [];
let atOnce: Record<string, number> = {};
const ok: Run = () => Promise.resolve({ status: 'ok' });
let run: Run = ok;

const count = (lane: string): void => {
  atOnce[lane] = Math.max(atOnce[lane] ?? 0, running.filter((one) => one === lane).length);
};

const parcels: Feature = {
  name: 'parcels',
  provides: [
    provide(outboxKind, () => ({
      kind: 'parcel',
      concurrency: 6,
      groupConcurrency: 4,
      keepMs: 1000,
      async run(entry, signal) {
        const { lane = 'none', group } = entry;
        running.push(lane, group);
        count(lane);
        count(group);
        try {
          const outcome = await run(entry, signal);
          if (outcome.status !== 'waiting') ended.push(String(entry.data['name']));
          return outcome;
        } finally {
          for (const one of [lane, group]) running.splice(running.indexOf(one), 1);
        }
      },
    })),
  ],
  operations: [
    {
      title: 'Parcels',
      operations: [
        {
          name: 'parcels.add',
          http: { method: 'POST', path: '/parcels' },
          summary: 'Adds parcels in one unit of work',
          access: adminAccess,
          answers: { 200: { type: 'object' } },
          async run(context: Context) {
            const { services } = context;
            const { parcels: added, fails } = context.body as { parcels: NewEntry[]; fails?: boolean };
            const actor = { services, unit: undefined };
            await transaction(actor, ({ unit }) => {
              for (const entry of added) record(unit, services.outbox, { ...entry, kind: 'parcel' });
              if (fails === true) throw new Error('it fails');
              return Promise.resolve();
            }).catch(() => undefined);
            return json({ status: 'ok' });
          },
        },
      ],
    },
  ],
};

let now = new Date('2056-03-01T12:00:00Z').getTime();
let server: TestServer;
const rows = () => internalCollection(server.dossier.services.registry, '_outbox');
const add = async (parcels: readonly object[], more: object = {}): Promise<void> => {
  const all = parcels.map((parcel) => ({ group: 'g', data: {}, ...parcel }));
  expect((await server.post('/parcels', { parcels: all, ...more }, { headers: rootBasic })).status).toBe(200);
};
const named = (name: string, more: object = {}): object => ({ data: { name }, ...more });
const { stringify } = JSON;
const untilEnded = (number: number): Promise<void> =>
  until(
    () => ended.length >= number,
    () => `ended: ${stringify(ended)}`,
  );
const statuses = async (): Promise<unknown[]> =>
  ((await rows().find({}).sort({ _id: 1 }).toArray()) as Row[]).map(({ status }) => status);
const pass = (ms: number): void => {
  now += ms;
  server.dossier.services.outbox.committed();
};

beforeAll(async () => {
  const all = { features: [...features, parcels], clock: () => new Date(now) };
  server = await startServer({
    ...all,
    models: { 'note.js': `module.exports = new (require('mongoose').Schema)({});` },
  });
  await server.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
});

beforeEach(async () => {
  run = ok;
  await until(() => running.length === 0);
  await rows().deleteMany({});
  [ended, running, atOnce] = [[], [], {}];
});

describe('entries of the outbox', () => {
  test('run after the commit of their unit, and not when it fails', async () => {
    await add([named('one'), named('two')]);
    await untilEnded(2);
    await add([named('three')], { fails: true });
    await add([named('four')]);
    await untilEnded(3);
    expect(ended.sort()).toEqual(['four', 'one', 'two']);
    await until(async () => (await statuses()).every((status) => status === 'ok'));
    const [row] = (await rows().find({}).toArray()) as Row[];
    expect(row).toMatchObject({ attempts: 1, group: 'g', expires: new Date(now + 1000) });
    expect(Object.keys(row ?? {})).not.toContain('due');
  });

  test('of one lane run in order, one at a time; others beside them, up to the limits', async () => {
    run = async () => {
      await new Promise((done) => setTimeout(done, 5));
      return { status: 'ok' };
    };
    const lanes = ['a', 'b', 'c', 'd', 'e'];
    const all = [0, 1, 2, 3].flatMap((n) => lanes.map((lane) => named(`${lane}${n}`, { lane })));
    for (const entry of all) await add([entry]);
    await untilEnded(20);
    for (const lane of lanes) {
      expect(ended.filter((name) => name.startsWith(lane))).toEqual([0, 1, 2, 3].map((n) => `${lane}${n}`));
      expect(atOnce[lane]).toBe(1);
    }
    expect(atOnce['g']).toBeLessThanOrEqual(4);
  });

  test('that have to wait hold up their lane, and no other', async () => {
    const tries: string[] = [];
    run = (entry) => {
      const name = String(entry.data['name']);
      tries.push(`${name} ${entry.attempts}`);
      const waits = name === 'first' && entry.attempts < 3;
      return Promise.resolve(
        waits ? { status: 'waiting', due: new Date(now + 60_000), set: { seen: 1 } } : { status: 'ok' },
      );
    };
    await add([named('first', { lane: 'x' })]);
    await until(() => tries.length === 1);
    await add([named('second', { lane: 'x' }), named('third', { lane: 'x' }), named('other', { lane: 'y' })]);
    await untilEnded(1);
    expect(ended).toEqual(['other']);
    pass(60_001);
    await until(() => tries.includes('first 2'));
    pass(60_001);
    await untilEnded(4);
    expect(ended).toEqual(['other', 'first', 'second', 'third']);
    expect(((await rows().findOne({ 'data.name': 'first' })) as Row)['data']).toEqual({ name: 'first', seen: 1 });
  });

  test('wait until they are due', async () => {
    await add([named('later', { due: undefined }), named('now')]);
    await untilEnded(2);
    const { outbox } = server.dossier.services;
    await outbox.write([{ kind: 'parcel', group: 'g', due: new Date(now + 5000), data: { name: 'due' } }], undefined);
    pass(4000);
    await add([named('next')]);
    await untilEnded(3);
    expect(ended).not.toContain('due');
    pass(1001);
    await untilEnded(4);
    expect(ended.at(-1)).toBe('due');
  });

  test('with a key are one while that waits', async () => {
    const { outbox } = server.dossier.services;
    const due = new Date(now + 5000);
    const keyed = (name: string): NewEntry => ({ kind: 'parcel', group: 'g', key: 'parcel k', due, data: { name } });
    await Promise.all([1, 2, 3].map(() => outbox.write([keyed('once')], undefined)));
    await outbox.write([keyed('twice')], undefined);
    pass(5001);
    await untilEnded(1);
    await until(async () => stringify(await statuses()) === '["ok"]');
    await outbox.write([keyed('again')], undefined);
    await untilEnded(2);
    expect(ended).toEqual(['once', 'again']);
  });

  test('whose run fails run again later, and the log has the error', async () => {
    run = ({ attempts }) =>
      attempts === 1 ? Promise.reject(new Error('no ink')) : ok({} as Entry, new AbortController().signal);
    await add([named('failing')]);
    await until(() => server.log.join('').includes('no ink'));
    await until(async () => stringify(await statuses()) === '["waiting"]');
    pass(10_001);
    await untilEnded(1);
  });

  test('that another process has claimed run when that claim ends, after it in their lane', async () => {
    const claimed = { status: 'running', claim: 'theirs', process: 'other', due: new Date(now + 15_000) };
    await add([named('lost', { lane: 'z', due: new Date(now + 999_999).toISOString() })]);
    await rows().updateOne({ 'data.name': 'lost' }, { $set: claimed });
    await add([named('behind', { lane: 'z' }), named('beside', { lane: 'w' })]);
    await untilEnded(1);
    pass(14_000);
    await add([named('more')]);
    await untilEnded(2);
    expect(ended).toEqual(['beside', 'more']);
    pass(1100);
    await untilEnded(4);
    expect(ended).toEqual(['beside', 'more', 'lost', 'behind']);
  });

  test('are listed, removed and repeated', async () => {
    const { outbox } = server.dossier.services;
    run = ({ data }) => Promise.resolve({ status: data['name'] === 'bad' ? 'dead' : 'ok', set: { code: 7 } });
    await add([named('good', { group: 'p' }), named('bad', { group: 'q' })]);
    await untilEnded(2);
    await until(async () => !(await statuses()).includes('running'));
    const [dead] = await outbox.list({ kind: 'parcel', statuses: ['dead'], limit: 5 });
    expect(dead).toMatchObject({ group: 'q', status: 'dead', attempts: 1, data: { name: 'bad', code: 7 } });
    expect(await outbox.find('parcel', dead?.id ?? '')).toEqual(dead);
    expect(await outbox.find('other', dead?.id ?? '')).toBeUndefined();
    run = ok;
    expect(await outbox.repeat({ kind: 'parcel', statuses: ['dead'] }, () => 'lane')).toBe(1);
    await untilEnded(3);
    await until(async () => stringify((await statuses()).sort()) === '["ok","ok"]');
    await outbox.write([{ kind: 'parcel', group: 'q', due: new Date(now + 9e6), data: { name: 'x' } }], undefined);
    const [waiting] = await outbox.list({ kind: 'parcel', statuses: ['waiting'], limit: 5 });
    expect(await outbox.removeWaiting('parcel', dead?.id ?? '')).toBe(false);
    expect(await outbox.removeWaiting('parcel', waiting?.id ?? '')).toBe(true);
    await outbox.removeGroup('parcel', 'q');
    expect((await outbox.list({ kind: 'parcel', limit: 5 })).map(({ group }) => group)).toEqual(['p']);
  });

  test('that run when the server stops are given back', async () => {
    let aborted = false;
    run = (_entry, signal) =>
      new Promise((_done, fail) => {
        signal.addEventListener('abort', () => {
          aborted = true;
          fail(new Error('aborted'));
        });
      });
    const other = await startServer({ features: [...features, parcels] });
    const { outbox, registry } = other.dossier.services;
    await outbox.write([{ kind: 'parcel', group: 'g', lane: 'stopped', data: { name: 'stopped' } }], undefined);
    await until(() => running.includes('stopped'));
    const written: unknown[] = [];
    const collection = internalCollection(registry, '_outbox');
    const updateOne = collection.updateOne.bind(collection);
    collection.updateOne = (...given: Parameters<typeof updateOne>) => {
      written.push(given[1]);
      return updateOne(...given);
    };
    await other.close();
    expect(aborted).toBe(true);
    expect(written).toEqual([expect.objectContaining({ $set: expect.objectContaining({ status: 'waiting' }) })]);
  });
});
