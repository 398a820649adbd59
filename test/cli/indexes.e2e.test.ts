/** `dossier indexes`: lists, builds and drops, of data that no server uses, and of a server that runs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { modelOf } from '../../src/models/mongoose.ts';
import type { Run } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { makeRoot } from '../support/fixtures/people.ts';
import { writeModels } from '../support/models.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const models = Object.fromEntries(
  ['film', 'book'].map((name) => [
    `${name}.js`,
    `const { Schema } = require('mongoose');
     const schema = new Schema({ genre: String, year: Number, title: { type: String, index: true } }, { perms: { admin: 'crud' } });
     if ('${name}' === 'book') schema.index({ title: 1, year: 1 });
     module.exports = schema;`,
  ]),
);

let folder: string;
let environment: Readonly<Record<string, string>>;
let remove: () => Promise<void>;
let start: () => Promise<TestServer>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-indexes-'));
  const files = await writeModels(models);
  remove = files.remove;
  const secret = 's'.repeat(32);
  environment = { MODELS_DIR: files.folder, DATA_DIR: folder, SHARED_SECRET: secret };
  const store = { data_dir: folder, inMemory: false, mongodb_url: undefined, shared_secret: secret };
  start = () => startServer({ models: files.folder, ...store });
});
afterAll(async () => {
  await remove();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: readonly string[]): Promise<Run> => runHere(folder, ['indexes', ...args], { environment });
const linesOf = ({ output }: Run): readonly string[] => output.trim().split('\n');
const missingIn = async (): Promise<readonly string[]> =>
  linesOf(await run()).filter((line) => line.startsWith('Missing'));

let key: string;
test('the advice of a server outlasts it, and is listed beside it', async () => {
  const server = await start();
  try {
    const root = await makeRoot(server);
    key = root.apikey;
    for (const [at, name] of ['film', 'book'].entries()) {
      const { collection } = modelOf(server.dossier.services.registry.get(name));
      await collection.insertMany(Array.from({ length: 300 }, (_, nth) => ({ genre: `g${nth}`, year: nth })));
      await collection.createIndex({ year: -1 }, { name: 'by hand' });
      if (at === 0) await server.get('/api/film?filter[genre]=g7', root);
    }
    await until(async () => (await missingIn()).length > 0);
  } finally {
    await server.close();
  }
  const [line, ...others] = await missingIn();
  expect(others).toEqual([]);
  expect(line).toMatch(/^Missing in film: \{"genre":1\} for \{"filter":.*"genre".*\} since \S+Z$/);
  const lines = linesOf(await run());
  expect(lines).toContainEqual(expect.stringMatching(/^book\ttitle_1\t\{"title":1\}\t\t\d+ bytes\t$/));
  expect(lines).toContain('Redundant in book: title_1, with which title_1_year_1 begins');
  // a store that was just opened has counted no uses
  expect(lines.filter((one) => one.startsWith('Unused'))).toEqual([]);
  expect(line).not.toContain('g7');
});

test('what is missing is built, once', async () => {
  expect(await run('--apply')).toEqual({ code: 0, output: 'film\tgenre_1\t{"genre":1}\tbuilt\n', messages: '' });
  expect(await missingIn()).toEqual([]);
  expect(await run('--apply')).toMatchObject({ code: 0, output: 'No index is missing\n' });
  const { output } = await run('--json');
  const { data, advice } = JSON.parse(output) as {
    readonly data: readonly object[];
    readonly advice: readonly object[];
  };
  expect(data).toContainEqual(expect.objectContaining({ model: 'film', name: 'genre_1', key: { genre: 1 } }));
  expect(advice).toContainEqual(expect.objectContaining({ model: 'book', reason: 'redundant', name: 'title_1' }));
});

test('an index is dropped by its name, with its model where others have it', async () => {
  expect(await run('--drop', 'by hand')).toMatchObject({
    code: 1,
    messages: 'error: several models have by hand: name book.by hand or film.by hand\n',
  });
  const change = { model: 'book', name: 'by hand', index: { year: -1 }, outcome: 'dropped' };
  const { code, output } = await run('--drop', 'book.by hand', '--json');
  expect([code, JSON.parse(output)]).toEqual([0, { changes: [change] }]);
  expect(await run('--drop', 'by hand')).toMatchObject({ code: 0, output: 'film\tby hand\t{"year":-1}\tdropped\n' });
  expect(await run('--drop', 'by hand')).toMatchObject({ code: 1, output: '' });
  const declared = await run('--drop', 'book.title_1');
  expect([declared.code, declared.messages]).toEqual([1, expect.stringContaining('remove it from the model file')]);
});

test('a server that uses the data is asked by its address', async () => {
  const server = await start();
  try {
    const refused = await run('--drop', 'genre_1');
    expect([refused.code, refused.messages]).toEqual([1, expect.stringContaining('--url')]);
    const ask = (...args: readonly string[]): Promise<Run> => run('--url', server.url, ...args);
    expect(await ask('--drop', 'genre_1')).toMatchObject({ code: 1, output: '' });
    const dropped = await ask('--key', key, '--drop', 'genre_1');
    expect(dropped).toEqual({ code: 0, output: 'film\tgenre_1\t{"genre":1}\tdropped\n', messages: '' });
    const lines = linesOf(await ask('--key', key));
    expect(lines).toContainEqual(expect.stringMatching(/^Unused in film: title_1 since /));
    // the reads that needed it are known
    expect(await ask('--key', key, '--apply')).toMatchObject({
      code: 0,
      output: dropped.output.replace('dropped', 'built'),
    });
    expect((await run('--url', 'http://127.0.0.1:9')).messages).toContain('does not answer');
  } finally {
    await server.close();
  }
});

test('an index whose options the model changes stops the start, which names how to drop it', async () => {
  const changed = Object.fromEntries(
    Object.entries(models).map(([name, text]) => [name, text.replace('index: true', 'index: true, sparse: true')]),
  );
  const files = await writeModels(changed);
  try {
    const own = { ...environment, MODELS_DIR: files.folder };
    const store = { data_dir: folder, inMemory: false, mongodb_url: undefined, shared_secret: 's'.repeat(32) };
    const startChanged = (): Promise<TestServer> => startServer({ models: files.folder, ...store });
    await expect(startChanged()).rejects.toThrow(
      'title_1 has other options than in the schema, and a start replaces no index: drop it (dossier indexes --drop film.title_1), and start again',
    );
    for (const name of ['film', 'book'])
      expect(await runHere(folder, ['indexes', '--drop', `${name}.title_1`], { environment: own })).toEqual({
        code: 0,
        output: `${name}\ttitle_1\t{"title":1}\tdropped\n`,
        messages: '',
      });
    const server = await startChanged();
    const indexes = await modelOf(server.dossier.services.registry.get('film')).collection.indexes();
    await server.close();
    expect(indexes).toContainEqual(expect.objectContaining({ name: 'title_1', sparse: true }));
  } finally {
    await files.remove();
  }
});
