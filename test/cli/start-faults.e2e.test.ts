/** Everything that stops a start is reported at once, one fault a line, by the start and by `dossier check` alike. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createServer, ModelFileError, ProjectError, SettingsError } from 'dossier';
import { runHere } from '../support/command-here.ts';

const schema = (fields: string, options = '{}'): string =>
  `module.exports = ({ Schema, ObjectId }) => new Schema(${fields}, ${options});\n`;

/** The files of a project, each model with a fault of another step of the start. */
const files = {
  'dossier.config.cjs':
    "module.exports = { quereis: 1, pre_hooks: { gte: () => {} }, query_limits: { max: 'many' } };\n",
  'models/1st.cjs': schema('{}'),
  'models/constructor.cjs': schema('{}'),
  'models/broken.cjs': 'module.exports = ({ Schema }) => new Schema({ title: String, };\n',
  'models/absent.cjs': "require('not-installed-here');\n",
  'models/misspelt.cjs':
    "module.exports = require('dossier').defineModel({ title: { type: String, requierd: true } });\n",
  'models/linked.cjs': schema(
    "{ a_id: { type: ObjectId, link: 'nothing' }, b_id: { type: ObjectId, link: 'neither' } }",
  ),
  // the file of its model has a fault, which is no fault of the link
  'models/whole.cjs': schema("{ broken_id: { type: ObjectId, link: 'broken' } }"),
  'models/shown.cjs': schema("{ whole_id: { type: ObjectId, link: 'whole', reverse: 'whole-shown' } }"),
  'models/ruled.cjs': schema(
    '{ open: Boolean }',
    '{ perms: { user: { r: { where: { opne: true } }, u: { where: { opn: 1 } } } } }',
  ),
};

/** The lines of these files, without what follows the reason. */
const ofModels = [
  'Model file models/1st.cjs: the name of a model must start with a letter',
  'Model file models/absent.cjs: the package not-installed-here is not installed',
  'Model file models/broken.cjs: ParseError: Unexpected token, expected "," at 1:62',
  'Model file models/constructor.cjs: a model must not have this name',
  'Model file models/linked.cjs: a_id links to nothing, but no model has this name',
  'Model file models/linked.cjs: b_id links to neither, but no model has this name',
  'Model file models/misspelt.cjs: ',
  'Model file models/ruled.cjs: perms.user.r: ',
  'Model file models/ruled.cjs: perms.user.u: ',
  'Model file models/shown.cjs: reverse "whole-shown" of whole_id: ',
];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faults-'));
  await mkdir(join(folder, 'models'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
});
afterEach(() => rm(folder, { recursive: true }));

const linesOf = (text: string): readonly string[] => text.trim().split('\n').sort();

/** The lines of the start and of the check, which are to be the same. */
async function faults(environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const checked = await runHere(folder, ['check'], { environment });
  const started = await runHere(folder, ['start'], { environment });
  expect(checked).toEqual({ code: 1, output: expect.any(String), messages: '' });
  expect(started).toEqual({ code: 1, output: '', messages: checked.output });
  return linesOf(checked.output);
}

const beginning = (lines: readonly string[], expected: readonly string[]): void => {
  expect(lines.map((line, at) => line.slice(0, expected[at]?.length))).toEqual(expected);
};

test('faults of settings, the config file and all model files', async () => {
  const config = join(folder, 'dossier.config.cjs');
  beginning(await faults({ PORT: 'many', BCRYPT_COST: 'x' }), [
    ...ofModels,
    `Setting ${config}: pre_hooks.gte is unknown`,
    `Setting ${config}: quereis is unknown`,
    'Setting BCRYPT_COST: ',
    'Setting PORT: ',
    'Setting QUERY_LIMITS_MAX: ',
  ]);
});

test('a config file that cannot be loaded hides neither settings nor models', async () => {
  await writeFile(join(folder, 'other.cjs'), "throw new Error('the reason\\nmore');\n");
  beginning(await faults({ PORT: 'many', DOSSIER_CONFIG: 'other.cjs' }), [
    ...ofModels,
    `Setting DOSSIER_CONFIG: ${join(folder, 'other.cjs')}: the reason`,
    'Setting PORT: ',
  ]);
});

test('faults of all model files, with right settings', async () => {
  await rm(join(folder, 'dossier.config.cjs'));
  beginning(await faults({}), ofModels);
});

test('a data folder that cannot be used, and faults of model files', async () => {
  await rm(join(folder, 'dossier.config.cjs'));
  await writeFile(join(folder, 'file'), '');
  const { messages } = await runHere(folder, ['start'], { environment: { DATA_DIR: 'file' } });
  beginning(linesOf(messages), [...ofModels, 'Setting DATA_DIR: ']);
});

test('a server with workers, too', async () => {
  await rm(join(folder, 'dossier.config.cjs'));
  await writeFile(join(folder, 'file'), '');
  for (const environment of [{ DATA_DIR: 'file' }, { PORT: 'many' }]) {
    const { messages } = await runHere(folder, ['start'], { environment: { ...environment, WORKERS: '2' } });
    beginning(linesOf(messages), [...ofModels, `Setting ${Object.keys(environment)[0] ?? ''}: `]);
  }
});

test('a program that embeds Dossier gets an error with all of them', async () => {
  const models_dir = resolve(folder, 'models');
  const error: unknown = await createServer({ models_dir, port: -1 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ProjectError);
  const { errors, message } = error as ProjectError;
  expect(errors).toEqual([expect.any(SettingsError), expect.any(ModelFileError)]);
  expect(message.split('\n')).toHaveLength(1 + ofModels.length);
  const onlyModels: unknown = await createServer({ models_dir, inMemory: true }).catch((thrown: unknown) => thrown);
  expect(onlyModels).toBeInstanceOf(ModelFileError);
  expect((onlyModels as ModelFileError).faults).toHaveLength(ofModels.length);
});
