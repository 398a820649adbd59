/**
 * Casts and validates values by Mongoose's schema types, without creating a Mongoose document or query around them. It only accepts:
 * whatever is refused, or needs more than the schema types of single values and of lists (code of the model file, maps, other kinds of
 * values), is left to Mongoose, whose faults and results count. test/models/direct.test.ts compares both.
 */
import type { Schema, SchemaType } from 'mongoose';
import { type ModelEntry, mongooseModel } from '../../entry.ts';
import { timestampNamesOf } from '../../loading/timestamps.ts';
import { kindsOf, type Row } from '../../mongoose.ts';
import { schemaParts, typeParts } from '../internals.ts';
import { hasOwnHooks } from '../save-hooks.ts';
import {
  type Cast,
  castFields,
  castOf,
  checksOf,
  fieldsOf,
  hasPlainOptions,
  isFixed,
  isSingle,
  leaveToMongoose,
  listCast,
  replacesMethods,
  stamps,
  typesOf,
} from './cast.ts';

/** Direct casting of a model's values; each function returns undefined where Mongoose must do it. */
export interface Direct {
  /** The row of a new document. */
  readonly row: ((values: Readonly<Row>, now: Date) => Row | undefined) | undefined;
  /** What an update sets, cast, with its time. */
  readonly set: ((values: Readonly<Row>, now: Date) => Row | undefined) | undefined;
  /** Whether an update that changes a path runs no code of the model file, also where Mongoose casts it. */
  readonly isPlainPath: (path: string) => boolean;
}

const made = new WeakMap<ModelEntry, Direct>();

/** Compiled once per model. */
export function directOf(model: ModelEntry): Direct {
  const direct = made.get(model) ?? { row: rowMaker(model), set: setMaker(model), isPlainPath: plainPaths(model) };
  made.set(model, direct);
  return direct;
}

/** Runs a cast and its checks. @returns undefined where Mongoose must do it, and report what it finds */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

// rows of new documents

/** Whether a schema has, besides middleware, what only `save` of a new document respects. */
export function needsSave(schema: Schema): boolean {
  const { options } = schemaParts(schema);
  return replacesMethods(schema) || options['validateBeforeSave'] === false || options['writeConcern'] !== undefined;
}

/** @param functions whose middleware would run */
function isPlain({ [mongooseModel]: model }: ModelEntry, functions: readonly string[]): boolean {
  const { schema } = model;
  return (
    !hasOwnHooks(model.schema, functions) &&
    kindsOf(model).length === 0 &&
    hasPlainOptions(schema, true) &&
    Object.keys(timestampNamesOf(schema)).length === 0
  );
}

function rowMaker(entry: ModelEntry): Direct['row'] {
  const { schema } = entry[mongooseModel];
  const types = typesOf(schema);
  if (!isPlain(entry, ['save', 'validate']) || !types.every(([, type]) => isFixed(type))) return undefined;
  const fields = fieldsOf(schema, schemaParts(schema).tree, { prefix: '', isWhole: true });
  const checkAll = checksOf(types);
  return (values, now) =>
    attempt(() => {
      const row = castFields(values, fields);
      checkAll(row);
      return Object.assign(row, { createdAt: now, updatedAt: now, __v: 0 });
    });
}

// updates

function setMaker(entry: ModelEntry): Direct['set'] {
  const { schema } = entry[mongooseModel];
  if (!isPlain(entry, ['findOneAndUpdate', 'validate'])) return undefined;
  const types = Object.entries(schema.paths).filter(
    ([path, type]) => !stamps.has(path) && typeParts(type).options['immutable'] === undefined,
  );
  const byPath = new Map(
    types.flatMap(([path, type]): [string, Cast][] => {
      const cast = isSingle(type) ? updateCast(type) : listCast(type);
      return cast === undefined ? [] : [[path, cast]];
    }),
  );
  return (values, now) =>
    attempt(() => {
      const set: Row = {};
      for (const [path, value] of Object.entries(values)) {
        const cast = byPath.get(path);
        if (cast === undefined || value === undefined) throw leaveToMongoose;
        set[path] = cast(value);
      }
      set['updatedAt'] = now;
      return set;
    });
}

function updateCast(type: SchemaType): Cast {
  const parts = typeParts(type);
  return (value) => {
    const cast = parts.castForQuery(null, value);
    if ((parts.doValidateSync(cast) ?? undefined) !== undefined) throw leaveToMongoose;
    return cast;
  };
}

function plainPaths(entry: ModelEntry): Direct['isPlainPath'] {
  const { schema } = entry[mongooseModel];
  if (!isPlain(entry, ['findOneAndUpdate', 'validate'])) return () => false;
  const plain = new Set(stamps);
  for (const [path, type] of Object.entries(schema.paths)) if (castOf(type) !== undefined) plain.add(path);
  return (path) => plain.has(path);
}
