/**
 * New documents and updates that are cast without Mongoose's documents and queries: accepted ones equal those of Mongoose, byte by
 * byte, over random schemas and bodies.
 */
import { afterAll, describe, expect, test } from '@jest/globals';
import mongoose, { Schema, type SchemaDefinition, type SchemaType } from 'mongoose';
import type { ModelEntry } from '../../src/models/entry.ts';
import { compileModels } from '../../src/models/loading/compile.ts';
import { ModelFaults } from '../../src/models/loading/files.ts';
import { ModelNames } from '../../src/models/loading/model-names.ts';
import { modelOf, mongo, ObjectId, type Row, storedRow } from '../../src/models/mongoose.ts';
import { directOf } from '../../src/models/mongoose/direct/index.ts';
import { reportWrites } from '../../src/models/mongoose/model-writes.ts';
import { isPlainObject } from '../../src/models/plain-object.ts';
import { castForCommand } from '../../src/write/plan/cast-update.ts';
import { numbersFrom } from '../support/numbers.ts';

const schemas = Number(process.env['DIRECT_SCHEMAS'] ?? 60);
const bodies = 20;
const connection = mongoose.createConnection();
afterAll(() => connection.close());
const now = new Date('2026-11-22T10:00:00.000Z');

/** Compiles the schema like a server, with a listener for the model's own writes. */
function entryOf(schema: Schema): ModelEntry {
  const listener = { wantsBefore: () => false, wrote: () => undefined, invalidate: () => undefined };
  for (const name of connection.modelNames()) connection.deleteModel(name);
  const loaded = { file: undefined, compiledAs: undefined, collection: undefined };
  const faults = new ModelFaults();
  const [entry] = compileModels(
    // its owners link to users
    [
      { ...loaded, name: 'made', schema },
      { ...loaded, name: 'user', schema: new Schema() },
    ],
    connection,
    {
      limit: 1000,
      names: new ModelNames([{ name: 'made' }, { name: 'user' }]),
      onSchema: (one, of) => reportWrites(one, of, listener),
      faults,
    },
  );
  faults.throwAny();
  return entry as ModelEntry;
}

/** The row that Mongoose creates; undefined if it refuses the values. */
async function mongooseRow(entry: ModelEntry, values: Row): Promise<Row | undefined> {
  try {
    const document = new (modelOf(entry))({ ...values });
    await document.validate();
    (document as unknown as { initializeTimestamps(): void }).initializeTimestamps();
    return { ...storedRow(document), createdAt: now, updatedAt: now, __v: 0 };
  } catch {
    return undefined;
  }
}

async function mongooseSet(entry: ModelEntry, values: Row): Promise<Row | undefined> {
  try {
    const { update } = await castForCommand({
      by: modelOf(entry),
      filter: {},
      update: { $set: { ...values }, $inc: { __v: 1 } },
    });
    const { $set, ...others } = update as { $set?: Row };
    expect(others).toEqual({ $inc: { __v: 1 } });
    return { ...$set, updatedAt: now };
  } catch {
    return undefined;
  }
}

const someId = new ObjectId('abcabcabcabcabcabcabcabc');

/** Replaces defaults of the current time by `now`, and ids by one. */
function withoutChance(value: unknown): unknown {
  if (value instanceof Date) return Math.abs(value.getTime() - Date.now()) < 60_000 ? now : value;
  if (value instanceof ObjectId) return someId;
  if (Array.isArray(value)) return value.map(withoutChance);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutChance(inner)]));
}
const stored = (row: Row): Row => mongo.BSON.deserialize(mongo.BSON.serialize(row), { promoteValues: false });
const bytesOf = (row: Row): string =>
  Buffer.from(mongo.BSON.serialize(withoutChance(stored(row)) as Row)).toString('hex');
const shown = (row: Row | undefined): string => mongo.BSON.EJSON.stringify(row, { relaxed: false });

describe('over random schemas', () => {
  const random = numbersFrom(Number(process.env['DIRECT_SEED'] ?? 7));
  const pick = <T>(...of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const maybe = (share: number): boolean => random() < share;

  const options = (instance: string): Row => ({
    ...(maybe(0.2) ? { required: maybe(0.05) ? () => true : pick<unknown>(true, [true, 'is missing']) } : {}),
    ...(maybe(0.1) ? { index: true } : {}),
    ...(maybe(0.1) ? { immutable: true } : {}),
    ...(maybe(0.01) ? { validate: (value: unknown) => value !== 'b' } : {}),
    ...(maybe(0.01) ? { set: (value: unknown) => value } : {}),
    ...(maybe(0.05) ? { select: false } : {}),
    ...(maybe(0.05) ? { alias: `other_${Math.floor(random() * 1e9)}` } : {}),
    ...(instance === 'String' && maybe(0.3)
      ? pick<Row>({ trim: true }, { lowercase: true }, { minlength: 2 }, { match: /a/ }, { enum: ['a', 'b', '1'] })
      : {}),
    ...(instance === 'Number' && maybe(0.3) ? pick<Row>({ min: 1 }, { max: 3 }, { enum: [1, 2] }) : {}),
    ...(instance === 'Date' && maybe(0.2) ? { min: new Date(0) } : {}),
    ...(maybe(0.2) ? { default: defaultOf(instance) } : {}),
  });
  const defaultOf = (instance: string): unknown =>
    ({
      String: maybe(0.05) ? () => 'made' : pick<unknown>('a', null),
      Number: pick<unknown>(2, '3'),
      Boolean: pick<unknown>(true, false),
      Date: maybe(0.1) ? new Date(5) : Date.now,
      ObjectId: null,
    })[instance];
  const single = (): Row => {
    const instance = pick('String', 'String', 'Number', 'Boolean', 'Date', 'ObjectId');
    return { type: Schema.Types[instance as 'String'], ...options(instance) };
  };
  const field = (level: number): unknown => {
    const kind = random();
    if (kind < 0.6) return single();
    if (kind < 0.68) return [pick<unknown>(String, Number, Date, { type: String, enum: ['a', 'b'] }, Boolean)];
    if (kind < 0.78 && level < 2) return fields(level + 1);
    if (kind < 0.8) return Schema.Types.Mixed;
    if (kind < 0.82) return { type: Map, of: String };
    if (kind < 0.97) return level < 2 ? [documents(level + 1)] : [new Schema({ c: String })];
    return new Schema({ c: { type: Number, default: 1 } });
  };
  const fields = (level: number): Record<string, unknown> => {
    const names = ['q', 'a', 'w', 'e', 'b', 'z'].filter(() => maybe(0.6));
    return Object.fromEntries((names.length === 0 ? ['a'] : names).map((name) => [name, field(level)]));
  };
  const documents = (level: number): Schema =>
    new Schema(
      fields(level) as SchemaDefinition,
      maybe(0.3) ? pick<object>({ _id: false }, { timestamps: true }, { strict: false }, { minimize: false }) : {},
    );
  const made = (): Schema =>
    new Schema(fields(0) as SchemaDefinition, {
      ...(maybe(0.08) ? pick<object>({ strict: 'throw' }, { minimize: false }, { strict: false }) : {}),
    });
  const value = (level: number): unknown =>
    pick<() => unknown>(
      () => pick('a', 'b', '1', '', ' A ', 'abcabcabcabcabcabcabcabc', '2026-01-01', 'true'),
      () => pick('a', 'b', '1', '2'),
      () => pick(0, 1, 2.5, -1, 1e20),
      () => pick(true, false),
      () => null,
      () => new Date(pick(0, 1e12)),
      () => new ObjectId('abcabcabcabcabcabcabcabc'),
      () => Array.from({ length: Math.floor(random() * 3) }, () => value(level + 1)),
      () => ['a', 'b'],
      () => (level < 3 ? bodyOf(level + 1) : 1),
      () => (level < 3 ? bodyOf(level + 1) : 1),
    )();
  const bodyOf = (level: number): Row =>
    Object.fromEntries(
      ['a', 'e', 'b', 'q', 'w', 'z', 'c', 'unknown']
        .filter((name) => maybe(name === 'unknown' ? 0.02 : name === 'c' ? 0.05 : 0.4))
        .map((name) => [name, value(level)]),
    );
  /** Values, most of which the schema accepts. */
  const fitting = (schema: Schema): Row => {
    const body: Row = {};
    for (const [path, type] of Object.entries(schema.paths)) {
      const {
        isRequired,
        embeddedSchemaType: member,
        schema: inner,
      } = type as {
        isRequired?: boolean;
        embeddedSchemaType?: SchemaType;
        schema?: Schema;
      };
      if (/^_|\$|At$/.test(path) || (isRequired !== true && !maybe(0.7))) continue;
      const fits: Readonly<Record<string, () => unknown>> = {
        String: () => pick('a', 'ab', 'b'),
        Number: () => pick<unknown>(1, 2, '2'),
        Boolean: () => pick<unknown>(true, 'false'),
        Date: () => pick<unknown>('2026-01-01', new Date(1e12), 1e12),
        ObjectId: () => 'abcabcabcabcabcabcabcabc',
      };
      const list = fits[member?.instance ?? ''];
      const fit =
        inner !== undefined && member !== undefined
          ? () => Array.from({ length: Math.floor(random() * 3) }, () => fitting(inner))
          : list === undefined
            ? fits[type.instance]
            : () => pick([list(), list()], [], [list()]);
      const keys = path.split('.');
      const last = keys.pop() ?? '';
      let at = body;
      for (const key of keys) at = (at[key] ??= {}) as Row;
      if (fit !== undefined) at[last] = fit();
    }
    return body;
  };

  test('a new row equals the one of Mongoose', async () => {
    let accepted = 0;
    for (let number = 0; number < schemas; number++) {
      const entry = entryOf(made());
      const { row } = directOf(entry);
      for (let at = 0; at < bodies && row !== undefined; at++) {
        const values: Row = { _id: new ObjectId(), ...(at % 3 === 0 ? bodyOf(0) : fitting(modelOf(entry).schema)) };
        const before = shown(values);
        const direct = row(values, now);
        expect(shown(values)).toBe(before);
        if (direct === undefined) continue;
        accepted += 1;
        const theirs = await mongooseRow(entry, values);
        if (theirs === undefined || bytesOf(direct) !== bytesOf(theirs))
          throw new Error(`${before}\n${shown(direct)}\n${shown(theirs)}`);
      }
    }
    expect(accepted).toBeGreaterThan(schemas);
  });

  test('an update sets the same values as Mongoose', async () => {
    let accepted = 0;
    for (let number = 0; number < schemas; number++) {
      const entry = entryOf(made());
      const { set } = directOf(entry);
      const paths = [...entry.schema.declared.keys()].filter((path) => !path.startsWith('_'));
      for (let at = 0; at < bodies && set !== undefined; at++) {
        const chosen = paths.filter(() => maybe(0.3));
        const fit = fitting(modelOf(entry).schema);
        const fitAt = (path: string): unknown =>
          path.split('.').reduce((inner: unknown, key) => (inner as Row | undefined)?.[key], fit);
        const values = Object.fromEntries(
          chosen.map((path) => [path, maybe(0.7) ? (fitAt(path) ?? value(0)) : value(0)]),
        );
        const direct = set(values, now);
        if (direct === undefined) continue;
        accepted += 1;
        const theirs = await mongooseSet(entry, values);
        if (theirs === undefined || bytesOf(direct) !== bytesOf(theirs))
          throw new Error(`${shown(values)}\n${shown(direct)}\n${shown(theirs)}`);
      }
    }
    expect(accepted).toBeGreaterThan(schemas);
  });
});

describe('left to Mongoose', () => {
  const given = { title: 'a' };
  const fields: SchemaDefinition = { title: String };
  const rows: [string, () => Schema][] = [
    ['save middleware', () => new Schema(fields).pre('save', () => undefined)],
    ['validate middleware', () => new Schema(fields).post('validate', () => undefined)],
    ['a validator', () => new Schema({ title: { type: String, validate: () => true } })],
    ['a setter', () => new Schema({ title: { type: String, set: (value: unknown) => value } })],
    ['a default that is computed', () => new Schema({ ...fields, made: { type: String, default: () => 'x' } })],
    ['the time as a number', () => new Schema({ ...fields, made: { type: Number, default: Date.now } })],
    ['the time as text', () => new Schema({ ...fields, made: { type: String, default: Date.now } })],
    ['a method of Mongoose', () => new Schema(fields, { methods: { validate: () => undefined } } as object)],
    ['another write concern', () => new Schema(fields, { writeConcern: { w: 1 } })],
  ];
  test.each(rows)('a new document of a schema with %s', (_what, schema) => {
    expect(directOf(entryOf(schema())).row?.(given, now)).toBeUndefined();
  });

  const updates: [string, () => Schema][] = [
    ['update middleware', () => new Schema(fields).pre('findOneAndUpdate', () => undefined)],
    ['a validator', () => new Schema({ title: { type: String, validate: () => true } })],
    ['an immutable path', () => new Schema({ title: { type: String, immutable: true } })],
  ];
  test.each(updates)('an update of a schema with %s', (_what, schema) => {
    expect(directOf(entryOf(schema())).set?.(given, now)).toBeUndefined();
  });

  test('nothing for a plain schema', () => {
    const { row, set } = directOf(entryOf(new Schema(fields)));
    expect(row?.(given, now)).toMatchObject({ ...given, _deleted: false, createdAt: now, __v: 0 });
    expect(set?.(given, now)).toEqual({ ...given, updatedAt: now });
  });

  const parts = [{ size: '1' }, {}];
  const cast = [{ size: 1, unit: 'm', _id: expect.any(ObjectId) }, expect.objectContaining({ unit: 'm' })];
  const part: SchemaDefinition = { size: { type: Number, max: 9 }, unit: { type: String, default: 'm' } };

  test('no documents in a list whose schema is plain', () => {
    const { row, set } = directOf(entryOf(new Schema({ ...fields, parts: [part] })));
    expect(row?.({ ...given, parts }, now)).toMatchObject({ ...given, parts: cast });
    expect(set?.({ parts }, now)).toMatchObject({ parts: cast });
    expect([row?.({ parts: [{ size: 10 }] }, now), set?.({ parts: [{ size: 10 }] }, now)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  const lists: [string, () => Schema][] = [
    ['middleware', () => new Schema(part).pre('validate', () => undefined)],
    ['a setter', () => new Schema({ size: { type: Number, set: (value: unknown) => value } })],
    ['a default that is computed', () => new Schema({ size: Number, unit: { type: String, default: () => 'm' } })],
    ['timestamps', () => new Schema(part, { timestamps: true })],
    ['free-form fields', () => new Schema({ size: Number, rest: {} })],
  ];
  test.each(lists)('documents in a list with %s', (_what, schema) => {
    const { row, set } = directOf(entryOf(new Schema({ ...fields, parts: [schema()] })));
    expect([row?.({ parts: [{ size: 1 }] }, now), set?.({ parts: [{ size: 1 }] }, now)]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
