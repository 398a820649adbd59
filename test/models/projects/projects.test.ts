/**
 * Folders of model files as applications of Mongoose have them, started as they are. Each request is compared with what Mongoose itself
 * does on a database beside it: what is stored, what is refused, what is found and populated (docs/models.md).
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { openPeople, type PeopledServer } from '../../support/fixtures/people.ts';
import { writeModels } from '../../support/models.ts';
import { communities } from './communities.ts';
import { courses } from './courses.ts';
import { offices } from './offices.ts';
import { type PlainModels, plainModels } from './plain-mongoose.ts';
import type { Project, Step } from './project.ts';
import { shops } from './shops.ts';

const projects: readonly Project[] = [...courses, ...shops, ...communities, ...offices];

type Row = Readonly<Record<string, unknown>>;
/** The ids of documents by their names, in the service and in Mongoose. */
type Ids = Map<string, string>;

/** What the server adds to documents, and what differs from run to run. */
const own = new Set(['_id', '__v', 'createdAt', 'updatedAt', '_deleted', '_owner_id', '_updated_by_id']);

test('there are twenty', () => {
  expect(projects.length).toBeGreaterThanOrEqual(20);
});

describe.each(projects.map((project) => [project.name, project] as const))('%s', (_name, project) => {
  let server: PeopledServer<'root'>;
  let plain: PlainModels;
  let beside: Connection;
  let remove: () => Promise<void>;
  const served: Ids = new Map();
  const direct: Ids = new Map();

  beforeAll(async () => {
    const written = await writeModels(project.files);
    remove = written.remove;
    server = await openPeople(['root'], { models: written.folder });
    const { connection } = server.dossier.services;
    beside = connection.useDb(`${connection.name}_beside`);
    plain = await plainModels(written.folder, beside);
  });
  afterAll(() => remove());

  test('has the models of the application', async () => {
    const { rows } = await server.as('root', 'GET', '/model');
    const names = rows.map(({ name }) => name).filter((name) => name !== 'user' || 'user' in project.files);
    expect(names).toEqual(expect.arrayContaining(Object.values(project.models)));
    expect(Object.keys(plain)).toEqual(expect.arrayContaining(Object.keys(project.models)));
  });

  test.each(project.steps.map((step, at) => [`${at + 1}. ${JSON.stringify(step).slice(0, 120)}`, step] as const))(
    '%s',
    async (_text, step) => {
      const [here, there] = [await inService(step), await inMongoose(step)];
      expect(here).toEqual(there);
      for (const [compiled, name] of Object.entries(project.models)) {
        const rows = await server.dossier.services.connection.collection(collectionOf(name)).find().toArray();
        const others = await beside
          .collection((plain[compiled] as PlainModels[string]).collection.name)
          .find()
          .toArray();
        expect({ [name]: labelled(rows, served) }).toEqual({ [name]: labelled(others, direct) });
      }
    },
  );

  const collectionOf = (name: string): string => server.dossier.services.registry.get(name).collection;
  const modelOf = (name: string): string => project.models[name] ?? name;

  /** The result of a step: `refused`, the names of the documents that are found, or what is populated. */
  async function inService(step: Step): Promise<unknown> {
    if ('post' in step) {
      const made = await server.as('root', 'POST', `/api/${modelOf(step.post)}`, { body: withIds(step.body, served) });
      if (made.status === 201) remember(served, step.as, made.document['_id']);
      return outcome(made.status, made.text);
    }
    if ('put' in step) {
      const [model = '', id] = (served.get(step.put) ?? '').split('/');
      const { status, text } = await server.as('root', 'PUT', `/api/${modelOf(model)}/${id}`, {
        body: withIds(step.body, served),
      });
      return outcome(status, text);
    }
    const query =
      'find' in step
        ? Object.entries(step.where).map(([path, value]) => `filter[${path}]=${encodeURIComponent(value)}`)
        : [`populate=${step.path}`];
    const { status, rows, text } = await server.as(
      'root',
      'GET',
      `/api/${modelOf('find' in step ? step.find : step.populate)}?sort=_id&${query.join('&')}`,
    );
    if (status !== 200) throw new Error(text);
    return 'find' in step
      ? rows.map(({ _id }) => labelOf(_id, served))
      : rows.map((row) => labelled(row[step.path], served));
  }

  async function inMongoose(step: Step): Promise<unknown> {
    try {
      if ('post' in step) {
        const made = await new (plain[step.post] as PlainModels[string])(withIds(step.body, direct)).save();
        remember(direct, step.as, made._id);
        return 'done';
      }
      if ('put' in step) {
        const [model = '', id] = (direct.get(step.put) ?? '').split('/');
        const found = await (plain[model] as PlainModels[string]).findById(id);
        await found.set(withIds(step.body, direct)).save();
        return 'done';
      }
    } catch (error) {
      return (error as Error).name === 'TypeError' ? error : 'refused';
    }
    const model = plain['find' in step ? step.find : step.populate] as PlainModels[string];
    if ('find' in step) return (await model.find(step.where).sort('_id').lean()).map(({ _id }) => labelOf(_id, direct));
    const rows = await model.find().sort('_id').populate(step.path);
    const shown = rows.map((row) => row.toJSON({ virtuals: true, aliases: false, getters: true, flattenMaps: true }));
    return shown.map((row) =>
      labelled(
        JSON.parse(
          JSON.stringify(row[step.path] ?? null, (_name, one) => (typeof one === 'bigint' ? String(one) : one)),
        ),
        direct,
      ),
    );
  }

  function remember(ids: Ids, name: string | undefined, id: unknown): void {
    const step = project.steps.find((one) => 'post' in one && one.as === name);
    if (name !== undefined && step !== undefined && 'post' in step) ids.set(name, `${step.post}/${String(id)}`);
  }
});

/** 400, 409 and 422 are refusals; other faults are those of the server. */
function outcome(status: number, text: string): string {
  if (status < 300) return 'done';
  if (![400, 409, 422].includes(status)) throw new Error(`${status} ${text}`);
  return 'refused';
}

const labelOf = (id: unknown, ids: Ids): string | undefined =>
  [...ids].find(([, made]) => made.endsWith(`/${String(id)}`))?.[0];

/** A value with the ids of its `@names`. */
const withIds = (value: Row, ids: Ids): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/"@(\w+)"/g, (_all, name: string) => JSON.stringify(ids.get(name)?.split('/')[1])),
  );

/** A value without what the server adds, and with names in place of ids. */
function labelled(value: unknown, ids: Ids): unknown {
  if (Array.isArray(value)) return value.map((one) => labelled(one, ids));
  if (value instanceof Date || (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value))) return 'a date';
  if (typeof value !== 'object' || value === null) return labelOf(value, ids) ?? value;
  const text = Reflect.has(value, '_bsontype') ? String(value) : undefined;
  if (text !== undefined) return labelOf(text, ids) ?? (/^[0-9a-f]{24}$/.test(text) ? 'an id' : text);
  // Mongoose's JSON of a Decimal128, which the service shows as a text
  if ('$numberDecimal' in value) return value.$numberDecimal;
  const { _id } = value as Row;
  // `id` is that of the service, unless the model has one of its own
  const isAlias = (name: string, inner: unknown): boolean => name === 'id' && String(inner) === String(_id);
  const entries = Object.entries(value).filter(([name, inner]) => !own.has(name) && !isAlias(name, inner));
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, labelled(inner, ids)] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
