/** A server process that is killed over a data folder of its own. A server in this process, which starts faster, serves what it leaves. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ModelFiles, writeModels } from './models.ts';
import { startProcess } from './process.ts';
import { startServer, type TestServer } from './server.ts';

export interface Killable {
  readonly url: string;
  /** Kills it. @returns a server over its data */
  readonly kill: () => Promise<TestServer>;
  /** Ends what runs, and removes the data. */
  readonly remove: () => Promise<void>;
}

/** Starts a server with an embedded store, and the admin of `rootBasic`. */
export async function startKillable(models: ModelFiles): Promise<Killable> {
  const files = await writeModels(models);
  const folder = await mkdtemp(join(tmpdir(), 'killed-'));
  const child = await startProcess({
    ...{ ADMIN_EMAIL: 'root@x.test', ADMIN_PASSWORD: 'pw-root-1', BCRYPT_COST: '4', THROTTLE_ENABLED: 'false' },
    ...{ MODELS_DIR: files.folder, DATA_DIR: folder },
  });
  let after: TestServer | undefined;
  return {
    url: child.url,
    kill: async () => {
      await child.stop('SIGKILL');
      after = await startServer({ models: files.folder, data_dir: folder, inMemory: false, mongodb_url: undefined });
      return after;
    },
    remove: async () => {
      await child.stop('SIGKILL');
      await after?.close();
      await rm(folder, { recursive: true, force: true });
      await files.remove();
    },
  };
}
