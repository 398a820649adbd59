/** What all commands have in common: help, versions, and the refusal of wrong flags and commands. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { makeProgram } from '../../src/cli/program.ts';
import { runCommand } from '../../src/cli/run.ts';
import { runDossier } from '../support/command.ts';

interface Result {
  readonly code: number;
  readonly output: string;
  readonly messages: string;
}

/** Runs a command line in this process. */
async function run(...args: string[]): Promise<Result> {
  const [input, output, messages] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const code = await runCommand(args, { input, output, messages, onStop: () => undefined });
  output.end();
  messages.end();
  return { code, output: await text(output), messages: await text(messages) };
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const streams = { input: new PassThrough(), output: new PassThrough(), messages: new PassThrough() };
const program = makeProgram({ ...streams, onStop: () => undefined });
/** Each command line that names a command, such as `user add`. */
const commandLines = (of: typeof program, names: readonly string[] = []): (readonly string[])[] => [
  names,
  ...of.commands.flatMap((command) => commandLines(command, [...names, command.name()])),
];

describe.each(commandLines(program).map((names) => [`dossier ${names.join(' ')}`.trim(), names] as const))(
  '%s',
  (_, names) => {
    test('prints its help and the version', async () => {
      const help = await run(...names, '--help');
      expect(help).toMatchObject({ code: 0, messages: '' });
      expect(help.output).toContain(`Usage: ${['dossier', ...names].join(' ')}`);
      expect(await run(...names, '--version')).toEqual({ code: 0, output: `${version}\n`, messages: '' });
    });

    test('refuses an unknown flag and names the nearest', async () => {
      const { code, output, messages } = await run(...names, '--hepl');
      expect({ code, output }).toEqual({ code: 2, output: '' });
      expect(messages).toMatch(/unknown option '--hepl'\n\(Did you mean --help\?\)/);
    });
  },
);

test('an unknown command is refused with the nearest one', async () => {
  const { code, messages } = await run('strat');
  expect(code).toBe(2);
  expect(messages).toMatch(/unknown command 'strat'\n\(Did you mean start\?\)/);
});

test('a surplus argument and a flag without its value are refused', async () => {
  expect((await run('start', 'models')).code).toBe(2);
  expect((await run('start', '--port')).code).toBe(2);
});

test.each([
  [['mcp', '--url', 'nope'], "argument 'nope' is invalid. It must be an http or https URL"],
  [['mcp', '--url', 'localhost:4001'], 'It must be an http or https URL'],
  [['mcp', '--url', 'file:///etc'], 'It must be an http or https URL'],
  [['indexes', '--url', ''], 'It must be an http or https URL'],
  [
    ['copy', '--to', 'mongdb://ann:secret@127.0.0.1/x'],
    '--to must be a mongodb:// URL or a data folder, got a mongdb:// URL',
  ],
  [['export', '--out', ''], "option '--out <folder>' is empty"],
  [['export', 'film', '', '--out', 'x'], "argument 'model' is empty"],
  [['backup', ''], "argument 'file' is empty"],
  [['init', ''], "argument 'folder' is empty"],
  [['start', '--port', ''], "option '--port <number>' is empty"],
  [['user', 'add', 'ann@x.test', '--group', ''], "option '--group <name>' is empty"],
  [['webhooks', '--status', 'dead'], '--status lists deliveries: name the webhook by its id'],
])('%j is refused before anything is opened', async (args, reason) => {
  const refused = await run(...args);
  expect(refused).toEqual({ code: 2, output: '', messages: expect.stringContaining(reason) });
  expect(refused.messages).not.toContain('secret');
});

test.each([
  [['restore', 'test'], 'The backup test cannot be restored: it is a folder.'],
  [['restore', 'no-such-file'], 'no-such-file: no such file or folder'],
  [['openapi', '--out', 'test'], 'test: is a folder, not a file'],
  [['types', '--out', 'no-such-folder/types.ts'], 'no-such-folder/types.ts: no such file or folder'],
  [['export', '--out', 'package.json/x'], 'package.json/x: is a file, or lies below one, not a folder'],
  [['copy', '--to', 'package.json'], 'The data folder package.json is a file.'],
])('%j names the file and what is wrong with it', async (args, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-files-'));
  const environment = { DATA_DIR: join(folder, 'data') };
  await runDossier(['user', 'add', 'ann@x.test'], { environment, input: 'pw-ann-123\n' });
  const ended = await runDossier(args, { environment });
  expect(ended).toEqual({ code: 1, output: '', messages: `error: ${message}\n` });
  await rm(folder, { recursive: true });
});

test('the process ends with the exit code, and a flag takes precedence over the environment', async () => {
  expect(await runDossier(['--version'])).toMatchObject({ code: 0, output: `${version}\n` });
  expect((await runDossier(['--prot', '1'])).code).toBe(2);
  const refused = await runDossier(['--port', 'many'], { environment: { PORT: '0' } });
  expect(refused).toMatchObject({ code: 1, output: '', messages: expect.stringMatching(/^Setting PORT: .*many/) });
});

test.each([
  [['check'], 'error: The data folder'],
  [['export', '--out', 'no-such-folder/x'], 'error: The data folder'],
  [['backup', 'no-such-folder/x'], 'error: The data folder'],
])('%j does not take a data folder that it cannot read for an empty one', async (args, message) => {
  const { code, output, messages } = await runDossier(args, { environment: { DATA_DIR: 'x'.repeat(300) } });
  expect({ code, printed: output + messages }).toEqual({ code: 1, printed: expect.stringContaining(message) });
  expect(existsSync('no-such-folder')).toBe(false);
});

/** The names of the packages that a command line loads. */
async function packagesOf(...args: string[]): Promise<readonly string[]> {
  const hook = 'export const load = (url, context, next) => { process._rawDebug(url); return next(url, context); };';
  const register = `import { register } from 'node:module'; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hook)}`)});`;
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(register)}`];
  const { stderr } = await promisify(execFile)(process.execPath, [...flags, 'bin/dossier.mjs', ...args]);
  const names = stderr.split('\n').map((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))];
}

test('help and versions load the parser only, not the server', async () => {
  expect(await packagesOf('--version')).toEqual(['commander']);
  expect(await packagesOf('import', '--help')).toEqual(['commander']);
});

test('a project that a clone makes depends on the clone, by its path', async () => {
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'dossier-init-'));
  expect(await run('init', folder)).toMatchObject({ code: 0, messages: '' });
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: { dossier: string };
  };
  const [, path = ''] = /^file:(.+)$/.exec(manifest.dependencies.dossier) ?? [];
  expect(await realpath(resolve(folder, path))).toBe(await realpath('.'));
  await rm(folder, { recursive: true });
});
