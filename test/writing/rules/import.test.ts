/** Rules that read the document hold for imports, which save the records of such models one by one. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { importSources } from '../../../src/transfer/import/import.ts';
import { sourcesOf } from '../../../src/transfer/import/source.ts';
import { makeUsers, rootBasic } from '../../support/fixtures/people.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { linesOf, newFolder, textsIn } from '../../transfer/folders.ts';
import { type Beside, besideOf } from './beside.ts';
import { cases, filesOf, type Json } from './cases.ts';

const hooked = `module.exports = ({ Schema }) => {
  const schema = new Schema({ key: { type: String, unique: true }, n: Number, saves: { type: Number, default: 0 } });
  schema.pre('save', function () { if (this.n < 0) throw Object.assign(new Error('n is below 0'), { statusCode: 422, expose: true }); this.saves += 1; });
  return schema;
};`;

let server: TestServer;
let beside: Beside;
beforeAll(async () => {
  server = await startServer({ models: { ...filesOf(cases), 'hooked.cjs': hooked } });
  await makeUsers(server, ['root']);
  beside = besideOf(server, cases);
});

async function imported(
  model: string,
  file: string,
  text: string,
  more: { readonly on?: readonly string[]; readonly strict?: boolean } = {},
): Promise<{ readonly refused: readonly any[]; readonly stored: number }> {
  const folder = await newFolder();
  const path = join(folder, file);
  await writeFile(path, text);
  const sources = await sourcesOf({ path, model, input: Readable.from([]) });
  const options = { on: [], raw: false, strict: false, folder, onProgress: () => undefined, ...more };
  const { models } = await importSources(server.dossier.services, sources, options);
  return { refused: linesOf((await textsIn(folder))['refused.ndjson'] ?? ''), stored: models[model] ?? 0 };
}

const csvOf = (values: Json): string => {
  const cells = Object.values(values).map((value) =>
    JSON.stringify(value instanceof Date ? value.toISOString() : String(value)),
  );
  return `${Object.keys(values).join()}\n${cells.join()}\n`;
};

describe.each(cases.map((one) => [one.title, one] as const))('%s', (_title, one) => {
  // a cell that is empty is no value
  const changes = one.changes.filter((change) => !Object.values(change).includes(null));
  test.each<[way: string, keyOf: (target: { id: string; key: string }) => Json, on: readonly string[]]>([
    ['by id', ({ id }) => ({ _id: id }), []],
    ['by a unique value', ({ key }) => ({ key }), ['key']],
  ])('%s', async (_way, keyOf, on) => {
    for (const change of changes) {
      const right = await beside.expected(one, change);
      const target = await beside.stored(one);
      const before = await beside.fieldsOf(one.name, target.id);
      const { refused } = await imported(one.name, 'file.csv', csvOf({ ...keyOf(target), ...change }), { on });
      const fields = await beside.fieldsOf(one.name, target.id);
      expect({ change, refused: refused.length, fields }).toEqual(
        right === undefined ? { change, refused: 1, fields: before } : { change, refused: 0, fields: right },
      );
    }
  });
});

describe('middleware', () => {
  const rows = (): Promise<any[]> =>
    server.dossier.services.connection
      .collection('hookeds')
      .find({}, { sort: { key: 1 } })
      .toArray();
  const lines = (...records: readonly object[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('');

  test('runs for new records and for changes, once, and what it refuses is listed', async () => {
    const records = [
      { key: 'a', n: 1 },
      { key: 'b', n: -1 },
      { key: 'c', n: 3 },
    ];
    const first = await imported('hooked', 'hooked.ndjson', lines(...records), { on: ['key'] });
    expect([first.stored, first.refused.map(({ line }) => line)]).toEqual([2, [2]]);
    expect(await rows()).toMatchObject([
      { key: 'a', n: 1, saves: 1, __v: 0 },
      { key: 'c', n: 3, saves: 1, __v: 0 },
    ]);
    const changes = [
      { key: 'a', n: 2 },
      { key: 'c', n: 3 },
    ];
    expect(await imported('hooked', 'hooked.ndjson', lines(...changes), { on: ['key'] })).toMatchObject({
      refused: [],
    });
    expect(await rows()).toMatchObject([
      { key: 'a', n: 2, saves: 2, __v: 1 },
      { key: 'c', n: 3, saves: 1, __v: 0 },
    ]);
  });

  test('keeps the times of records', async () => {
    const times = { createdAt: { $date: '2020-01-01T00:00:00Z' }, updatedAt: { $date: '2021-01-01T00:00:00Z' } };
    await imported('hooked', 'hooked.ndjson', lines({ key: 't', n: 1, ...times }), { on: ['key'] });
    const [found] = (await rows()).filter(({ key }) => key === 't');
    expect([found.createdAt, found.updatedAt]).toEqual([new Date('2020-01-01'), new Date('2021-01-01')]);
    await imported('hooked', 'hooked.ndjson', lines({ key: 't', n: 2 }), { on: ['key'] });
    const [changed] = (await rows()).filter(({ key }) => key === 't');
    expect([changed.createdAt, changed.updatedAt > new Date('2025-01-01')]).toEqual([new Date('2020-01-01'), true]);
  });

  test('runs for the data of a setup, all or nothing', async () => {
    const documents = [
      { key: 's1', n: 1 },
      { key: 's2', n: 2 },
    ];
    const answer = await server.post('/setup/data', { hooked: documents }, { headers: rootBasic });
    expect(answer).toMatchObject({ status: 200, body: { results: { hooked: { insertedCount: 2 } } } });
    const ofSetup = async () => (await rows()).filter(({ key }) => key.startsWith('s'));
    const stored = await ofSetup();
    expect(stored).toMatchObject([{ saves: 1, _deleted: false, __v: 0 }, { saves: 1 }]);
    expect(stored.map(({ _id }) => String(_id))).toEqual(Object.values(answer.body['results'].hooked.insertedIds));
    const refused = [
      { key: 's3', n: 3 },
      { key: 's4', n: -1 },
    ];
    expect((await server.post('/setup/data', { hooked: refused }, { headers: rootBasic })).status).toBe(422);
    expect(await ofSetup()).toHaveLength(2);
  });

  test('ends a strict import at the first record that it refuses', async () => {
    const records = [
      { key: 'x1', n: 1 },
      { key: 'x2', n: -1 },
      { key: 'x3', n: 1 },
    ];
    const result = await imported('hooked', 'hooked.ndjson', lines(...records), { on: ['key'], strict: true });
    expect([result.stored, result.refused.map(({ line }) => line)]).toEqual([1, [2]]);
    expect((await rows()).map(({ key }) => key).filter((key) => key.startsWith('x'))).toEqual(['x1']);
  });
});
