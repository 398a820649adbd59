/** Sends the requests of the README, and compares the answers with those that it shows. */
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fetchDescribed } from '../support/described.ts';
import { type Library, openLibrary } from '../support/fixtures/films.ts';
import { blocksOf, examplesOf, withPlaceholders } from './examples.ts';

const readme = readFileSync('README.md', 'utf8');
const examples = examplesOf(readme, {});
let library: Library;
let models: string;

beforeAll(async () => {
  models = await mkdtemp(join(tmpdir(), 'dossier-readme-'));
  await cp('models', models, { recursive: true });
  const own = blocksOf(readme).find(({ language }) => language === 'ts');
  await writeFile(join(models, 'book.ts'), own?.text ?? '');
  library = await openLibrary(models);
}, 120_000);

afterAll(async () => {
  await rm(models, { recursive: true });
});

test('shows requests with answers', () => {
  expect(examples.length).toBeGreaterThanOrEqual(5);
});

test.each(examples.map(({ command }, at) => [command, at] as const))('%s', async (_, at) => {
  const example = examplesOf(readme, { PASSWORD: library.admin.password })[at];
  const url = example?.url.replace('http://127.0.0.1:4001', library.url) ?? '';
  const answer: unknown = await (await fetchDescribed(url, example?.init ?? {})).json();
  expect(withPlaceholders(answer, example?.answer)).toEqual(example?.answer);
});

test('its own model has ten lines', () => {
  const own = blocksOf(readme).find(({ language }) => language === 'ts');
  expect(own?.text.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(10);
});

test('every npm script that it names exists', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> };
  const named = [...readme.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name ?? '');
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});
