/** Commands end, whatever the files of the project leave open (docs/command.md). */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runDossier } from '../support/command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-ends-'));
  await mkdir(join(folder, 'models'));
  await writeFile(
    join(folder, 'models', 'item.cjs'),
    `setInterval(() => undefined, 1000);
require('node:net').createServer().listen(0, '127.0.0.1');
if (process.env.NAME === 'broken') throw new Error('this file is broken');
module.exports = ({ Schema }) => new Schema({ name: String }, { perms: { admin: 'crud' } });`,
  );
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ['a start that fails', ['start'], { NAME: 'broken' }, 1],
  ['a start with workers that fails', ['start', '--workers', '2'], { NAME: 'broken' }, 1],
  ['a start with a bad setting', ['start'], { WEBHOOK_TIMEOUT: 'x' }, 1],
  ['a check', ['check', '--json'], {}, 0],
  ['an export', ['export', '--out', 'exported'], {}, 0],
  ['MCP whose input ends', ['mcp'], {}, 0],
])('%s ends', async (_what, args, environment, code) => {
  const environmentOf = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(folder, 'data'), ...environment };
  expect(await runDossier(args, { folder, environment: environmentOf })).toMatchObject({ code });
});
