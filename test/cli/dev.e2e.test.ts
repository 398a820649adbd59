/** `dossier dev`: a changed model is served by a new server, a broken one is reported and then repaired, and a signal stops it all. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { send } from '../support/client.ts';
import { onPosix } from '../support/needs.ts';
import { startProcess } from '../support/process.ts';
import { until } from '../support/waiting.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-dev-'));
  await mkdir(join(folder, 'models'));
});
afterAll(() => rm(folder, { recursive: true }));

const write = (definition: string): Promise<void> =>
  writeFile(
    join(folder, 'models', 'note.ts'),
    `import { defineModel } from 'dossier';\nexport default defineModel(${definition}, { perms: { all: 'cr' } });\n`,
  );

/** The addresses that servers have printed, in order. */
const urlsIn = (printed: string): readonly string[] =>
  [...printed.matchAll(/listens on (\S+)/g)].map(([, url]) => url ?? '');

// Windows has no signal that a program can handle

onPosix(
  'dev restarts when a model changes',
  async () => {
    await write('{ label: String }');
    const dev = await startProcess({}, [], { program: resolve('bin/dossier.mjs'), args: ['dev'], folder });
    const printed = (): string => dev.printed();
    expect((await send('POST', `${dev.url}/api/note`, { body: { label: 'a' } })).status).toBe(201);

    await write('{ label: String, count: { type: Number, required: true } }');
    await until(() => urlsIn(printed()).length === 2, printed);
    const url = urlsIn(printed())[1] ?? '';
    expect((await send('GET', `${url}/api/note`)).rows).toMatchObject([{ label: 'a' }]);
    expect((await send('POST', `${url}/api/note`, { body: { label: 'b' } })).body).toMatchObject({
      err: expect.stringContaining('count'),
    });

    await write('{ label: }');
    await until(() => printed().includes('Model file'), printed);
    await write('{ label: String }');
    await until(() => urlsIn(printed()).length === 3, printed);
    expect(printed()).toMatch(/^Restarting: models.note\.ts has changed$/m);

    expect(await dev.stop()).toBe(0);
    const last = urlsIn(printed())[2] ?? '';
    await expect(send('GET', `${last}/health`)).rejects.toThrow();
  },
  180_000,
);
