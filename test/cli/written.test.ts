/** `dossier openapi` and `dossier types`: what they write of a project, without a database. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { projectModels } from '../../src/cli/project.ts';
import { runCommand } from '../../src/cli/run.ts';
import { typesModule } from '../../src/typegen/index.ts';
import { startServer } from '../support/server.ts';

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const [input, output, messages] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const code = await runCommand(args, { input, output, messages, onStop: () => undefined });
  output.end();
  return { code, output: await text(output) };
}

test('openapi writes all operations that a server shows to an admin', async () => {
  const { code, output } = await run('openapi', '--models', 'models');
  expect(code).toBe(0);
  const server = await startServer({ models: 'models', admin: { email: 'root@x.test', password: 'pw-root-1' } });
  const authorization = `Basic ${Buffer.from('root@x.test:pw-root-1').toString('base64')}`;
  const { body } = await server.get('/openapi.json', { headers: { authorization } });
  const written = JSON.parse(output) as { readonly openapi: string; readonly paths: object };
  expect(written.openapi).toBe('3.1.0');
  expect(Object.keys(written.paths).sort()).toEqual(Object.keys(body['paths'] as object).sort());
});

test('types writes the types of the models, or to a file if --out names one', async () => {
  const { registry } = await projectModels({ MODELS_DIR: 'models' });
  const expected = typesModule(registry.served);
  expect(expected).toContain('export interface Film');
  expect(await run('types', '--models', 'models')).toEqual({ code: 0, output: expected });
  const folder = await mkdtemp(join(tmpdir(), 'dossier-types-'));
  const file = join(folder, 'models.d.ts');
  expect(await run('types', '--models', 'models', '--out', file)).toEqual({ code: 0, output: '' });
  expect(await readFile(file, 'utf8')).toBe(expected);
  await rm(folder, { recursive: true });
});
