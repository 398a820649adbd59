/** `dossier purge`: what is due is listed and removed at once, and with `--dry-run` only listed. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Run } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { emailOf, passwordOf, rootBasic } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';
import { newProject } from '../transfer/folders.ts';

const models = {
  box: "{ trash: '1d', history: true }",
  note: "{ history: { keep: '1d' } }",
};
const root = { headers: rootBasic };
const secret = 's'.repeat(32);
const longAgo = new Date(Date.now() - 3 * 86_400_000);

let folder: string;
let environment: Readonly<Record<string, string>>;
/** Documents of boxes: one that is due, one that was deleted just now, one that is there. */
let due: string, deleted: string, kept: string;
let note: string;

beforeAll(async () => {
  folder = await newProject('required: true');
  for (const [name, options] of Object.entries(models))
    await writeFile(
      join(folder, 'models', `${name}.js`),
      // the link is a warning of the log, which is not for people
      `module.exports = new (require('mongoose').Schema)({ title: String, by: { type: String, ref: 'nothing' } }, { ...${options}, perms: { admin: 'crud' } });\n`,
    );
  environment = { DATA_DIR: join(folder, 'data'), SHARED_SECRET: secret };
  const server = await startServer({
    models: join(folder, 'models'),
    data_dir: join(folder, 'data'),
    shared_secret: secret,
    inMemory: false,
    mongodb_url: undefined,
  });
  await server.post('/setup', { email: emailOf('root'), password: passwordOf('root') });
  const make = async (model: string): Promise<string> =>
    String((await server.post(`/api/${model}`, { title: 'x' }, root)).document['_id']);
  [due, deleted, kept, note] = [await make('box'), await make('box'), await make('box'), await make('note')];
  for (const id of [due, deleted]) await server.remove(`/api/box/${id}`, root);
  for (const title of ['a', 'b']) await server.put(`/api/note/${note}`, { title }, root);
  const { connection } = server.dossier.services;
  const $set = { updatedAt: longAgo };
  await connection.collection('boxes').updateMany({ title: 'x', _deleted: true }, { $set });
  await server.put(`/api/box/${deleted}`, { _deleted: false }, root);
  await server.remove(`/api/box/${deleted}`, root);
  await connection.collection('_dossier_history').updateMany({ document: note }, { $set: { at: longAgo } });
  await server.close();
});

const purge = (...flags: readonly string[]): Promise<Run> => runHere(folder, ['purge', ...flags], { environment });
const lines = (dryRun: boolean): string =>
  `box ${due}\nnote ${note}: 2 entries of its history\n1 document and 2 entries ${dryRun ? 'are due' : 'removed'}\n`;

test('a dry run lists what is due beside a server', async () => {
  const server = await startServer({
    ...{ models: join(folder, 'models'), data_dir: join(folder, 'data'), shared_secret: secret },
    ...{ inMemory: false, mongodb_url: undefined, background: false },
  });
  expect(await purge('--dry-run')).toEqual({ code: 0, output: lines(true), messages: '' });
  expect(await purge()).toMatchObject({ code: 1, messages: expect.stringMatching(/in use by another process/) });
  await server.close();
});

test('a dry run lists what is due, as text and as JSON, and removes nothing', async () => {
  for (let twice = 0; twice < 2; twice++)
    expect(await purge('--dry-run')).toEqual({ code: 0, output: lines(true), messages: '' });
  const { output } = await purge('--dry-run', '--json');
  expect(
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { model: 'box', id: due },
    { model: 'note', id: note, entries: 2 },
  ]);
});

test('a purge removes it with its history, and leaves all else; then nothing is due', async () => {
  expect(await purge()).toEqual({ code: 0, output: lines(false), messages: '' });
  expect(await purge()).toEqual({ code: 0, output: '0 documents and 0 entries removed\n', messages: '' });
  const server = await startServer({
    models: join(folder, 'models'),
    data_dir: join(folder, 'data'),
    shared_secret: secret,
    inMemory: false,
    mongodb_url: undefined,
  });
  const statusOf = async (path: string): Promise<number> => (await server.get(path, root)).status;
  expect(await statusOf(`/api/box/${due}?showDeleted=true`)).toBe(404);
  expect(await statusOf(`/history/box/${due}`)).toBe(404);
  expect(await statusOf(`/api/box/${deleted}?showDeleted=true`)).toBe(200);
  expect(await statusOf(`/api/box/${kept}`)).toBe(200);
  const { body } = await server.get(`/history/note/${note}`, root);
  expect(body.data).toMatchObject([{ rev: 3, op: 'change' }]);
  expect((await server.get(`/history/note/${note}/3`, root)).document).toMatchObject({ title: 'b' });
  await server.close();
});
