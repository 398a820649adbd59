/**
 * Compares the models of a project with what Mongoose itself does on a database beside it: what is stored, refused, found, populated and
 * deleted.
 */
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Connection, mongo } from 'mongoose';
import { emailOf, openPeople, type PeopledServer } from '../../support/fixtures/people.ts';
import { writeModels } from '../../support/models.ts';
import { type PlainModels, plainModels } from './plain-mongoose.ts';
import type { Project, Step } from './project.ts';

type Row = Readonly<Record<string, unknown>>;
/** The ids of documents by their names, in the service and in Mongoose. */
type Ids = Map<string, string>;

/** What the server adds to documents, and what differs from run to run. */
const own = new Set([
  ...['_id', '__v', 'createdAt', 'updatedAt', '_deleted', '_owner_id', '_updated_by_id'],
  // of users
  ...['email_verified', 'admin', 'groups', '_incarnation'],
]);

/** Answers show what a transformation would hide, which the start names. */
const whole = { transform: false as const };

/** Where the applications on disk are. */
const applications = resolve('test/models/projects/applications');

/** Describes each project: it starts as it is, warns of what it warns of, and each step has the outcome that it has in Mongoose. */
export const compareAll = (projects: readonly Project[]): void =>
  describe.each(projects.map((project) => [project.name, project] as const))('%s', (_name, project) =>
    compare(project),
  );

function compare(project: Project): void {
  let server: PeopledServer<'root'>;
  let plain: PlainModels;
  let beside: Connection;
  let remove: () => Promise<void>;
  const served: Ids = new Map();
  const direct: Ids = new Map();

  beforeAll(async () => {
    const written =
      'folder' in project ? { folder: resolve(applications, project.folder) } : await writeModels(project.files);
    remove = 'remove' in written ? written.remove : async () => undefined;
    server = await openPeople(['root'], { models: written.folder, models_folders: project.modelsFolders ?? [] });
    const { connection } = server.dossier.services;
    beside = connection.useDb(`${connection.name}_beside`);
    plain = await plainModels(written.folder, beside);
  });
  afterAll(() => remove());

  test('starts with the warnings of its files, and no other', () => {
    const warnings = server.log.map((line) => JSON.parse(line) as Row).filter(({ level }) => level === 'warn');
    // a busy machine logs slow requests
    const found = warnings.map(({ msg }) => String(msg).replaceAll(`${applications}/`, '')).filter(isOfFiles);
    const expected = project.warnings?.map((part) => expect.stringContaining(part));
    if (expected !== undefined) expect(found).toEqual(expected);
  });

  test('has the models of the application', async () => {
    const { rows } = await server.as('root', 'GET', '/model');
    const names = rows
      .map(({ name }) => name)
      .filter((name) => name !== 'user' || Object.values(project.models).includes('user'));
    expect(names).toEqual(expect.arrayContaining(Object.values(project.models)));
    expect(Object.keys(plain)).toEqual(expect.arrayContaining(Object.keys(project.models)));
  });

  test.each(project.steps.map((step, at) => [`${at + 1}. ${JSON.stringify(step).slice(0, 120)}`, step] as const))(
    '%s',
    async (_text, step) => {
      const [here, there] = [await inService(step), await inMongoose(step)];
      expect(here).toEqual(there);
      for (const [compiled, name] of Object.entries(project.models)) {
        const rows = await server.dossier.services.connection
          .collection(collectionOf(name))
          .find({ email: { $ne: emailOf('root') } })
          .toArray();
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
    if ('delete' in step) {
      const [model = '', id] = (served.get(step.delete) ?? '').split('/');
      const { status, text } = await server.as('root', 'DELETE', `/api/${modelOf(model)}/${id}?_permaDelete=1`);
      return outcome(status, text);
    }
    const query =
      'find' in step
        ? Object.entries(step.where).map(([path, value]) => `filter[${path}]=${encodeURIComponent(value)}`)
        : [`populate=${step.path}`];
    const answer = await server.as(
      'root',
      'GET',
      `/api/${modelOf('find' in step ? step.find : step.populate)}?sort=_id&${query.join('&')}`,
    );
    if (answer.status !== 200) throw new Error(answer.text);
    const rows = answer.rows.filter(({ email }) => email !== emailOf('root'));
    return 'find' in step
      ? rows.map(({ _id }) => labelOf(_id, served))
      : rows.map((row) => labelled(row[rootOf(step.path)], served));
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
      if ('delete' in step) {
        const [model = '', id] = (direct.get(step.delete) ?? '').split('/');
        await (plain[model] as PlainModels[string]).deleteOne({ _id: id });
        return 'done';
      }
    } catch (error) {
      return outcomeOf(error);
    }
    const model = plain['find' in step ? step.find : step.populate] as PlainModels[string];
    if ('find' in step) return (await model.find(step.where).sort('_id').lean()).map(({ _id }) => labelOf(_id, direct));
    const rows = await model.find().sort('_id').populate(step.path);
    const shown = rows.map((row) =>
      row.toJSON({ ...whole, virtuals: true, aliases: false, getters: true, flattenMaps: true }),
    );
    return shown.map((row) =>
      labelled(
        JSON.parse(
          JSON.stringify(row[rootOf(step.path)] ?? null, (_name, one) =>
            typeof one === 'bigint' ? shownBigInt(one) : one,
          ),
        ),
        direct,
      ),
    );
  }

  function remember(ids: Ids, name: string | undefined, id: unknown): void {
    const step = project.steps.find((one) => 'post' in one && one.as === name);
    if (name !== undefined && step !== undefined && 'post' in step) ids.set(name, `${step.post}/${String(id)}`);
  }
}

/** Errors of Mongoose and of the database, and those that say their status, are refusals; others are what the code of the models throws. */
function outcomeOf(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'TypeError') return error;
  return error.name !== 'Error' || 'status' in error || 'statusCode' in error ? 'refused' : 'failed';
}

/** 400, 409 and 422 are refusals, and 500 is what the code of the models throws; other faults are those of the server. */
function outcome(status: number, text: string): string {
  if (status < 300) return 'done';
  if (status === 500) return 'failed';
  if (![400, 409, 422].includes(status)) throw new Error(`${status} ${text}`);
  return 'refused';
}

/** The field of a path, which has the populated documents. */
const rootOf = (path: string): string => path.split('.', 1)[0] ?? path;

/** As the service shows whole numbers of 64 bits. */
const shownBigInt = (value: bigint): number | string =>
  Number.isSafeInteger(Number(value)) ? Number(value) : String(value);

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
  if (typeof value === 'string' && /^\$2[aby]\$/.test(value)) return 'a hash';
  if (typeof value === 'string' && value.length > 24)
    return labelOf(value, ids) ?? value.replaceAll(/[0-9a-f]{24}/g, (id) => labelOf(id, ids) ?? 'an id');
  if (typeof value !== 'object' || value === null) return labelOf(value, ids) ?? value;
  const text = Reflect.has(value, '_bsontype') ? String(value) : undefined;
  if (text !== undefined) return labelOf(text, ids) ?? (/^[0-9a-f]{24}$/.test(text) ? 'an id' : text);
  // Mongoose's JSON of 64 bits
  if ('high' in value && 'low' in value)
    return String(mongo.Long.fromValue(value as { low: number; high: number; unsigned: boolean }));
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

const isOfFiles = (message: string): boolean => !message.startsWith('slow ');
