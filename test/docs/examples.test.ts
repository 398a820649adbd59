/** Every request that the documentation shows with its answer is sent to a server with the sample, and the answers are compared. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { fetchDescribed } from '../support/described.ts';
import { openLibrary, type Library } from '../support/library.ts';
import { examplesOf, withPlaceholders } from './examples.ts';

const files = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const textOf = (file: string): string => readFileSync(join('docs', file), 'utf8');
const withExamples = files.filter((file) => examplesOf(textOf(file), {}).length > 0);

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
}, 120_000);

/** `$ID` in a document is the `_id` of the answer before. */
const idIn = (answer: unknown): string | undefined => (answer as { data?: { _id?: string } }).data?._id;

test('guides have examples', () => {
  expect(withExamples).toEqual(expect.arrayContaining(['links.md', 'permissions.md', 'queries.md', 'writing.md']));
});

describe.each(withExamples)('docs/%s', (file) => {
  const variables: Record<string, string> = {};
  test.each(examplesOf(textOf(file), {}).map(({ command }, at) => [command, at] as const))('%s', async (_, at) => {
    const example = examplesOf(textOf(file), { ...variables, PASSWORD: library.admin.password })[at];
    const url = example?.url.replace('http://127.0.0.1:4001', library.url) ?? '';
    const answer: unknown = await (await fetchDescribed(url, example?.init ?? {})).json();
    variables['ID'] = idIn(answer) ?? variables['ID'] ?? '';
    expect(withPlaceholders(answer, example?.answer)).toEqual(example?.answer);
  });
});

test('every file that a document points to exists', () => {
  const missing = files.flatMap((file) =>
    [...textOf(file).matchAll(/\]\((?!http|#)([^)#]+)/g)]
      .map(([, target]) => join('docs', dirname(file), target ?? ''))
      .filter((target) => !existsSync(target))
      .map((target) => `${file} → ${target}`),
  );
  expect(missing).toEqual([]);
});
