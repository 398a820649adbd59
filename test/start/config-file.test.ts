/** A program that embeds Dossier names a config file, in TypeScript or JavaScript. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer } from '../../src/server.ts';
import { SettingsError } from '../../src/settings/read.ts';
import { writeModels } from '../support/models.ts';

let folder: string;
let models: Awaited<ReturnType<typeof writeModels>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-config-'));
  models = await writeModels({
    note: ({ Schema }) => new Schema({ text: String }, { perms: { all: 'cr' } }),
  });
  await writeFile(
    join(folder, 'dossier.config.ts'),
    `import type { DossierConfig, PreHook } from 'dossier';
    const refuse: PreHook = (req, res) => void res.status(418).json({ from: 'the file' });
    export default {
      pre_hooks: { get: refuse },
      query_limits: { default: 7, max: 70 },
      throttle: { enabled: false },
    } satisfies DossierConfig;`,
  );
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await models.remove();
});

type Options = NonNullable<Parameters<typeof createServer>[0]>;
const common: Options = { port: 0, inMemory: true, log_level: 'silent' };
const named = (name: string, options: Options = {}): Promise<Awaited<ReturnType<typeof createServer>>> =>
  createServer({ ...common, models_dir: models.folder, configFile: join(folder, name), ...options });

test('its hooks and settings hold', async () => {
  const server = await named('dossier.config.ts');
  const answer = await fetch(`${server.url}/api/note`);
  expect([answer.status, await answer.json()]).toEqual([418, { from: 'the file' }]);
  expect(server.settings.query_limits).toMatchObject({ default: 7, max: 70 });
  await server.close();
});

test('the path is relative to the working folder, and keys of the options replace those of the file', async () => {
  const configFile = relative(process.cwd(), join(folder, 'dossier.config.ts'));
  const server = await named('', { configFile, pre_hooks: {}, query_limits: { max: 50 } });
  expect((await fetch(`${server.url}/api/note`)).status).toBe(200);
  expect(server.settings.query_limits).toMatchObject({ max: 50 });
  expect(server.settings.query_limits.default).not.toBe(7);
  expect(server.settings.throttle.enabled).toBe(false);
  await server.close();
});

test('the environment takes precedence over it', async () => {
  const server = await named('dossier.config.ts', { environment: { QUERY_LIMITS_MAX: '30' } });
  expect(server.settings.query_limits).toMatchObject({ default: 7, max: 30 });
  await server.close();
});

test.each([
  ['that does not exist', 'absent.ts', '', /absent\.ts: Cannot find .*absent\.ts$/],
  ['with an unknown key', 'unknown.ts', 'export default { prot: 1 };', /unknown\.ts: prot is unknown/],
  ['with a syntax error', 'broken.cjs', 'module.exports = {', /broken\.cjs: /],
  [
    'that names another one',
    'nested.ts',
    "export default { configFile: 'x.ts' };",
    /nested\.ts: configFile is unknown/,
  ],
])('one %s stops the start, which names it', async (_, name, text, message) => {
  if (text !== '') await writeFile(join(folder, name), text);
  const error: unknown = await named(name).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SettingsError);
  expect((error as Error).message).toMatch(message);
});

test.each([['', '""'] as const, [5, '5'] as const, [null, 'null'] as const])(
  '%j is not a path',
  async (given, text) => {
    const starting = named('', { configFile: given as string });
    await expect(starting).rejects.toThrow(`configFile: must be a path such as ./dossier.config.ts, got ${text}`);
  },
);
