/** `dossier check` says of each model how its changes are written, and why. When middleware runs is compared in test/models/middleware-runs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { linesOf, type ModelDetails } from '../../src/cli/check/details.ts';
import { checkProject } from '../../src/cli/check/project.ts';
import { writeModels } from '../support/models.ts';

let folder: string;
let details: readonly ModelDetails[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-check-'));
  const models = await writeModels({
    plain: ({ Schema }) => new Schema({ a: String }).pre('updateMany', () => undefined),
    saved: ({ Schema }) => {
      const part = new Schema({ b: String }).pre('validate', () => undefined).pre('find', () => undefined);
      const schema = new Schema({
        a: {
          type: String,
          required(this: { b?: string }) {
            return this.b !== undefined;
          },
        },
        parts: [part],
      });
      schema.methods.publish = () => undefined;
      schema.pre('publish' as 'save', () => undefined);
      schema.pre('createCollection', () => undefined);
      return schema
        .pre('save', () => undefined)
        .post('save', () => undefined)
        .pre('find', () => undefined);
    },
    switched: ({ Schema }) => new Schema({ a: String }, { save_on_put: false }).pre('save', () => undefined),
    asked: ({ Schema }) => new Schema({ a: String }, { save_on_put: true }),
    patterned: ({ Schema }) =>
      new Schema({ a: String })
        .pre('save', () => undefined)
        .pre(/^find/, () => undefined)
        .post(['updateOne', 'deleteMany'], () => undefined),
    listed: ({ Schema }) => new Schema({ a: String }).pre(/^find/, () => undefined),
    hidden: ({ Schema }) => new Schema({ a: String }, { internal: true }),
  });
  const environment = { MODELS_DIR: models.folder, DATA_DIR: folder, MONGODB_URL: '' };
  details = (await checkProject(environment, () => undefined)).details;
  await models.remove();
});
afterAll(() => rm(folder, { recursive: true }));

const of = (name: string): ModelDetails | undefined => details.find((one) => one.name === name);

test('each served model from a file has them', () => {
  expect(details.map(({ name }) => name)).toEqual(['asked', 'listed', 'patterned', 'plain', 'saved', 'switched']);
  for (const { file, name } of details) expect(file).toContain(`${name}.cjs`);
});

test.each([
  ['plain', 'atomic', []],
  ['saved', 'load and save', ["pre('save')", "post('save')", "pre('validate')", 'a (required)']],
  ['switched', 'atomic', ['save_on_put: false']],
  ['asked', 'load and save', ['save_on_put: true']],
])('changes of %s are %s', (name, changes, because) => {
  const { because: reasons = [], ...found } = of(name) ?? {};
  expect(found).toMatchObject({ changes });
  expect([...reasons].sort()).toEqual([...because].sort());
});

test('middleware that no request runs has what to use, or who runs it', () => {
  const idle = of('saved')?.middleware.filter(({ runs }) => runs.length === 0);
  expect(idle?.map(({ title, path, instead }) => [title, path, instead])).toEqual(
    expect.arrayContaining([
      ["pre('find')", undefined, expect.stringMatching(/what it would hide is shown; use rights/)],
      ["pre('find')", 'parts', 'nested documents run that of save, validate and init only'],
      ["pre('publish')", undefined, 'it runs where code calls publish'],
    ]),
  );
  expect(of('saved')?.middleware).toContainEqual({ title: "pre('createCollection')", runs: ['start'] });
});

test('middleware of a pattern is one, with the functions that no request runs', () => {
  const titlesOf = (name: string): readonly string[] => of(name)?.middleware.map(({ title }) => title) ?? [];
  expect(titlesOf('patterned')).toEqual(["pre('save')", 'pre(/^find/)', "post(['updateOne', 'deleteMany'])"]);
  expect(titlesOf('listed')).toEqual([
    "pre('findOneAndUpdate')",
    expect.stringMatching(/^pre\(\['find', 'findOne', .*'findOneAndReplace'.*\]\)$/),
  ]);
  const lines = linesOf(of('patterned') as ModelDetails).filter((line) => line.includes('no request'));
  expect(lines).toEqual([
    expect.stringMatching(/^ {2}pre\(\/\^find\/\): no request: what it would hide is shown/),
    expect.stringMatching(/^ {2}post\(\['updateOne', 'deleteMany'\]\): no request: use pre\('save'\)/),
  ]);
});

test('they are a section of lines, one for each set of requests', () => {
  const [first, ...lines] = of('saved') === undefined ? [] : linesOf(of('saved') as ModelDetails);
  expect(first).toMatch(
    /^Model saved \(.*saved\.cjs\): changes load and save the document, because of .*post\('save'\)/,
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^ {2}pre\('save'\), post\('save'\): POST, PUT, PATCH, .*import \(stored\)$/),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}a \(required\): with the document at POST, PUT, PATCH, /));
  expect(lines).toContainEqual("  pre('createCollection'): start");
  expect(linesOf(of('asked') as ModelDetails)).toEqual([
    expect.stringMatching(/^Model asked \(.*\): changes load and save the document, because of save_on_put: true$/),
  ]);
});
