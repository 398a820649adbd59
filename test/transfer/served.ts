/** What serves a data folder to writers: a store alone, a server, a server with workers, and `dossier store`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { MongoClient, ObjectId } from 'mongodb';
import { send } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { startProcess } from '../support/process.ts';

export interface Served {
  /** Stores a document. @throws when it is not acknowledged */
  save(id: string, n: number, isNew: boolean): Promise<void>;
  /** Deletes it permanently. @throws when it is not acknowledged */
  remove(id: string): Promise<void>;
  /** Ends the process. */
  stop(signal: NodeJS.Signals): Promise<unknown>;
}

interface Database {
  readonly name: string;
  /** How many copies a short run makes. */
  readonly steps: number;
  /** Whether commands of a project read its folder. */
  readonly isProject: boolean;
  readonly start: (dir: string, models: string) => Promise<Served>;
}

/** The variables of a server, and of the commands beside it. */
export const environmentOf = (dir: string): Readonly<Record<string, string>> => ({
  ...{ ADMIN_EMAIL: 'root@x.test', ADMIN_PASSWORD: 'pw-root-1', BCRYPT_COST: '4', THROTTLE_ENABLED: 'false' },
  DATA_DIR: dir,
});

async function startServer(dir: string, models: string, workers: string): Promise<Served> {
  const server = await startProcess({ ...environmentOf(dir), MODELS_DIR: models, WORKERS: workers });
  if (server.url === '') throw new Error(server.printed());
  const ask = async (method: string, path: string, body?: object): Promise<void> => {
    const { status } = await send(method, `${server.url}/api/book${path}`, { body, headers: rootBasic });
    if (status >= 300) throw new Error(`${method} is ${status}`);
  };
  return {
    save: (id, n, isNew) => (isNew ? ask('POST', '', { _id: id, n }) : ask('PUT', `/${id}`, { n })),
    remove: (id) => ask('DELETE', `/${id}?_permaDelete=1`),
    stop: server.stop,
  };
}

/** Of `dossier store`. */
const password = 'pw-of-writers';

/** A process that prints the address of a store. */
async function startStore(args: readonly string[], address: RegExp): Promise<Served> {
  const child: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const url = await new Promise<string>((found, fail) => {
    if (child.stdout !== null)
      createInterface({ input: child.stdout }).on('line', (line) => {
        const [, printed] = address.exec(line) ?? [];
        // a password that is given is not printed
        if (printed !== undefined) found(printed.replace('PASSWORD', password));
      });
    child.once('exit', (code) => fail(new Error(`the store ended with ${String(code)}`)));
  });
  const client = await MongoClient.connect(url, { retryWrites: false, serverSelectionTimeoutMS: 500 });
  const books = client.db().collection('books');
  return {
    save: async (id, n) => {
      await books.updateOne({ _id: new ObjectId(id) }, { $set: { n } }, { upsert: true });
    },
    remove: async (id) => {
      await books.deleteOne({ _id: new ObjectId(id) });
    },
    stop: async (signal) => {
      child.kill(signal);
      await ended;
      await client.close();
    },
  };
}

/** So little that the store writes one checkpoint after the other. */
const smallLimits = JSON.stringify({ logBytes: 500, dirtyBytes: 5000 });

export const databases: readonly Database[] = [
  {
    name: 'a store during its checkpoints',
    steps: 8,
    isProject: false,
    start: (dir) =>
      startStore(
        ['--import', 'tsx', 'packages/store/test/engine/durability-child.ts', dir, smallLimits],
        /^(mongo.+)$/,
      ),
  },
  { name: 'a server', steps: 5, isProject: true, start: (dir, models) => startServer(dir, models, '1') },
  { name: 'a server with workers', steps: 3, isProject: true, start: (dir, models) => startServer(dir, models, '2') },
  {
    name: 'dossier store',
    steps: 3,
    isProject: true,
    start: (dir) =>
      startStore(
        [resolve('bin/dossier.mjs'), 'store', '--port', '0', '--data', dir, '--password', password],
        /^MONGODB_URL=(\S+)$/,
      ),
  },
];
