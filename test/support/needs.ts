/** Tests of what not every database can do: left out, by the name of what is lacking, only where the database in use lacks it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from '@jest/globals';
import { onMongo } from './database.ts';

export type Feature = 'transactions' | 'change streams' | 'text search' | 'currentOp' | 'collation';

/** `test`, or where the database lacks the feature, a `test.skip` that says so. The embedded store has them all. */
export function needs(feature: Feature): (name: string, run: () => Promise<void>, timeout?: number) => void {
  if (!onMongo || featuresOf(process.env['MONGODB_URL'] ?? '')[feature] === true) return test;
  return (name, run, timeout) => test.skip(`${name} (this database has no ${feature})`, run, timeout);
}

let known: Readonly<Record<string, unknown>> | undefined;

/** Tests are declared before anything can be awaited, so the database is asked by a process of its own. */
function featuresOf(url: string): Readonly<Record<string, unknown>> {
  if (known !== undefined) return known;
  const told = execFileSync(process.execPath, [join(__dirname, 'probe.mjs'), url], { encoding: 'utf8' });
  known = JSON.parse(told) as Record<string, unknown>;
  return known;
}
