/** `dossier check` names all faulty model files at once, each with the line or the place in it, and what to do about it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { checkProject, type CheckReport } from '../../src/cli/check/project.ts';
import { writeModels } from '../support/models.ts';

const mongoose = "const mongoose = require('mongoose');\nconst { Schema } = mongoose;\n";
const schema = (fields: string, options = '{}'): string =>
  `${mongoose}module.exports = new Schema({ ${fields} }, ${options});`;

/** Faulty files, each of another kind, with the fault and its cure. */
const faulty: Readonly<Record<string, readonly [text: string, fault: RegExp]>> = {
  'syntax.cjs': [`${mongoose}module.exports = new Schema({ a: String };`, /^.*expected "," at 3:\d+$/],
  'package.cjs': [
    "require('not-installed-here');",
    /^the package not-installed-here is not installed: run "npm install not-installed-here" in the folder/,
  ],
  'throws.cjs': ["\nthrow new Error('no key');", /^no key \(line 2\)$/],
  'within.cjs': ["require('./_part.cjs');", /^part of it \(.*_part\.cjs:2\)$/],
  'type.cjs': [schema("a: 'Sting'"), /`Sting` is not a valid type at path `a`.* \(line 3\)$/],
  'hook.cjs': [
    `${mongoose}module.exports = new Schema({ a: String }).pre('remove', function () {});`,
    /^pre\('remove'\) never runs: .*; use deleteOne/,
  ],
  'option.cjs': [
    `module.exports = require('dossier').defineModel({ a: { type: String, requierd: true } });`,
    /^a has the unknown option .* did you mean "required"/,
  ],
  'letters.cjs': [schema('a: String', "{ perms: { all: 'rw' } }"), /^perms\.all must be letters of "crud", got "rw"$/],
  'row.cjs': [
    schema('a: String, title: String', '{ perms: { all: { r: { where: { titel: 1 } } } } }'),
    /^perms\.all\.r: where: titel is not in the schema; did you mean "title"\?$/,
  ],
  'static.cjs': [
    `${mongoose}const one = new Schema({ a: String }, { callable_statics: ['cuont'] });
one.statics.count = () => 1;
module.exports = one;`,
    /^callable_statics names cuont, which is not a static of the schema; did you mean "count"\?$/,
  ],
  'reserved.cjs': [schema('save: String', '{ suppressReservedKeysWarning: true }'), /^save .*: rename the field$/],
  'date.cjs': [schema('_id: Date'), /^_id must be of type ObjectId, String, Number, UUID, not Date$/],
  'jxp.cjs': [
    'module.exports = new JXPSchema({ a: String });',
    /^JXPSchema is not defined: .*--import dossier\/jxp.*check with --jxp/,
  ],
  'requires.cjs': ["require('jxp/libs/schema');", /^Cannot find module 'jxp\/libs\/schema': .*check with --jxp/],
  '1st.cjs': [schema('a: String'), /^the name of a model must start with a letter/],
  'twice_model.cjs': [schema('a: String'), /twice\.cjs already defines the model twice$/],
};
const sound = {
  '_part.cjs': "\nthrow new Error('part of it');",
  'twice.cjs': schema('a: String'),
};

let data: string;
let models: Awaited<ReturnType<typeof writeModels>>;
let checked: CheckReport;

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'dossier-check-'));
  const texts = Object.entries(faulty).map(([file, [text]]) => [file, text] as const);
  models = await writeModels({ ...Object.fromEntries(texts), ...sound });
  const environment = { MODELS_DIR: models.folder, DATA_DIR: data, MONGODB_URL: '' };
  checked = await checkProject(environment, () => undefined);
});
afterAll(async () => {
  await models.remove();
  await rm(data, { recursive: true });
});

const found = (): ReadonlyMap<string, string> =>
  new Map(
    checked.faults.map(({ message }) => {
      const [, path = '', reason = ''] = /^(.*?\.cjs): (.*)$/s.exec(message) ?? [];
      return [basename(path), reason];
    }),
  );

test('each faulty file has one fault, and no other file has', () => {
  expect(checked.faults.every(({ kind }) => kind === 'model')).toBe(true);
  expect(checked.faults).toHaveLength(Object.keys(faulty).length);
  expect([...found().keys()].sort()).toEqual(Object.keys(faulty).sort());
});

describe('the fault says what is wrong, where, and what to do', () => {
  test.each(Object.entries(faulty).map(([file, [, fault]]) => [file, fault] as const))('%s', (file, fault) => {
    expect(found().get(file)).toMatch(fault);
  });
});
