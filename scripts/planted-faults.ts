/**
 * `npm run test:faults-planted -- [--all] [--lanes n] [part of a file or an effect]...`: plants the faults of `test/planted-faults` one by one
 * in copies of the checkout, as many as there are lanes, and runs the tests that are to find each (CONTRIBUTING.md, "Planted faults"). With
 * `--all` the whole suite looks for those that they do not find. Exits with 1 when a fault is not found.
 */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultyFiles } from '../test/planted-faults/index.ts';

interface Planting {
  readonly file: string;
  readonly tests: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly effect: string;
}

/** How a run of tests ends: with the name of the first that fails, or unknown when it does not end. */
type Outcome = 'passed' | 'unknown' | { readonly failed: string };

/** Milliseconds after which a run is ended: a fault may keep the tests waiting, which says nothing about what they find. */
const maxRunMs = 30 * 60_000;
/** Bytes of what a run prints. */
const maxOutput = 256 * 1024 * 1024;
/** So many paths run in one process: the start of another takes longer than they do. */
const fewTests = 12;

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

/** Runs tests in a folder, the whole suite by default, until one fails. */
function runTests(folder: string, tests: readonly string[]): Promise<Outcome> {
  const inOneProcess = tests.length > 0 && tests.length <= fewTests ? ['-i'] : [];
  const options = ['--bail', '--silent', '--forceExit', '--colors=false', ...inOneProcess];
  const args = ['--env-file=test/suite.env', 'node_modules/jest/bin/jest.js', ...options, ...tests];
  const limits = { cwd: folder, timeout: maxRunMs, maxBuffer: maxOutput };
  return new Promise((resolve) => {
    execFile(process.execPath, args, limits, (error, _stdout, stderr) => {
      if (error === null) resolve('passed');
      else if (typeof error.code !== 'number') resolve('unknown');
      else resolve({ failed: /^ +● (.*)$/m.exec(stderr)?.[1] ?? `exit code ${error.code}` });
    });
  });
}

/** Plants a fault while something runs. */
async function during<T>(folder: string, { file, from, to }: Planting, run: () => Promise<T>): Promise<T> {
  const path = join(folder, 'src', file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    source.replace(from, () => to),
  );
  try {
    return await run();
  } finally {
    writeFileSync(path, source);
  }
}

const { values, positionals: parts } = parseArgs({
  options: { all: { type: 'boolean', default: false }, lanes: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const plantings = faultyFiles
  .flatMap(({ file, tests, faults }) =>
    faults.map(([from, to, effect]): Planting => ({ file, tests, from, to, effect })),
  )
  .filter(({ file, effect }) => parts.length === 0 || parts.some((part) => `${file}: ${effect}`.includes(part)));
const words = { passed: 'MISSED ', unknown: 'UNKNOWN' };
let found = 0;

async function plant(folder: string, planting: Planting): Promise<void> {
  const outcome = await during(folder, planting, async () => {
    const ofOwn = await runTests(folder, planting.tests);
    return ofOwn === 'passed' && values.all ? runTests(folder, []) : ofOwn;
  });
  const name = `${planting.file}: ${planting.effect}`;
  if (typeof outcome === 'string') return say(`${words[outcome]} ${name}`);
  found += 1;
  say(`found   ${name} (${outcome.failed})`);
}

const lanes: string[] = [];
try {
  if (!/^[1-9]$/.test(values.lanes)) throw new Error(`--lanes must be a number from 1 to 9, got "${values.lanes}"`);
  if (plantings.length === 0) throw new Error(`no planted fault has ${parts.join(' or ')} in its file or effect`);
  for (let lane = 0; lane < Number(values.lanes); lane += 1) lanes.push(copyCheckout());
  const tests = values.all ? [] : [...new Set(plantings.flatMap((planting) => planting.tests))];
  const outcome = await runTests(lanes[0] as string, tests);
  if (outcome !== 'passed')
    throw new Error(`without a fault: ${typeof outcome === 'string' ? 'no answer' : `fails: ${outcome.failed}`}`);
  // each lane takes the next fault from the one iterator
  const rest = plantings.values();
  await Promise.all(
    lanes.map(async (folder) => {
      for (const planting of rest) await plant(folder, planting);
    }),
  );
  say(`${found} of ${plantings.length} planted faults found`);
  if (found < plantings.length) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  for (const folder of lanes) rmSync(folder, { recursive: true, force: true });
}
