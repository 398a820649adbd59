/**
 * After a kill in the middle, all or nothing is stored: of a cascade, of a change with its record in the audit log, and of writes with what
 * `changed` writes for them.
 * `DURABILITY_KILLS=20` runs it longer, and `KILLED_WRITES=10000` with so many writes whose `changed` writes.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ChangedEvent } from '../../src/index.ts';
import { send as request } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { writeModels } from '../support/models.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';

/** Two cascades: the one that marks documents as deleted, and the one that removes them. */
const {
  DURABILITY_KILLS: cascades = '2',
  DURABILITY_KILLS: changes = '1',
  KILLED_WRITES: causedWrites = '40',
} = process.env;
/** Writes that are acknowledged before a kill, and kills after which what `changed` has written is counted. */
const writesBefore = { least: 20, most: 200 };
const { DURABILITY_KILLS: causes = String(Math.max(2, Math.ceil(Number(causedWrites) / writesBefore.most))) } =
  process.env;
const writesOfOne = Math.max(writesBefore.least, Math.ceil(Number(causedWrites) / Number(causes)));
const nths = (count: string): readonly number[] => Array.from({ length: Number(count) }, (_, nth) => nth);
const rows = 1000;
const admin = { ADMIN_EMAIL: 'root@x.test', ADMIN_PASSWORD: 'pw-root-1', BCRYPT_COST: '4', THROTTLE_ENABLED: 'false' };

let models: Awaited<ReturnType<typeof writeModels>>;
let folder: string;
let server: ServerProcess;

const start = (): Promise<ServerProcess> =>
  startProcess({ ...admin, MODELS_DIR: models.folder, DATA_DIR: join(folder, 'data') });

beforeAll(async () => {
  models = await writeModels({
    page: ({ Schema, ObjectId }) =>
      new Schema({ n: Number, parent_id: { type: ObjectId, link: 'page' } }, {
        advanced_queries: { bulkwrite: true },
      } as object),
    cause: ({ Schema }) =>
      new Schema({ n: Number }, {
        advanced_queries: { bulkwrite: true },
        changed: async ({ id, after, api }: ChangedEvent) => {
          await api.model('effect').create({ of: id, n: after?.['n'] });
        },
      } as object),
    effect: ({ Schema }) => new Schema({ of: String, n: Number }),
  });
  folder = await mkdtemp(join(tmpdir(), 'killed-'));
  server = await start();
});
afterAll(async () => {
  await server.stop('SIGKILL');
  await rm(folder, { recursive: true, force: true });
  await models.remove();
});

const send = async (method: string, path: string, body?: unknown): Promise<Record<string, any>> =>
  (await request(method, server.url + path, { body, headers: rootBasic })).body;

/** All documents of a model, with one field. */
async function all(model: string, field: string): Promise<readonly Record<string, any>[]> {
  const found: Record<string, any>[] = [];
  for (let after = ''; ;) {
    const { data, next_cursor: next } = await send('GET', `/api/${model}?limit=1000&fields=${field}${after}`);
    found.push(...data);
    if (next === undefined) return found;
    after = `&after=${String(next)}`;
  }
}

const idOf = ({ data }: Record<string, any>): string => String(data._id);

/** A page with pages below it. @returns its id */
async function makeTree(): Promise<string> {
  const root = idOf(await send('POST', '/api/page', { n: -1 }));
  const documents = Array.from({ length: rows - 1 }, (_, n) => ({ insertOne: { document: { n, parent_id: root } } }));
  expect((await send('POST', '/bulkwrite/page', documents))['status']).toBe('ok');
  return root;
}

test.each(nths(cascades))(
  'a cascade deletes all documents or none: kill %i',
  async (nth) => {
    const root = await makeTree();
    const flags = nth % 2 === 0 ? '_cascade=1' : '_cascade=1&_permaDelete=1';
    const deletion = send('DELETE', `/api/page/${root}?${flags}`).catch(() => undefined);
    await later(Math.random() * 150);
    await server.stop('SIGKILL');
    await deletion;
    server = await start();
    const { count } = await send('GET', `/count/page?filter[$or][0][parent_id]=${root}&filter[$or][1][_id]=${root}`);
    expect([0, rows]).toContain(count);
  },
  180_000,
);

test.each(nths(changes))(
  'changes of users are stored with their records in the audit log: kill %i',
  async (nth) => {
    const user = idOf(await send('POST', '/api/user', { email: `u${nth}@x.test`, password: 'pw-u-1' }));
    let acknowledged = 0;
    let isKilled = false;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const changing = (async () => {
      for (let nth = 1; !isKilled; nth++) {
        await send('PUT', `/groups/${user}`, [`g${nth}`]);
        acknowledged = nth;
        if (nth === 3) begin();
      }
    })().catch(() => undefined);
    await begun;
    await later(Math.random() * 50);
    const killed = server.stop('SIGKILL');
    isKilled = true;
    await Promise.all([killed, changing]);
    server = await start();
    const { groups } = (await send('GET', `/groups/${user}`))['data'] as { groups: readonly string[] };
    const path = `/audit?count=true&limit=1&filter[whom]=${user}&filter[what]=groups.changed`;
    expect((await send('GET', path))['count']).toBe(groups.length);
    expect(groups.length).toBeGreaterThanOrEqual(acknowledged);
  },
  180_000,
);

/** Writes of all kills that were acknowledged. */
let acknowledgedWrites = 0;

test.each(nths(causes))(
  'each write has what `changed` writes for it, and nothing else: kill %i',
  async (nth) => {
    let isKilled = false;
    let written = 0;
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    /** Creates, changes, and writes in bulk, one after the other, beside the other lanes. */
    const lane = async (): Promise<void> => {
      while (!isKilled) {
        const id = idOf(await send('POST', '/api/cause', { n: nth }));
        await send('PUT', `/api/cause/${id}`, { n: 1000 + written });
        const documents = [1, 2].map((n) => ({ insertOne: { document: { n } } }));
        await send('POST', '/bulkwrite/cause', [
          ...documents,
          { updateOne: { filter: { _id: id }, update: { n: 7 } } },
        ]);
        written += 5;
        if (written >= writesOfOne) begin();
      }
    };
    const lanes = [1, 2, 3, 4].map(() => lane().catch(() => undefined));
    await begun;
    await later(Math.random() * 100);
    const killed = server.stop('SIGKILL');
    isKilled = true;
    await Promise.all([killed, ...lanes]);
    server = await start();
    const [causesStored, effects] = [await all('cause', '__v'), await all('effect', 'of')];
    const counts = new Map<string, number>();
    for (const { of } of effects as readonly { of: string }[]) counts.set(of, (counts.get(of) ?? 0) + 1);
    // each write has raised the revision by one
    const expected = (causesStored as readonly { _id: string; __v: number }[]).map(
      ({ _id, __v }) => [_id, __v + 1] as const,
    );
    expect([...counts].sort()).toEqual([...expected].sort());
    acknowledgedWrites += written;
    expect(effects.length).toBeGreaterThanOrEqual(acknowledgedWrites);
  },
  180_000,
);
