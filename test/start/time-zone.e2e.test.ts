/** Times without a zone are UTC, whatever the zone of the process: in bodies, filters, pipelines and files. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runDossier } from '../support/command.ts';
import { writeModels } from '../support/models.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { linesOf } from '../transfer/folders.ts';

const model = `import { Schema } from 'mongoose';
export default new Schema({ name: String, at: Date, ats: [Date], any: Schema.Types.Mixed }, {
  perms: { all: 'crud' }, advanced_queries: { aggregate: true, bulkwrite: true },
});`;

let folder: string;
let models: Awaited<ReturnType<typeof writeModels>>;
let server: ServerProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-zone-'));
  models = await writeModels({ visit: model });
  server = await startProcess({ MODELS_DIR: models.folder, DATA_DIR: join(folder, 'data'), TZ: 'America/New_York' });
  if (server.url === '') throw new Error(server.printed());
});
afterAll(async () => {
  await server.stop('SIGKILL');
  await models.remove();
  await rm(folder, { recursive: true });
});

async function send(method: string, path: string, body?: unknown): Promise<Record<string, any>> {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await fetch(server.url + path, { method, ...sent });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, any>;
}

const texts: readonly (readonly [text: string, instant: string])[] = [
  ['2026-01-05T10:00', '2026-01-05T10:00:00.000Z'],
  ['2026-01-05T10:00:30', '2026-01-05T10:00:30.000Z'],
  ['2026-07-05T10:00:30.250', '2026-07-05T10:00:30.250Z'],
  ['2026-01-05 10:00', '2026-01-05T10:00:00.000Z'],
  ['2026-01-05', '2026-01-05T00:00:00.000Z'],
  ['2026-01-05T10:00+02:00', '2026-01-05T08:00:00.000Z'],
  ['2026-01-05T10:00Z', '2026-01-05T10:00:00.000Z'],
];

test.each(texts)('%s is %s in bodies, filters and pipelines', async (text, instant) => {
  const created = await send('POST', '/api/visit', { name: text, at: text, ats: [text] });
  expect(created['data']).toMatchObject({ at: instant, ats: [instant] });
  const path = `/api/visit/${String(created['data']._id)}`;
  await send('PUT', path, { at: null });
  expect((await send('PUT', path, { at: text }))['data']).toMatchObject({ at: instant });
  await send('POST', '/bulkwrite/visit', [{ updateOne: { filter: { at: text }, update: { $set: { at: text } } } }]);
  const named = `filter[name]=${encodeURIComponent(text)}`;
  expect((await send('GET', `/api/visit?${named}&filter[at]=${encodeURIComponent(text)}`))['data']).toHaveLength(1);
  for (const date of [text, { $date: text }, `new Date("${text}")`]) {
    expect((await send('POST', `/query/visit`, { query: { name: text, at: date } }))['data']).toHaveLength(1);
    const pipeline = [{ $match: { name: text, at: date } }];
    expect((await send('POST', '/aggregate/visit', pipeline))['data']).toHaveLength(1);
  }
});

test('in files too', async () => {
  const rows = texts.map(([text], at) => `${at},${text}`);
  await writeFile(join(folder, 'visit.csv'), ['name,at', ...rows].join('\n'));
  const environment = { MODELS_DIR: models.folder, DATA_DIR: join(folder, 'imported'), TZ: 'Asia/Kolkata' };
  const options = { folder, environment };
  expect(await runDossier(['import', 'visit.csv'], options)).toMatchObject({ code: 0, messages: '' });
  expect(await runDossier(['export', 'visit', '--out', 'out'], options)).toMatchObject({ code: 0 });
  const exported = linesOf(await readFile(join(folder, 'out', 'visit.ndjson'), 'utf8'));
  const instants = exported.map(({ name, at }) => [Number(name), new Date(Number(at.$date.$numberLong)).toISOString()]);
  expect(new Map(instants as [number, string][])).toEqual(new Map(texts.map(([, instant], at) => [at, instant])));
});
