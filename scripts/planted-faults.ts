/**
 * `npm run test:faults-planted -- [--all] [part of a file or an effect]...`: plants the faults of `test/planted-faults` one by one in a copy of
 * the checkout, and runs the tests that are to find each (CONTRIBUTING.md, "Planted faults"). With `--all` the whole suite looks for those that
 * they do not find. Exits with 1 when a fault is not found.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { faultyFiles } from '../test/planted-faults/index.ts';

interface Planting {
  readonly file: string;
  readonly tests: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly effect: string;
}

/** Milliseconds after which a run counts as failed: a fault may keep the tests waiting. */
const maxRunMs = 30 * 60_000;
/** Bytes of what a run prints. */
const maxOutput = 256 * 1024 * 1024;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Copies the files that Git knows, or would add, with what is built and a link to the packages. @returns the folder */
function copyCheckout(): string {
  const folder = mkdtempSync(join(tmpdir(), 'planted-faults-'));
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    encoding: 'utf8',
  });
  const built = ['dist', ...['client', 'console', 'language', 'store'].map((name) => `packages/${name}/dist`)];
  for (const path of [...listed.stdout.split('\0').filter((path) => path !== ''), ...built])
    cpSync(path, join(folder, path), { recursive: true, force: true });
  for (const path of ['node_modules', 'packages/console/node_modules'])
    symlinkSync(join(process.cwd(), path), join(folder, path), 'junction');
  return folder;
}

/** Runs tests in a folder, the whole suite by default. @returns the name of the first that fails; undefined when all pass */
function firstFailure(folder: string, tests: readonly string[]): string | undefined {
  const options = ['--bail', '--silent', '--forceExit', '--colors=false'];
  const args = ['--env-file=test/suite.env', 'node_modules/jest/bin/jest.js', ...options, ...tests];
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: maxRunMs,
    maxBuffer: maxOutput,
  });
  if (status === 0) return undefined;
  if (status === null) return `no answer within ${maxRunMs / 60_000} minutes`;
  return /^ +● (.*)$/m.exec(stderr)?.[1] ?? `exit code ${status}`;
}

/** Plants a fault while something runs. @throws Error for a fault that is no program, which any test would find */
function during<T>(folder: string, { file, from, to }: Planting, run: () => T): T {
  const path = join(folder, 'src', file);
  const source = readFileSync(path, 'utf8');
  const faulty = source.replace(from, () => to);
  transformSync(faulty, { loader: 'ts' });
  writeFileSync(path, faulty);
  try {
    return run();
  } finally {
    writeFileSync(path, source);
  }
}

const args = process.argv.slice(2);
const looksEverywhere = args.includes('--all');
const parts = args.filter((arg) => arg !== '--all');
const plantings = faultyFiles
  .flatMap(({ file, tests, faults }) =>
    faults.map(([from, to, effect]): Planting => ({ file, tests, from, to, effect })),
  )
  .filter(({ file, effect }) => parts.length === 0 || parts.some((part) => `${file}: ${effect}`.includes(part)));
const folder = copyCheckout();
try {
  const failure = firstFailure(folder, looksEverywhere ? [] : [...new Set(plantings.flatMap(({ tests }) => tests))]);
  if (failure !== undefined) throw new Error(`without a fault fails: ${failure}`);
  let missed = 0;
  for (const planting of plantings) {
    const found = during(
      folder,
      planting,
      () => firstFailure(folder, planting.tests) ?? (looksEverywhere ? firstFailure(folder, []) : undefined),
    );
    if (found === undefined) missed += 1;
    say(
      `${found === undefined ? 'MISSED' : 'found '} ${planting.file}: ${planting.effect}${found === undefined ? '' : ` (${found})`}`,
    );
  }
  say(`${plantings.length - missed} of ${plantings.length} planted faults found`);
  if (missed > 0) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
