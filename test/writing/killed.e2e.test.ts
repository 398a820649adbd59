/**
 * After a kill in the middle, all or nothing is stored: of a cascade, and of a change with its record in the audit log.
 * `DURABILITY_KILLS=20` runs it longer.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { send as request } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { writeModels } from '../support/models.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';

/** Two cascades: the one that marks documents as deleted, and the one that removes them. */
const { DURABILITY_KILLS: cascades = '2', DURABILITY_KILLS: changes = '1' } = process.env;
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
