/** A store that has stopped permanently ends its process with the exit code 3 and a reason, so that a supervisor starts another one. */
import { closeSync, existsSync, fstatSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { type CommandProcess, startProgram } from '../../packages/store/test/server/command-process.ts';
import { send } from '../support/client.ts';
import { writeModels } from '../support/models.ts';

const storeStopped = 3;
const text = 'x'.repeat(500_000);

let folder: string;
let running: CommandProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stopped-'));
});
afterEach(() => {
  running?.child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Overwrites the open data file and its log with zeros, as a disk that loses its content does. */
function wipe(): void {
  for (const name of ['store.db', 'store.db-wal'].map((file) => join(folder, file)).filter(existsSync)) {
    const file = openSync(name, 'r+');
    writeSync(file, Buffer.alloc(fstatSync(file).size));
    closeSync(file);
  }
}

/** Writes until the process has ended. @returns its exit code */
async function writeUntilEnd({ ended }: CommandProcess, write: () => Promise<unknown>): Promise<number | null> {
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  for (let n = 0; n < 200 && !hasEnded; n += 1) await write().catch(() => undefined);
  return ended;
}

test.each([
  { workers: '1', what: 'one process' },
  { workers: '2', what: 'workers, whose primary has the store' },
])(
  'a server ends: $what',
  async ({ workers }) => {
    const models = await writeModels({
      thing: ({ Schema }) => new Schema({ text: String }, { perms: { all: 'cr' } }),
    });
    const program = await startProgram({
      file: 'src/main.ts',
      args: [],
      environment: {
        ...{ HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info', DATA_DIR: folder, MODELS_DIR: models.folder },
        ...{ SHARED_SECRET: 's'.repeat(32), WORKERS: workers, THROTTLE_ENABLED: 'false' },
      },
      ready: /listens on (\S+)/,
    });
    running = program;
    const write = () => send('POST', `${program.url}/api/thing`, { body: { text } });
    for (let n = 0; n < 10; n += 1) expect((await write()).status).toBe(201);
    wipe();
    expect(await writeUntilEnd(program, write)).toBe(storeStopped);
    const lines = program
      .printed()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { level: string; msg: string });
    const reason = lines.find(({ msg }) => msg.startsWith('The store has stopped'));
    expect(reason).toMatchObject({ level: 'error', msg: expect.stringContaining(join(folder, 'store.db')) as unknown });
    expect(lines.slice(lines.indexOf(reason!)).map(({ msg }) => msg)).toEqual(
      expect.arrayContaining(['stopping', 'stopped']),
    );
    await models.remove();
  },
  180_000,
);

test.each([
  { file: 'src/main.ts', args: ['store'], what: 'dossier store' },
  { file: 'packages/store/src/cli.ts', args: [], what: 'dossier-store' },
])(
  '$what ends',
  async ({ file, args }) => {
    const program = await startProgram({
      file,
      args: [...args, '--port=0', `--data=${folder}`],
      environment: { DOSSIER_STORE_PASSWORD: 'a password of ann' },
      ready: /^MONGODB_URL=(\S+)\n/m,
    });
    running = program;
    const client = await MongoClient.connect(program.url.replace('PASSWORD', 'a%20password%20of%20ann'), {
      retryWrites: false,
      serverSelectionTimeoutMS: 1000,
    });
    const things = client.db('t').collection('things');
    for (let n = 0; n < 10; n += 1) await things.insertOne({ text });
    wipe();
    expect(await writeUntilEnd(program, () => things.insertOne({ text }))).toBe(storeStopped);
    expect(program.printed()).toMatch(/The store has stopped, because its data file is unusable: .*store\.db/);
    await client.close();
  },
  180_000,
);
