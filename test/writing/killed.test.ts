/**
 * After a kill in the middle, all or nothing is stored: of a cascade, and of a change with its record in the audit log.
 * `DURABILITY_KILLS=20` runs it longer.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { send as request } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { writeModels } from '../support/models.ts';
import { startProcess } from '../support/process.ts';

const kills = Number(process.env['DURABILITY_KILLS'] ?? 2);
const rows = 1000;
const admin = { ADMIN_EMAIL: 'root@x.test', ADMIN_PASSWORD: 'pw-root-1', BCRYPT_COST: '4', THROTTLE_ENABLED: 'false' };

test(
  'a cascade deletes all documents or none',
  async () => {
    const models = await writeModels({
      page: ({ Schema, ObjectId }) =>
        new Schema({ n: Number, parent_id: { type: ObjectId, link: 'page' } }, {
          advanced_queries: { bulkwrite: true },
        } as object),
    });
    const folder = await mkdtemp(join(tmpdir(), 'killed-'));
    const start = () => startProcess({ ...admin, MODELS_DIR: models.folder, DATA_DIR: folder });
    let server = await start();
    const send = async (method: string, path: string, body?: unknown) =>
      (await request(method, server.url + path, { body, headers: rootBasic })).body;
    try {
      for (let kill = 0; kill < kills; kill++) {
        const root = (await send('POST', '/api/page', { n: -1 - kill }))['data']._id as string;
        const documents = Array.from({ length: rows - 1 }, (_, n) => ({
          insertOne: { document: { n, parent_id: root } },
        }));
        expect((await send('POST', '/bulkwrite/page', documents))['status']).toBe('ok');
        const flags = kill % 2 === 0 ? '_cascade=1' : '_cascade=1&_permaDelete=1';
        const deletion = send('DELETE', `/api/page/${root}?${flags}`).catch(() => undefined);
        await later(Math.random() * 150);
        await server.stop('SIGKILL');
        await deletion;
        server = await start();
        const { count } = await send(
          'GET',
          `/count/page?filter[$or][0][parent_id]=${root}&filter[$or][1][_id]=${root}`,
        );
        expect([0, rows]).toContain(count);
      }
    } finally {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
      await models.remove();
    }
  },
  20_000 * kills,
);

test(
  'changes of users are stored with their records in the audit log',
  async () => {
    const models = await writeModels({});
    const folder = await mkdtemp(join(tmpdir(), 'killed-audit-'));
    const start = () => startProcess({ ...admin, MODELS_DIR: models.folder, DATA_DIR: folder });
    let server = await start();
    const send = async (method: string, path: string, body?: unknown) =>
      (await request(method, server.url + path, { body, headers: rootBasic })).body;
    try {
      for (let kill = 0; kill < kills; kill++) {
        const user = (await send('POST', '/api/user', { email: `u${kill}@x.test`, password: 'pw-u-1' }))['data']
          ._id as string;
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
        const { count } = await send(
          'GET',
          `/audit?count=true&limit=1&filter[whom]=${user}&filter[what]=groups.changed`,
        );
        expect(count).toBe(groups.length);
        expect(groups.length).toBeGreaterThanOrEqual(acknowledged);
      }
    } finally {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
      await models.remove();
    }
  },
  20_000 * kills,
);
