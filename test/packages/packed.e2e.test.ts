/** The packages as they are published: their files, and a project that contains nothing else. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { blocksOf, examplesOf, withPlaceholders } from '../docs/examples.ts';
import { send } from '../support/client.ts';
import { agentAt } from '../support/mcp.ts';
import { buildOutside } from '../support/outside-feature.ts';
import { packAll, type Packed } from '../support/packed.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';

const run = promisify(execFile);
let packed: Packed;
let folder: string;
const running = new Set<ServerProcess>();

beforeAll(async () => {
  packed = await packAll();
  folder = await mkdtemp(join(tmpdir(), 'dossier-project-'));
  await packed.installInto(folder);
}, 240_000);

afterAll(async () => {
  for (const server of running) await server.stop('SIGKILL');
  await rm(folder, { recursive: true });
  await packed.remove();
});

interface Manifest {
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

const isWindows = process.platform === 'win32';
/** The command as npm links it; on Windows, where npm writes a script instead, its file. */
const command = (): string =>
  join(folder, 'node_modules', ...(isWindows ? ['dossier', 'bin', 'dossier.mjs'] : ['.bin', 'dossier']));

/** Runs a compiler. @returns what it says of programs that do not compile, or why it has not run; else nothing */
const refusalOf = (compiler: string, ...args: readonly string[]): Promise<string> =>
  run(process.execPath, [compiler, ...args]).then(
    () => '',
    ({ message, stdout }: { message: string; stdout: string }) => `${message}${stdout}`,
  );

/** The feature of MCP beside the built-in one. */
const outsideAgents = `
import { definePlugin } from 'dossier';
import type { Feature, OperationGroup, PlainOperation } from 'dossier/core';
import { agents } from './operations.ts';

const outside = ({ operations }: OperationGroup): OperationGroup => ({
  title: 'Agents outside',
  operations: operations.map((operation) => ({
    ...(operation as PlainOperation),
    name: \`outside.\${operation.name}\`,
    http: { ...operation.http, path: \`/outside\${operation.http.path}\` },
  })),
});
const feature: Feature = { name: 'outside', operations: (described) => [outside(agents(described))] };
export default definePlugin({ name: 'agents', features: [feature] });
`;

describe('the packages', () => {
  test('are the root and each workspace, and none is private', async () => {
    const workspaces = await readdir('packages');
    expect(packed.tarballs).toHaveLength(1 + workspaces.length);
    for (const { name } of packed.tarballs) {
      const manifest = JSON.parse(await readFile(join(folder, 'node_modules', name, 'package.json'), 'utf8')) as object;
      expect(manifest).not.toHaveProperty('private');
    }
  });

  test('contain programs with types and source maps, and no sources, tests or benchmarks', async () => {
    for (const { name } of packed.tarballs) {
      const root = join(folder, 'node_modules', name);
      const files = (await readdir(root, { recursive: true })).map((file) => file.replaceAll('\\', '/'));
      const programs = files.filter((file) => /^dist\/.*\.js$/.test(file));
      expect({ name, programs: programs.length > 0 }).toEqual({ name, programs: true });
      // the console is for browsers and is not imported
      const imported = name === 'dossier-console' ? [] : programs;
      const lacking = imported.filter((file) => !files.includes(`${file}.map`));
      const { exports: entries = {} } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
      for (const file of Object.values(entries).flatMap((entry) =>
        typeof entry === 'string' ? entry : Object.values(entry),
      ))
        if (!files.includes(file.slice('./'.length))) lacking.push(file);
      expect({ name, lacking }).toEqual({ name, lacking: [] });
      const strange = files.filter((file) => /(^|\/)(src|test|bench|scripts|node_modules)\/|\.tsbuildinfo$/.test(file));
      expect({ name, strange: strange.filter((file) => !file.startsWith('dist/')) }).toEqual({ name, strange: [] });
    }
  });
});

describe('an empty folder with the packages', () => {
  test('serves a folder of TypeScript models: the sixty seconds of the README', async () => {
    const readme = (await readFile('README.md', 'utf8'))
      .split(/^## /m)
      .find((part) => part.startsWith('Sixty seconds'));
    const own = blocksOf(readme ?? '').find(({ language }) => language === 'ts');
    await mkdir(join(folder, 'models'));
    await writeFile(join(folder, 'models/book.ts'), own?.text ?? '');
    const server = await startProcess({}, [], { program: command(), folder });
    running.add(server);
    const admin = { email: 'admin@example.com', password: 'correct horse battery' };
    expect((await send('POST', `${server.url}/setup`, { body: admin })).status).toBe(201);
    const examples = examplesOf(readme ?? '', { PASSWORD: admin.password });
    expect(examples.length).toBeGreaterThanOrEqual(3);
    for (const { url, init, answer } of examples) {
      const answered: unknown = await (await fetch(url.replace('http://127.0.0.1:4001', server.url), init)).json();
      expect(withPlaceholders(answered, answer)).toEqual(answer);
    }
    // the pages of the guides are part of the package
    expect((await fetch(`${server.url}/docs/guides/models`)).status).toBe(200);
    // Windows has no signal that a program can handle
    expect(await server.stop()).toBe(isWindows ? null : 0);
  });

  test('has types: correct uses compile, and wrong ones do not', async () => {
    await writeFile(join(folder, 'program.mts'), program);
    const compilerOptions = { noEmit: true, strict: true, target: 'es2023', module: 'nodenext', types: [] };
    const config = { compilerOptions: { ...compilerOptions, skipLibCheck: true }, files: ['program.mts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = resolve('node_modules/typescript-7/bin/tsc');
    expect(await refusalOf(compiler, '-p', folder)).toBe('');
  });

  test('serves a feature that is built outside of the server, from `dossier/core` alone', async () => {
    await buildOutside('mcp', outsideAgents, join(folder, 'node_modules'));
    const project = join(folder, 'with-agents');
    await mkdir(join(project, 'models'), { recursive: true });
    await writeFile(
      join(project, 'models/note.js'),
      "const { Schema } = require('mongoose'); module.exports = new Schema({ title: String }, { perms: { all: 'r' } });",
    );
    await writeFile(
      join(project, 'dossier.config.mjs'),
      "import agents from 'outside-mcp'; export default { plugins: [agents] };",
    );
    const server = await startProcess({ WORKERS: '2' }, [], { program: command(), folder: project });
    running.add(server);
    const [outside, builtIn] = await Promise.all([agentAt(`${server.url}/outside`), agentAt(server.url)]);
    const [tools, others] = await Promise.all([outside.tools(), builtIn.tools()]);
    expect(tools.length).toBeGreaterThan(3);
    expect(tools).toEqual(others);
    expect(await outside.call('list_models')).toEqual(await builtIn.call('list_models'));
    const refused = await send('POST', `${server.url}/outside/mcp`, { body: [] });
    expect(refused.status).toBe(400);
    expect(await server.stop()).toBe(isWindows ? null : 0);
  });

  test('gets a project by `dossier init`, which passes its own tests', async () => {
    const project = join(folder, 'My Library');
    await run(process.execPath, [command(), 'init', 'My Library'], { cwd: folder });
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))).toMatchObject({
      name: 'my-library',
      dependencies: { dossier: `^${version}` },
      devDependencies: { typescript: expect.any(String) },
    });
    expect(await readFile(join(project, '.env'), 'utf8')).toMatch(/^# .+\nMAX_SESSIONS=5$/m);
    if (!isWindows) expect((await stat(join(project, '.env'))).mode & 0o077).toBe(0);
    // its dependencies are found in the folder above
    const { stdout } = await run(process.execPath, ['--test'], { cwd: project });
    expect(stdout).toMatch(/^# pass 2$/m);
    // the tests have the config of the project
    await writeFile(join(project, 'dossier.config.ts'), 'export default { prot: 1 };');
    const withFault = run(process.execPath, ['--test'], { cwd: project });
    await expect(withFault).rejects.toMatchObject({ stdout: expect.stringContaining('prot is unknown') });
    const again = run(process.execPath, [command(), 'init', 'My Library'], { cwd: folder });
    await expect(again).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: the folder must be new or empty, but .*My Library has \.env, /),
    });
  });

  test('gets a project by `dossier init` in the folder of its installation, whose package.json is kept', async () => {
    const installed = join(folder, 'installed');
    await mkdir(installed);
    await symlink(join(folder, 'node_modules'), join(installed, 'node_modules'), 'junction');
    const given = { name: 'own', type: 'commonjs', scripts: { start: 'own' }, dependencies: { dossier: 'file:x.tgz' } };
    await writeFile(join(installed, 'package.json'), JSON.stringify(given));
    await writeFile(join(installed, 'package-lock.json'), '{}');
    await run(process.execPath, [command(), 'init'], { cwd: installed });
    const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as typeof given;
    expect(manifest).toMatchObject({ ...given, private: true, scripts: { start: 'own', dev: 'dossier dev' } });
    const { stdout } = await run(process.execPath, ['--test'], { cwd: installed });
    expect(stdout).toMatch(/^# pass 2$/m);
    const compiler = resolve('node_modules/typescript/bin/tsc');
    expect(await refusalOf(compiler, '-p', installed)).toBe('');
    await writeFile(join(installed, 'own.ts'), 'export const wrong: number = "text";');
    expect(await refusalOf(compiler, '-p', installed)).toContain('own.ts');
  }, 180_000);

  test('a package.json that is no object stops `dossier init`, which then writes nothing', async () => {
    const broken = join(folder, 'broken');
    await mkdir(broken);
    await writeFile(join(broken, 'package.json'), '[]');
    await expect(run(process.execPath, [command(), 'init'], { cwd: broken })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/package\.json must be a JSON object\n$/),
    });
    expect(await readdir(broken)).toEqual(['package.json']);
  });
});

const program = `
import { type Api, createServer, defineModel, type PreHook } from 'dossier';
import type { AnyModels } from 'dossier-client';

declare module 'dossier' {
  interface Application {
    models: { film: Omit<AnyModels[string], 'document'> & { document: { _id: string; title: string } } };
  }
}
export const titleOf = async (api: Api, id: string): Promise<string> => (await api.model('film').one(id)).title;
// @ts-expect-error: no such model
export const unknown = (api: Api) => api.model('flim');

export const book = defineModel({ title: { type: String, required: true, perms: { all: 'r' } } }, { perms: { all: 'r' } });
// @ts-expect-error: x is not a letter
export const wrong = defineModel({ title: String }, { perms: { all: 'rx' } });

const narrow: PreHook = (req, _res, next) => {
  req.dossier.filter = { hidden: false };
  const method: string = req.method;
  // @ts-expect-error: the types of Express apply, so this is a string
  const number: number = req.method;
  next(method + number);
};
const server = await createServer({ port: 0, pre_hooks: { get: narrow } });
const url: string = server.url;
// @ts-expect-error: no such option
await createServer({ prot: 0 });
console.log(url);
`;
