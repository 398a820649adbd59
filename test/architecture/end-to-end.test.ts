/** Which test files are end-to-end tests: their names end in `.e2e.test.ts`, by which `npm test` leaves them to `npm run test:e2e`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from '@jest/globals';

const folders = ['test', ...readdirSync('packages').map((name) => `packages/${name}/test`)];
const testFiles = folders.filter(existsSync).flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(folder, path.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.test.ts')),
);

/** What starts processes: Node's module, the driver of the browser, the bundler, and clients of MCP over standard input and output. */
const starting: ReadonlySet<string> = new Set([
  ...['node:child_process', 'playwright-core', 'esbuild'],
  ...['@modelcontextprotocol/client/stdio', '@modelcontextprotocol/sdk/client/stdio.js'],
]);
/** It starts a process on other databases only. */
const needs = 'test/support/needs.ts';

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(file, 'utf8').matchAll(/\bfrom '([^']+)';|\bimport\('([^']+)'\)/g)].map(
    ([, statement, call]) => statement ?? call ?? '',
  );

/** The first import of a file, or of the tests' own files that it imports, that starts processes. */
function startsWith(file: string, known: Set<string>): string | undefined {
  if (known.has(file) || file === needs || !folders.some((folder) => file.startsWith(`${folder}/`))) return undefined;
  known.add(file);
  const imports = importsOf(file);
  const own = imports.filter((name) => name.startsWith('.')).map((name) => posix.join(posix.dirname(file), name));
  return (
    imports.find((name) => starting.has(name)) ??
    own
      .filter(existsSync)
      .map((other) => startsWith(other, known))
      .find((found) => found !== undefined)
  );
}

test('each file is named after what it starts', () => {
  const misnamed = testFiles.flatMap((file) => {
    const started = startsWith(file, new Set());
    return file.endsWith('.e2e.test.ts') === (started !== undefined) ? [] : [{ file, started }];
  });
  expect(misnamed).toEqual([]);
});

test('the files that start first are there', () => {
  const named = [...readFileSync('test/support/sequencer.mjs', 'utf8').matchAll(/'(\S+\.test\.ts)'/g)].map(
    ([, file]) => file,
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((file = '') => !testFiles.includes(file))).toEqual([]);
});
