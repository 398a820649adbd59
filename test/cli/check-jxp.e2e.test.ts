/** `dossier check --jxp` checks a folder of JXP as the preload serves it (docs/migrating.md). */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Run, runDossier } from '../support/command.ts';
import { programOf } from '../support/programs.ts';

const files: Readonly<Record<string, string>> = {
  'user_model.js': `/* global JXPSchema */
module.exports = JXPSchema.model('User', new JXPSchema({ name: String, email: String, password: String },
  { perms: { admin: 'crud', owner: 'crud', user: 'r' } }));`,
  'order_model.js': `/* global JXPSchema ObjectId */
const { fix_query } = require('jxp/libs/query_manipulation');
const OrderSchema = new JXPSchema({ title: String, user_id: { type: ObjectId, link: 'User' } }, { perms: { all: 'r' } });
OrderSchema.pre('find', function (next) { next(); });
OrderSchema.statics.fixed = () => fix_query({});
module.exports = JXPSchema.model('Order', OrderSchema);`,
  'plain_model.js': `const mongoose = require('mongoose');
const PlainSchema = new mongoose.Schema({ title: String });
PlainSchema.set('_perms', { admin: 'crud', all: 'r' });
module.exports = mongoose.model('Plain', PlainSchema);`,
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-check-jxp-'));
  await mkdir(join(folder, 'models'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'models', name), text);
});
afterAll(() => rm(folder, { recursive: true }));

const check = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Run> =>
  runDossier(['check', '--json', ...args], { folder, environment });

interface Found {
  readonly ok: boolean;
  readonly models: number;
  readonly faults: readonly { kind: string; message: string }[];
  readonly notices: readonly { kind: string; message: string; model?: string }[];
}
const resultOf = ({ output }: Run): Found => JSON.parse(output) as Found;

test('without the flag, the files have faults, which name it', async () => {
  const run = await check([]);
  expect(run.code).toBe(1);
  expect(resultOf(run).faults.map(({ message }) => message)).toEqual([
    expect.stringMatching(/order_model\.js: Cannot find module 'jxp\/libs\/query_manipulation': .*check with --jxp/),
    expect.stringMatching(/user_model\.js: JXPSchema is not defined: .*check with --jxp/),
  ]);
});

test('with it, they have none, and the notices name what the preload narrows', async () => {
  const run = await check(['--jxp']);
  const { ok, models, faults, notices } = resultOf(run);
  expect({ ok, models, faults, code: run.code }).toEqual({ ok: true, models: 3, faults: [], code: 0 });
  const ofJxp = notices.filter(({ kind }) => kind === 'jxp').map(({ message }) => message);
  expect(ofJxp).toHaveLength(2);
  expect(ofJxp).toContainEqual(
    expect.stringMatching(/user_model\.js: perms\.owner is left out: in JXP the owner of a user is who created them/),
  );
  expect(ofJxp).toContainEqual(expect.stringMatching(/order_model\.js: perms has no letters of admin/));
  expect(notices).toContainEqual(expect.objectContaining({ kind: 'hidden', model: 'order' }));
});

test('it finds what a process with the preload finds', async () => {
  const preload = { NODE_OPTIONS: `--import ${JSON.stringify(resolve(programOf('src/jxp.ts')))}` };
  const [byFlag, byPreload, both] = [await check(['--jxp']), await check([], preload), await check(['--jxp'], preload)];
  expect(resultOf(byPreload)).toEqual(resultOf(byFlag));
  expect(resultOf(both)).toEqual(resultOf(byFlag));
});

test("JXP's settings are faults, with the names of those that have taken their place", async () => {
  const run = await check(['--jxp'], { MODEL_DIR: './models' });
  expect(run.code).toBe(1);
  expect(resultOf(run).faults).toEqual([
    { kind: 'setting', message: 'MODEL_DIR is a setting of JXP: set MODELS_DIR in its place' },
  ]);
});
