/** Tests that need a feature which not every database has: skipped, with the feature's name, where the database lacks it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from '@jest/globals';
import { onMongo } from './database.ts';

export type Feature =
  | 'transactions'
  | 'change streams'
  | 'text search'
  | 'currentOp'
  | 'collation'
  | 'options of collections'
  | 'explain'
  | 'codes of time zones'
  | 'a bound on patterns';

type Row = readonly [unknown, ...(readonly unknown[])];
interface Needing {
  (name: string, run: () => Promise<void>, timeout?: number): void;
  each<T extends Row>(rows: readonly T[]): (name: string, run: (...row: T) => Promise<void>, timeout?: number) => void;
}

/** `test`, or where the database lacks the feature, a `test.skip` that names it. The embedded store has them all. */
export function needs(feature: Feature): Needing {
  const has = !onMongo || featuresOf(process.env['MONGODB_URL'] ?? '')[feature] === true;
  const title = (name: string): string => (has ? name : `${name} (this database has no ${feature})`);
  const run = has ? test : test.skip;
  return Object.assign((name: string, body: () => Promise<void>, timeout?: number) => run(title(name), body, timeout), {
    each:
      <T extends Row>(rows: readonly T[]) =>
      (name: string, body: (...row: T) => Promise<void>, timeout?: number) =>
        run.each(rows)(title(name), body, timeout),
  });
}

/** `test` for behaviour of POSIX systems, such as signals; on Windows it is skipped, and its title says why. */
export const onPosix: (name: string, run: () => Promise<void>, timeout?: number) => void =
  process.platform === 'win32' ? (name, run, timeout) => test.skip(`${name} (needs POSIX)`, run, timeout) : test;

let known: Readonly<Record<string, unknown>> | undefined;

/** Tests are declared before anything can be awaited, so a process of its own probes the database. */
function featuresOf(url: string): Readonly<Record<string, unknown>> {
  if (known !== undefined) return known;
  const answers = execFileSync(process.execPath, [join(__dirname, 'probe.mjs'), url], { encoding: 'utf8' });
  known = JSON.parse(answers) as Record<string, unknown>;
  return known;
}
