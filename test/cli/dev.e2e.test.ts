/** `dossier dev`: a changed model is served by a new server, a broken one is reported and then repaired, and a signal stops it all. */
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { send } from '../support/client.ts';
import { onPosix } from '../support/needs.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { until } from '../support/waiting.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-dev-'));
  await mkdir(join(folder, 'models'));
});
afterEach(() => rm(folder, { recursive: true }));

const startDev = (): Promise<ServerProcess> =>
  startProcess({}, [], { program: resolve('bin/dossier.mjs'), args: ['dev'], folder });

const write = (definition: string): Promise<void> =>
  writeFile(
    join(folder, 'models', 'note.ts'),
    `import { defineModel } from 'dossier';\nexport default defineModel(${definition}, { perms: { all: 'cr' } });\n`,
  );

/** The addresses that servers have printed, in order. */
const urlsIn = (printed: string): readonly string[] =>
  [...printed.matchAll(/listens on (\S+)/g)].map(([, url]) => url ?? '');

// Windows has no signal that a program can handle

/** Waits for the answers of the server that runs now: a write may be seen in several steps, each with a server of its own. */
const answered = (dev: ServerProcess, holds: (url: string) => Promise<boolean>, after: number): Promise<void> =>
  until(async () => {
    const urls = urlsIn(dev.printed());
    // the one of before may still answer
    return urls.length > after && (await holds(urls.at(-1) ?? '').catch(() => false));
  }, dev.printed);

onPosix(
  'dev restarts when a model changes',
  async () => {
    await write('{ label: String }');
    const dev = await startDev();
    const printed = (): string => dev.printed();
    expect((await send('POST', `${dev.url}/api/note`, { body: { label: 'a' } })).status).toBe(201);

    await write('{ label: String, count: { type: Number, required: true } }');
    await answered(dev, async (url) => (await send('POST', `${url}/api/note`, { body: {} })).text.includes('count'), 1);
    await answered(dev, async (url) => (await send('GET', `${url}/api/note?filter[label]=a`)).rows.length === 1, 1);

    const before = urlsIn(printed()).length;
    await write('{ label: }');
    await until(() => printed().includes('Model file'), printed);
    await write('{ label: String }');
    await answered(dev, async (url) => (await send('POST', `${url}/api/note`, { body: {} })).status === 201, before);
    expect(printed()).toMatch(/^Restarting: models.note\.ts has changed$/m);

    expect(await dev.stop()).toBe(0);
    const last = urlsIn(printed()).at(-1) ?? '';
    await expect(send('GET', `${last}/health`)).rejects.toThrow();
  },
  180_000,
);

/** The ids of the processes that a process has started. */
const childrenOf = (pid: number | undefined): readonly number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([id, parent]) => (parent === pid && id !== undefined ? [id] : []));

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

onPosix(
  'dev reports what it cannot watch, and serves on',
  async () => {
    await write('{ label: String }');
    const dev = await startDev();
    await symlink('loop.js', join(folder, 'models', 'loop.js'));
    await until(() => dev.printed().includes('Not watched: ELOOP'), dev.printed);
    expect(await dev.stop()).toBe(0);
  },
  180_000,
);

/** Model files that keep the only thread of a server. */
const deaf: readonly (readonly [string, (file: string) => Promise<unknown> | Buffer])[] = [
  ['an endless loop', (file) => writeFile(file, 'while (true) {}')],
  ['a FIFO', (file) => execFileSync('mkfifo', [file])],
];

for (const [what, make] of deaf)
  onPosix(
    `dev ends a server that ${what} keeps: at a mend, and by a signal`,
    async () => {
      await write('{ label: String }');
      const dev = await startDev();
      const file = join(folder, 'models', 'deaf.js');
      const [first] = childrenOf(dev.child.pid);
      await make(file);
      // a FIFO is no file that a watcher waits for, so another file changes with it
      await write('{ label: String, a: String }');
      await until(() => childrenOf(dev.child.pid).some((pid) => pid !== first), dev.printed);
      await rm(file);
      await write('{ label: String, b: String }');
      await until(() => urlsIn(dev.printed()).length >= 2, dev.printed);
      const served = childrenOf(dev.child.pid);
      await make(file);
      await write('{ label: String, c: String }');
      await until(() => childrenOf(dev.child.pid).some((pid) => !served.includes(pid)), dev.printed);
      expect(await dev.stop()).toBe(0);
    },
    180_000,
  );

onPosix(
  'the server of a dev that was killed ends, even a deaf one',
  async () => {
    await write('{ label: String }');
    for (const isDeaf of [false, true]) {
      if (isDeaf)
        await writeFile(
          join(folder, 'models', 'deaf.js'),
          'process.stdout.write("listens on deaf\\n"); while (true) {}',
        );
      const dev = await startDev();
      const servers = childrenOf(dev.child.pid);
      expect(servers).toHaveLength(1);
      await dev.stop('SIGKILL');
      await until(() => !servers.some(isAlive), dev.printed);
    }
  },
  180_000,
);
