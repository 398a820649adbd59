/** Sends every request that the README and the guides show with an answer to a server with the sample, and compares the answers. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fetchDescribed } from '../support/described.ts';
import { type Library, openLibrary } from '../support/fixtures/films.ts';
import { needs } from '../support/needs.ts';
import { blocksOf, environmentOf, examplesOf, modelsOf, withPlaceholders } from './examples.ts';

const guides = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const files = ['README.md', ...guides.map((name) => join('docs', name))];
const textOf = (file: string): string => readFileSync(file, 'utf8');
/** Their requests need codes or tickets of earlier answers, so they have tests of their own. */
const tested: ReadonlySet<string> = new Set([join('docs', 'second-factor.md')]);
const withExamples = files.filter((file) => !tested.has(file) && examplesOf(textOf(file), {}).length > 0);

let common: Library;
beforeAll(async () => {
  // the README has a model of its own
  const book = blocksOf(textOf('README.md')).find(({ language }) => language === 'ts');
  common = await openLibrary(await withModels([['book.ts', book?.text ?? '']]));
}, 180_000);

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** @returns a folder with the sample models and these */
async function withModels(models: readonly (readonly [string, string])[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-guide-'));
  folders.push(folder);
  await cp('models', folder, { recursive: true });
  for (const [name, text] of models) writeFileSync(join(folder, name), text);
  return folder;
}

/** The server for the examples of a guide: a separate, empty library if the guide shows model files or settings. */
async function libraryFor(file: string): Promise<Library> {
  const models = Object.entries(modelsOf(textOf(file)));
  const environment = environmentOf(textOf(file));
  if (models.length === 0 && Object.keys(environment).length === 0) return common;
  // the examples of these guides read no films
  return openLibrary(await withModels(models), environment, []);
}

interface Identified {
  readonly _id?: string;
  readonly id?: string;
  readonly key?: string;
}

/** `$ID` in a guide is the id of the previous answer, or of the first member of its list; `$KEY` is its named key. */
function variablesIn(answer: unknown): Readonly<Record<string, string>> {
  const { data } = answer as { data?: Identified | readonly Identified[] };
  const {
    _id,
    id = _id,
    key,
  } = (Array.isArray(data) ? (data as readonly Identified[])[0] : (data as Identified)) ?? {};
  return { ...(id === undefined ? {} : { ID: id }), ...(key === undefined ? {} : { KEY: key }) };
}

test('the README and guides have examples', () => {
  const named = ['links.md', 'permissions.md', 'queries.md', 'writing.md'].map((name) => join('docs', name));
  expect(withExamples).toEqual(expect.arrayContaining(named));
  expect(examplesOf(textOf('README.md'), {}).length).toBeGreaterThanOrEqual(5);
});

describe.each(withExamples)('%s', (file) => {
  const variables: Record<string, string> = {};
  let library: Library;
  beforeAll(async () => {
    library = await libraryFor(file);
  }, 180_000);
  for (const [at, { command }] of examplesOf(textOf(file), {}).entries()) {
    const declare = command.includes('/batch') ? needs('transactions') : test;
    declare(command, async () => {
      const example = examplesOf(textOf(file), { ...variables, PASSWORD: library.admin.password })[at];
      const url = example?.url.replace('http://127.0.0.1:4001', library.url) ?? '';
      const answer: unknown = await (await fetchDescribed(url, example?.init ?? {})).json();
      Object.assign(variables, variablesIn(answer));
      // `$CURSOR` in a guide is the `next_cursor` of the previous answer
      variables['CURSOR'] = (answer as { next_cursor?: string }).next_cursor ?? '';
      expect(withPlaceholders(answer, example?.answer)).toEqual(example?.answer);
    });
  }
});
