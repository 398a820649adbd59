/** `dossier check` compares documents as they are stored with the schema: unknown paths, types and defaults (docs/command.md, "Check"). */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { checkProject, type CheckReport } from '../../src/cli/check/project.ts';
import { runHere } from '../support/command-here.ts';
import { writeModels } from '../support/models.ts';
import { startServer } from '../support/server.ts';

const id = (n: number): Types.ObjectId => new Types.ObjectId(n.toString(16).padStart(24, '0'));
let data: string;
let models: Awaited<ReturnType<typeof writeModels>>;
let checked: CheckReport;
const environment = (): Record<string, string> => ({ MODELS_DIR: models.folder, DATA_DIR: data, MONGODB_URL: '' });

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'dossier-check-'));
  models = await writeModels({
    loose: ({ Schema }) => new Schema({ n: Number }, { strict: false, perms: { admin: 'crud' } }),
    kind: ({ Schema }) => {
      const schema = new Schema({ size: Number }, { discriminatorKey: 'type', perms: { admin: 'crud' } });
      schema.discriminator('disc', new Schema({ radius: { type: Number, default: 1 } }));
      schema.discriminator('box', new Schema({ width: Number }));
      return schema;
    },
    many: ({ Schema }) => new Schema({ name: String }, { perms: { admin: 'crud' } }),
    film: ({ Schema, Mixed, ObjectId }) =>
      new Schema(
        {
          title: { type: String, required: true },
          year: { type: Number, alias: 'released' },
          minutes: { type: BigInt },
          seen: Boolean,
          on: Date,
          by_id: { type: ObjectId },
          poster: Buffer,
          hash: { type: String, select: false },
          status: { type: String, default: 'new' },
          note: { type: String, default: null },
          meta: { length: { type: Number, default: 0 }, free: Mixed },
          tags: [String],
          grid: [[Number]],
          cast: [{ name: String, parts: [{ label: { type: String, default: '-' } }] }],
          map: { type: Map, of: new Schema({ count: Number }, { _id: false }) },
          any: Mixed,
          // of empty objects, which Mongoose does not store
          limits: { type: Mixed, default: {} },
          marks: { type: Mixed, default: () => ({}) },
          box: { type: new Schema({ width: Number }, { _id: false }), default: {} },
        },
        { perms: { admin: 'crud' } },
      ),
  });
  const server = await startServer({ models: models.folder, data_dir: data, inMemory: false, mongodb_url: undefined });
  const { connection, registry } = server.dossier.services;
  const insert = (model: string, rows: readonly object[]): Promise<unknown> =>
    connection.collection(registry.get(model).collection).insertMany(rows.map((row) => ({ ...row })));
  const fine = { title: 'a', status: 'b', meta: { length: 1 } };
  await insert('film', [
    {
      _id: id(1),
      ...fine,
      year: 1.5,
      minutes: 5,
      any: { x: 1 },
      map: { k: { count: 1 } },
      __v: 0,
    },
    { _id: id(2), ...fine, titel: 'secret-value', meta: { length: 1, lenght: 2, free: { y: [{ z: 1 }] } } },
    { _id: id(3), ...fine, titel: { deep: 1 }, cast: [{ nmae: 1 }, { nmae: 2, parts: [{ label: 'x', q: 1 }] }] },
    { _id: id(4), ...fine, released: 1990, map: { one: { cuont: 1 }, two: { cuont: 1 } }, _deletd: true },
    { _id: id(5), ...fine, year: '31', seen: 1, on: '2020-01-01', by_id: String(id(1)), poster: 'x', hash: 7 },
    {
      _id: id(6),
      ...fine,
      tags: 'one',
      grid: [[1], ['2']],
      cast: [{ name: 5, parts: [{}] }],
      map: { k: { count: '1' } },
    },
    { _id: id(7), title: 'x', meta: 5, year: null },
    { _id: id(8), status: 'x', meta: {} },
    { _id: id(9), ...fine, year: 'long ago', 'esc\u001b[31m': 1 },
  ]);
  await insert('loose', [{ n: 1, other: 2 }]);
  await insert('kind', [
    { _id: id(1), type: 'disc', radius: '2', size: '3' },
    { _id: id(2), type: 'box', width: 1, radius: 2 },
    { _id: id(3), type: 'disc', size: 1 },
    { _id: id(4), width: 1 },
  ]);
  await insert(
    'many',
    Array.from({ length: 30 }, (_, at) => Object.fromEntries(Array.from({ length: 5 }, (__, n) => [`p${at}_${n}`, 1]))),
  );
  await server.close();
  checked = await checkProject(environment(), () => undefined);
});
afterAll(async () => {
  await models.remove();
  await rm(data, { recursive: true });
});

const found = (list: 'faults' | 'notices', model: string): readonly string[] =>
  checked[list]
    .filter((fault) => fault.model === model)
    .map(
      ({ kind, path, message, count, examples }) => `${kind} ${path}: ${message} ×${count} ${Number(examples?.[0])}`,
    );

const asHex = (n: number): number => Number(String(id(n)));
const unknown = (path: string, near: string, count: number, at: number): string =>
  `unknown ${path}: not in the schema${near} ×${count} ${asHex(at)}`;
const near = (name: string): string => `, whose nearest name is ${name}`;
const typed = (path: string, type: string, stored: string, at: number): string =>
  `document ${path}: is not of type ${type}: it is stored as ${stored} ×1 ${asHex(at)}`;
const lacks = (path: string, count: number, at: number): string =>
  `default ${path}: the default of the schema is not stored ×${count} ${asHex(at)}`;

test('unknown paths and missing defaults are notices, with the nearest name', () => {
  expect(found('notices', 'film').toSorted()).toEqual(
    [
      unknown('titel', near('title'), 2, 2),
      unknown('meta.lenght', near('meta.length'), 1, 2),
      unknown('cast.nmae', near('cast.name'), 1, 3),
      unknown('cast.parts.q', '', 1, 3),
      unknown('released', ', where it is an alias of year', 1, 4),
      unknown('map.$*.cuont', near('map.$*.count'), 1, 4),
      unknown('_deletd', near('_deleted'), 1, 4),
      unknown('esc\uFFFD[31m', '', 1, 9),
      lacks('status', 1, 7),
      lacks('meta.length', 1, 8),
      lacks('cast.parts.label', 1, 6),
    ].toSorted(),
  );
});

test('types that filters miss, and required paths that are missing, are faults', () => {
  expect(found('faults', 'film').toSorted()).toEqual(
    [
      ...[
        typed('seen', 'Boolean', 'number', 5),
        typed('on', 'Date', 'string', 5),
        typed('poster', 'Buffer', 'string', 5),
      ],
      ...[typed('by_id', 'ObjectId', 'string', 5), typed('hash', 'String', 'number', 5)],
      ...[
        typed('tags', 'Array', 'string', 6),
        typed('grid', 'Number', 'string', 6),
        typed('cast.name', 'String', 'number', 6),
      ],
      ...[typed('map.$*.count', 'Number', 'string', 6), typed('meta', 'Object', 'number', 7)],
      typed('year', 'Number', 'string', 5).replace('×1', '×2'),
      `document title: does not fit the schema (required) ×1 ${asHex(8)}`,
    ].toSorted(),
  );
});

test('a document is compared with the schema of its discriminator; strict: false has no unknown paths', () => {
  expect(found('notices', 'kind').toSorted()).toEqual(
    [unknown('radius', '', 1, 2), unknown('width', '', 1, 4), lacks('radius', 1, 3)].toSorted(),
  );
  expect(found('faults', 'kind').toSorted()).toEqual(
    [typed('radius', 'Number', 'string', 1), typed('size', 'Number', 'string', 1)].toSorted(),
  );
  expect([found('notices', 'loose'), found('faults', 'loose')]).toEqual([[], []]);
});

test('the number of paths is bounded, and documents with others are counted', () => {
  const notices = checked.notices.filter(({ model }) => model === 'many');
  expect(notices).toHaveLength(101);
  expect(notices.at(-1)).toMatchObject({
    kind: 'unknown',
    message: 'more than 100 paths and reasons; there are others',
    count: 10,
    examples: { length: 3 },
  });
});

test('the command prints both, no values, and fails for faults only', async () => {
  const { code, output } = await runHere(data, ['check'], { environment: environment() });
  expect(code).toBe(1);
  expect(output).toContain(
    `Unknown path film.titel: not in the schema, whose nearest name is title in 2 documents, such as ${String(id(2))}, ${String(id(3))}\n`,
  );
  for (const value of ['secret-value', 'long ago', '\u001b']) expect(output).not.toContain(value);
  const one = await writeModels({ many: ({ Schema }) => new Schema({ name: String }, { perms: { admin: 'crud' } }) });
  const only = { ...environment(), MODELS_DIR: one.folder };
  expect(await runHere(data, ['check'], { environment: only })).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Unknown path many\.p0_0: .*\nNo faults in \d+ models? and \d+ documents\n$/s),
  });
  const json = await runHere(data, ['check', '--json'], { environment: only });
  await one.remove();
  expect(json.code).toBe(0);
  expect(JSON.parse(json.output)).toMatchObject({ ok: true, faults: [], notices: { length: 101 } });
});
