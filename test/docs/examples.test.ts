/** Sends every request that the documentation shows with an answer to a server with the sample, and compares the answers. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fetchDescribed } from '../support/described.ts';
import { type Library, openLibrary } from '../support/fixtures/films.ts';
import { environmentOf, examplesOf, modelsOf, withPlaceholders } from './examples.ts';

const files = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
const textOf = (file: string): string => readFileSync(join('docs', file), 'utf8');
/** Their requests need codes or tickets of earlier answers, so they have tests of their own. */
const tested: ReadonlySet<string> = new Set(['second-factor.md']);
const withExamples = files.filter((file) => !tested.has(file) && examplesOf(textOf(file), {}).length > 0);

let common: Library;
beforeAll(async () => {
  common = await openLibrary();
}, 120_000);

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** The server for the examples of a guide: a separate, empty library if the guide shows model files or settings. */
async function libraryFor(file: string): Promise<Library> {
  const models = Object.entries(modelsOf(textOf(file)));
  const environment = environmentOf(textOf(file));
  if (models.length === 0 && Object.keys(environment).length === 0) return common;
  const folder = await mkdtemp(join(tmpdir(), 'dossier-guide-'));
  folders.push(folder);
  await cp('models', folder, { recursive: true });
  for (const [name, text] of models) writeFileSync(join(folder, name), text);
  // the examples of these guides read no films
  return openLibrary(folder, environment, []);
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

test('guides have examples', () => {
  expect(withExamples).toEqual(expect.arrayContaining(['links.md', 'permissions.md', 'queries.md', 'writing.md']));
});

describe.each(withExamples)('docs/%s', (file) => {
  const variables: Record<string, string> = {};
  let library: Library;
  beforeAll(async () => {
    library = await libraryFor(file);
  }, 120_000);
  test.each(examplesOf(textOf(file), {}).map(({ command }, at) => [command, at] as const))('%s', async (_, at) => {
    const example = examplesOf(textOf(file), { ...variables, PASSWORD: library.admin.password })[at];
    const url = example?.url.replace('http://127.0.0.1:4001', library.url) ?? '';
    const answer: unknown = await (await fetchDescribed(url, example?.init ?? {})).json();
    Object.assign(variables, variablesIn(answer));
    // `$CURSOR` in a guide is the `next_cursor` of the previous answer
    variables['CURSOR'] = (answer as { next_cursor?: string }).next_cursor ?? '';
    expect(withPlaceholders(answer, example?.answer)).toEqual(example?.answer);
  });
});
