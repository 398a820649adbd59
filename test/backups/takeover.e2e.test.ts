/** A planned backup whose server is killed in it: another server of the same store makes it in its place. */
import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest } from '@jest/globals';
import { open } from 'dossier-store';
import { backupModel } from '../../src/features/backups/model.ts';
import { internalCollection } from '../../src/models/mongoose.ts';
import type { Document } from '../support/client.ts';
import { writeModels } from '../support/models.ts';
import { onPosix } from '../support/needs.ts';
import { startProcess } from '../support/process.ts';
import { startServer } from '../support/server.ts';
import { shorten, until } from '../support/waiting.ts';

const folder = mkdtempSync(join(tmpdir(), 'backups-taken-over-'));
const [data, backups] = [join(folder, 'data'), join(folder, 'backups')];
const secret = 'the secret of all servers, which is long enough';
let store: Awaited<ReturnType<typeof open>>;
beforeAll(async () => {
  store = await open({ dir: data });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** Kills the process when a backup is complete and is about to get its name. */
const killer = `import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
const { rename } = promises;
promises.rename = (from, to) => {
  if (String(to).endsWith('.backup')) process.kill(process.pid, 'SIGKILL');
  return rename(from, to);
};
syncBuiltinESMExports();`;

onPosix(
  'a planned backup whose server is killed in it is made by another one, once',
  async () => {
    // the longest pause between two looks, 30 s, is 0.3 s
    shorten(30_000, 100);
    let ahead = 0;
    const other = await startServer({
      ...{ mongodb_url: store.url, shared_secret: secret, data_dir: data, clock: () => new Date(Date.now() + ahead) },
      // none of its own
      backup: { dir: backups, schedule: '0 0 29 2 *' },
    });
    const rows = internalCollection(other.dossier.services.registry, `_${backupModel.name}`);
    const found = async (): Promise<readonly Document[]> => await rows.find({}).sort({ at: 1 }).toArray();
    const models = await writeModels({});
    const killed = await startProcess({
      ...{ MONGODB_URL: store.url, SHARED_SECRET: secret, DATA_DIR: data, MODELS_DIR: models.folder },
      ...{ BACKUP_DIR: backups, BACKUP_SCHEDULE: '* * * * * *' },
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(killer)}`,
    });
    expect(await killed.ended).toBeNull();
    const [left, ...more] = await found();
    expect([left?.['outcome'], more]).toEqual([undefined, []]);
    expect((await readdir(backups)).filter((name) => name.endsWith('.backup'))).toEqual([]);
    // its lease has ended then
    ahead = 16_000;
    await until(async () => (await found()).some(({ outcome }) => outcome === 'ok'));
    const [interrupted, made, ...others] = await found();
    expect(others).toEqual([]);
    const { planned } = left as Document;
    expect(interrupted).toMatchObject({ _id: left?.['_id'], planned, outcome: 'interrupted' });
    expect(made).toMatchObject({ planned, outcome: 'ok' });
    expect(await readdir(backups)).toEqual([made?.['_id']]);
    jest.restoreAllMocks();
    await other.close();
    await models.remove();
  },
  300_000,
);
