/** Signals at any moment of a start: the process ends by itself with a documented code (docs/command.md), and the next start works. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { send } from '../support/client.ts';
import { writeModels } from '../support/models.ts';
import { onPosix } from '../support/needs.ts';
import { programOf } from '../support/programs.ts';

/** Moments that are spread over a start. */
const moments = 7;
const signals = ['SIGTERM', 'SIGINT'] as const;

let folder: string;
let models: Awaited<ReturnType<typeof writeModels>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-signals-'));
  models = await writeModels({ thing: ({ Schema }) => new Schema({ label: String }, { perms: { all: 'cr' } }) });
});
afterAll(async () => {
  await models.remove();
  await rm(folder, { recursive: true });
});

/** Starts `dossier`. */
function run(args: readonly string[], data: string) {
  const child = spawn(process.execPath, [programOf('src/main.ts'), ...args], {
    env: { PATH: process.env['PATH'], HOST: '127.0.0.1', PORT: '0', MODELS_DIR: models.folder, DATA_DIR: data },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  // workers have these outputs too, so their end is that of all
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const ready = new Promise<string>((done) => {
    const add = (piece: Buffer): void => {
      printed += piece.toString();
      const [, url] = /(?:listens on |MONGODB_URL=)(\S+)\n/.exec(printed) ?? [];
      if (url !== undefined) done(url);
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
  });
  /** @returns where it listens; what it has printed when it ends before */
  const started = (): Promise<string> => Promise.race([ready, ended.then((code) => `${code}: ${printed}`)]);
  return { child, ended, started, printed: () => printed };
}

describe.each([
  ['a server', ['start', '--workers', '1']],
  ['a server with workers', ['start', '--workers', '2']],
  ['a store', ['store', '--port', '0']],
])('%s', (name, args) => {
  onPosix(
    'ends at a signal at any moment of its start, and starts again',
    async () => {
      const data = join(folder, name);
      const all = args[0] === 'store' ? [...args, '--data', data] : args;
      const isServer = args[0] === 'start';
      const begun = performance.now();
      const first = run(all, data);
      const url = await first.started();
      const took = performance.now() - begun;
      if (isServer) expect((await send('POST', `${url}/api/thing`, { body: { label: 'kept' } })).status).toBe(201);
      first.child.kill('SIGTERM');
      expect([await first.ended, first.printed()]).toEqual([0, expect.not.stringMatching(/\n\s+at /)]);
      for (let at = 0; at < moments; at++) {
        const signal = signals[at % signals.length] ?? 'SIGTERM';
        const one = run(all, data);
        // not at its very start, where Node itself ends at signals
        await later((took * (at + 0.5)) / moments);
        one.child.kill(signal);
        const ended = await one.ended;
        const documented: readonly unknown[] = [0, signal, 128 + constants.signals[signal]];
        const isDocumented = documented.includes(ended);
        const whole = { at, ended, isDocumented, printed: one.printed() };
        expect(whole).toEqual({
          ...{ ...whole, isDocumented: true },
          printed: expect.not.stringMatching(/\n\s+at |in use by/),
        });
      }
      const last = run(all, data);
      const address = await last.started();
      if (isServer) expect((await send('GET', `${address}/api/thing`)).rows).toMatchObject([{ label: 'kept' }]);
      last.child.kill('SIGINT');
      expect([await last.ended, last.printed()]).toEqual([0, expect.any(String)]);
    },
    300_000,
  );
});
