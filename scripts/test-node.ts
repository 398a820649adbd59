/**
 * `npm run test:node -- 22 24 26`: `npm test` on other versions of Node, which are fetched as packages of npm (CONTRIBUTING.md, "Test").
 * Exits with 1 when tests fail on one of them.
 */
import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { packageOf, readArguments } from './test-node/arguments.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Fetches a version of Node into npm's cache. @returns the path of its program @throws Error when npm cannot fetch it */
function fetchProgram(version: string): string {
  const name = `${packageOf(process.platform, process.arch)}@${version}`;
  const args = ['exec', '--yes', '--loglevel=error', `--package=${name}`, '--', 'node', '-p', 'process.execPath'];
  // npm is a script of the shell on Windows
  const { status, error, stdout, stderr } = spawnSync('npm', args, {
    shell: process.platform === 'win32',
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`npm cannot fetch ${name}: ${error?.message ?? stderr.trim()}`);
  return stdout.trim();
}

/** @returns whether the tests pass, also in the processes that they start by the name `node` */
function passes(program: string, jestArguments: readonly string[]): boolean {
  const args = ['--env-file=test/suite.env', 'node_modules/jest/bin/jest.js', ...jestArguments];
  const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env['PATH'] ?? ''}` };
  return spawnSync(program, args, { stdio: 'inherit', env }).status === 0;
}

/** @returns whether nothing has failed on a version */
function testOn(version: string, jestArguments: readonly string[], optional: boolean): boolean {
  let program: string;
  try {
    program = fetchProgram(version);
  } catch (error) {
    say(`Node ${version}: ${optional ? 'left out, as ' : ''}${(error as Error).message}`);
    return optional;
  }
  const found = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim();
  say(`Node ${version}: tests on ${found}, ${program}`);
  return passes(program, jestArguments);
}

try {
  const { versions, optional, jestArguments } = readArguments(process.argv.slice(2));
  const failed = versions.filter((version) => !testOn(version, jestArguments, optional));
  if (failed.length > 0) throw new Error(`failed on Node ${failed.join(', ')}`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
