/** What a start warns of is a notice of `dossier check`, with its kind and its model. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Fault, lineOf as printed } from '../../src/cli/check/faults.ts';
import { checkProject, type CheckReport } from '../../src/cli/check/project.ts';
import { warningKinds } from '../../src/models/loading/start-warnings.ts';
import { type ModelFiles, writeModels } from '../support/models.ts';
import { startServer } from '../support/server.ts';

/** The kinds of warnings, each with a model that causes it. */
const models = {
  right: ({ Schema }) => new Schema({ a: String }, { perms: { owner: 'crud' } }),
  rule: ({ Schema }) =>
    new Schema({ a: String }, { perms: { user: 'r' }, save_on_put: false }).pre('save', () => undefined),
  hidden: ({ Schema }) => new Schema({ a: String }, { perms: { user: 'r' } }).pre(/^find/, () => undefined),
  json: ({ Schema }) =>
    new Schema({ a: String }, { perms: { user: 'r' }, toJSON: { transform: (_, { a: _a, ...rest }) => rest } }),
  middleware: ({ Schema }) => new Schema({ a: String }, { perms: { user: 'r' } }).pre('updateMany', () => undefined),
  search: ({ Schema }) =>
    new Schema({ a: { type: String, select: false } }, { perms: { user: 'r' } }).index({ a: 'text' }),
  populate: ({ Schema, ObjectId }) =>
    new Schema({ a: { type: ObjectId, refPath: 'kind' }, kind: String }, { perms: { user: 'r' } }),
  language: ({ Schema }) => new Schema({ a: String, language: String }, { perms: { user: 'r' } }).index({ a: 'text' }),
  repeated: ({ Schema }) => new Schema({ a: { type: String, index: true } }, { perms: { user: 'r' } }).index({ a: 1 }),
  collection: ({ Schema }) => new Schema({ a: String }, { perms: { user: 'r' }, collection: 'twins' }),
} satisfies ModelFiles;

let data: string;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'dossier-check-'));
});
afterAll(() => rm(data, { recursive: true }));

const check = (folder: string, environment: Readonly<Record<string, string>> = {}): Promise<CheckReport> =>
  checkProject({ MODELS_DIR: folder, DATA_DIR: data, MONGODB_URL: '', ...environment }, () => undefined);

async function warningsOf(folder: string, environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const server = await startServer({ models: folder, environment });
  await server.close();
  return server.log
    .map((line) => JSON.parse(line) as { readonly level: string; readonly msg: string })
    .filter(({ level }) => level === 'warn')
    .map(({ msg }) => msg);
}

const lineOf = ({ model, message }: Fault): string => (model === undefined ? message : `${model}: ${message}`);

test('each warning of the start is one, and each kind has its model', async () => {
  const { folder, remove } = await writeModels({ ...models, twin: models.collection });
  const unknown = { CORS_ORIGIN: 'http://127.0.0.1' };
  const { faults, notices } = await check(folder, unknown);
  const lines = notices.map(lineOf);
  const warned = await warningsOf(folder, unknown);
  await remove();
  expect(faults).toEqual([]);
  expect(warned.length).toBeGreaterThan(Object.keys(models).length);
  expect(lines).toEqual(expect.arrayContaining([...warned]));
  for (const kind of Object.keys(models))
    expect(notices.filter((notice) => notice.kind === kind && notice.model === kind)).toHaveLength(1);
  expect(notices).toContainEqual({ kind: 'setting', message: expect.stringContaining('CORS_ORIGIN') });
});

test('a folder without models is one', async () => {
  const { folder, remove } = await writeModels({});
  const { notices } = await check(folder);
  await remove();
  expect(notices).toEqual([{ kind: 'folder', message: expect.stringMatching(/has no model files/) }]);
});

test('the kinds are all kinds of warnings', () => {
  expect([...Object.keys(models), 'folder', 'file'].sort()).toEqual([...warningKinds].sort());
});

test('rows that queries of the application hide are named by model and hook, which does not fail the check', async () => {
  const { folder, remove } = await writeModels({ hidden: models.hidden });
  const { faults, notices } = await check(folder);
  await remove();
  expect(faults).toEqual([]);
  expect(notices.filter(({ kind }) => kind === 'hidden').map(printed)).toEqual([
    expect.stringMatching(
      /^Middleware hidden: no request runs pre\(\['find', .*: what it would hide is shown; use rights/,
    ),
  ]);
});
