/**
 * Casts and validates values by Mongoose's schema types, without creating a Mongoose document or query around them. It only accepts:
 * whatever is refused, or needs more than the schema types of single values (code of the model file, documents in lists, maps, other kinds
 * of values), is left to Mongoose, whose faults and results count. test/models/direct.test.ts compares both.
 */
import mongoose, { type Schema, type SchemaType } from 'mongoose';
import { type ModelEntry, mongooseModel } from '../entry.ts';
import { idRule } from '../fields/document-id.ts';
import { fieldTypeOf } from '../fields/types/index.ts';
import { timestampNamesOf } from '../loading/timestamps.ts';
import { kindsOf, ObjectId, type Row } from '../mongoose.ts';
import { isPlainObject } from '../plain-object.ts';
import { hasOwnSetters, innerOf, schemaParts, typeParts } from './internals.ts';
import { hasOwnHooks } from './save-hooks.ts';

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

/** The validators that options of a path create; they need nothing but the value. */
const optionChecks: ReadonlySet<unknown> = new Set([
  ...['required', 'min', 'max', 'enum', 'regexp', 'minlength', 'maxlength', idRule],
]);

/** Whether a type has validators of the model file. */
const hasOwnChecks = (type: SchemaType): boolean =>
  typeParts(type).validators.some((one) => !optionChecks.has(one.type)) ||
  [typeParts(type).options['required']].flat().some((required) => typeof required === 'function');

const isSingle = (type: SchemaType): boolean =>
  fieldTypeOf(type)?.isDirect === true && !hasOwnSetters(type) && !hasOwnChecks(type);

/** Casts a value of a path. @throws Mongoose's CastError; `elsewhere` for a value that is left to Mongoose */
type Cast = (value: unknown) => unknown;

/** Created once, because it is only thrown and caught here. */
const elsewhere = new Error('left to Mongoose');

/** @returns undefined for a type that is left to Mongoose */
function castOf(type: SchemaType): Cast | undefined {
  if (isObjectId(type)) return id;
  if (isSingle(type)) return (value) => typeParts(type).applySetters(value);
  const member = innerOf(type).embeddedSchemaType;
  if (type.instance !== 'Array' || member === undefined || !isSingle(member)) return undefined;
  if (hasOwnSetters(type) || hasOwnChecks(type) || typeParts(member).validators.length > 0) return undefined;
  return (value) => {
    if (!Array.isArray(value)) throw elsewhere;
    return value.map((one: unknown) => {
      if (typeof one === 'object') throw elsewhere;
      return typeParts(member).applySetters(one);
    });
  };
}

/** Whether a type is that of `_id`, and the server makes its values. */
const isObjectId = ({ path, instance }: SchemaType): boolean => path === '_id' && instance === 'ObjectId';

const id: Cast = (value) => {
  if (!(value instanceof ObjectId)) throw elsewhere;
  return value;
};

/** Runs a cast and its checks. @returns undefined where Mongoose must do it, and report what it finds */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function check(type: SchemaType, value: unknown): void {
  const fault = typeParts(type).doValidateSync(value);
  if (fault !== null && fault !== undefined) throw elsewhere;
}

// rows of new documents

/** A field of a document; one without `cast` and `below` is left to Mongoose where a value is given. */
interface Field {
  readonly cast?: Cast | undefined;
  /** The fields of a nested document, in the schema's order. */
  readonly below?: Fields;
  /** The value where none is given. */
  readonly initial?: (() => unknown) | undefined;
  /** Whether Mongoose sets that after all given values. */
  readonly isLate?: boolean;
}
type Fields = readonly (readonly [key: string, field: Field])[];

/** Options of schemas that change how documents are created or stored. */
const plainOptions: Readonly<Row> = { strict: true, minimize: true, timestamps: true, validateBeforeSave: true };

/** Whether a schema replaces methods of Mongoose's documents, which may change how documents are created. */
const replacesMethods = (schema: Schema): boolean =>
  Object.keys(schema.methods).some((name) => name in mongoose.Model.prototype);

/** Whether a schema has, besides middleware, what only `save` of a new document respects. */
export function needsSave(schema: Schema): boolean {
  const { options } = schemaParts(schema);
  return replacesMethods(schema) || options['validateBeforeSave'] === false || options['writeConcern'] !== undefined;
}

/** @param functions whose middleware would run */
function isPlain({ [mongooseModel]: model }: ModelEntry, functions: readonly string[]): boolean {
  const { schema } = model;
  const { options } = schemaParts(schema);
  return (
    !hasOwnHooks(model.schema, functions) &&
    kindsOf(model).length === 0 &&
    Object.entries(plainOptions).every(([name, value]) => (options[name] ?? value) === value) &&
    options['writeConcern'] === undefined &&
    Object.keys(timestampNamesOf(schema)).length === 0 &&
    !replacesMethods(schema)
  );
}

function rowMaker(entry: ModelEntry): Direct['row'] {
  const { schema } = entry[mongooseModel];
  const types = Object.entries(schema.paths).filter(([path]) => !path.includes('$*'));
  if (!isPlain(entry, ['save', 'validate']) || types.some(([, type]) => hasOwnChecks(type) || !hasPlainDefault(type)))
    return undefined;
  const fields = fieldsOf(schema, schemaParts(schema).tree, '');
  const checked = types.filter(([, type]) => typeParts(type).validators.length > 0);
  return (values, now) =>
    attempt(() => {
      const row = filled(values, fields);
      for (const [path, type] of checked) check(type, valueAt(row, path));
      return Object.assign(row, { createdAt: now, updatedAt: now, __v: 0 });
    });
}

/** Whether the value of a new document is the same each time, or created by Mongoose itself. */
function hasPlainDefault(type: SchemaType): boolean {
  const { defaultValue, options } = typeParts(type);
  if (isObjectId(type)) return options['auto'] === true;
  if (typeof defaultValue !== 'function') return typeof defaultValue !== 'object' || defaultValue === null;
  return (
    (defaultValue === Date.now && type.instance === 'Date') ||
    (type.instance === 'Array' && options['default'] === undefined)
  );
}

/** Set by the server, after the values of the caller. */
const stamps: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', '__v']);

function fieldsOf(schema: Schema, tree: Row, prefix: string): Fields {
  const { nested } = schemaParts(schema);
  return Object.entries(tree).flatMap(([key, below]): [string, Field][] => {
    const path = prefix + key;
    if (stamps.has(path)) return [];
    const type = Object.hasOwn(schema.paths, path) ? schema.paths[path] : undefined;
    if (type !== undefined) return [[key, { cast: castOf(type), ...initialOf(type) }]];
    return Object.hasOwn(nested, path) ? [[key, { below: fieldsOf(schema, below as Row, `${path}.`) }]] : [];
  });
}

function initialOf(type: SchemaType): Pick<Field, 'initial' | 'isLate'> {
  const { defaultValue: given } = typeParts(type);
  if (isObjectId(type)) return { initial: () => new ObjectId() };
  if (given === undefined) return {};
  if (typeof given !== 'function') {
    const value = given === null ? null : typeParts(type).applySetters(given);
    return { initial: () => value };
  }
  const isLate = (given as { readonly $runBeforeSetters?: boolean }).$runBeforeSetters !== true;
  return { isLate, initial: given === Date.now ? () => new Date() : () => [] };
}

/**
 * The fields with their values, in the order in which Mongoose stores them: of a nested document the given ones first.
 * @throws `elsewhere` for values of other fields
 */
function filled(values: Readonly<Row>, fields: Fields, isNested = false): Row {
  const row: Row = {};
  let left = Object.keys(values).length;
  for (const [key, field] of fields) {
    if (Object.hasOwn(values, key)) {
      left -= 1;
      row[key] = read(values[key], field);
    } else if (!isNested) complete(row, key, field, false);
  }
  if (left > 0) throw elsewhere;
  // Mongoose creates nested documents first
  if (isNested)
    for (const areNested of [true, false])
      for (const [key, field] of fields)
        if ((field.below !== undefined) === areNested) complete(row, key, field, false);
  for (const [key, field] of fields) complete(row, key, field, true);
  return row;
}

/** Sets a field without a given value. A nested document has none without a default in it. */
function complete(row: Row, key: string, { below, initial, isLate = false }: Field, late: boolean): void {
  if (row[key] !== undefined || late !== isLate) return;
  const value = below === undefined ? initial?.() : filled({}, below, true);
  if (value !== undefined && (below === undefined || Object.keys(value as Row).length > 0)) row[key] = value;
}

function read(value: unknown, { cast, below }: Field): unknown {
  if (value === undefined) throw elsewhere;
  if (cast !== undefined) return cast(value);
  if (below === undefined || !isPlainObject(value) || Object.keys(value).length === 0) throw elsewhere;
  // Mongoose's order of fields depends on which of them are given
  if (below.some(([, { isLate }]) => isLate === true)) throw elsewhere;
  return filled(value, below, true);
}

const valueAt = (row: Row, path: string): unknown =>
  path.split('.').reduce((value: unknown, key) => (isPlainObject(value) ? value[key] : undefined), row);

// updates

function setMaker(entry: ModelEntry): Direct['set'] {
  const { schema } = entry[mongooseModel];
  if (!isPlain(entry, ['findOneAndUpdate', 'validate'])) return undefined;
  const types = Object.entries(schema.paths).filter(
    ([path, type]) => !stamps.has(path) && isSingle(type) && typeParts(type).options['immutable'] === undefined,
  );
  const byPath = new Map(types);
  return (values, now) =>
    attempt(() => {
      const set: Row = {};
      for (const [path, value] of Object.entries(values)) {
        const type = byPath.get(path);
        if (type === undefined || value === undefined) throw elsewhere;
        set[path] = typeParts(type).castForQuery(null, value);
        check(type, set[path]);
      }
      set['updatedAt'] = now;
      return set;
    });
}

function plainPaths(entry: ModelEntry): Direct['isPlainPath'] {
  const { schema } = entry[mongooseModel];
  if (!isPlain(entry, ['findOneAndUpdate', 'validate'])) return () => false;
  const plain = new Set(stamps);
  for (const [path, type] of Object.entries(schema.paths)) if (castOf(type) !== undefined) plain.add(path);
  return (path) => plain.has(path);
}

// values that an update computes

type Check = (this: unknown, value: unknown) => unknown;

/**
 * Mongoose's update validators run for values that are given, and not for the results of operators.
 * @param paths of an update, also with positions in lists and keys of maps
 * @returns holds the values that an update leaves at the paths against their bounds, and throws Mongoose's ValidationError; undefined where no
 * path has bounds
 */
export function boundsAt(
  entry: ModelEntry,
  paths: readonly string[],
): ((valueAt: (path: string) => unknown) => void) | undefined {
  const { schema } = entry[mongooseModel];
  const bounded = paths.flatMap((path) => {
    const type = schema.path(path) as SchemaType | undefined;
    const checks =
      type && typeParts(type).validators.filter((one) => one.type !== 'required' && optionChecks.has(one.type));
    return checks === undefined || checks.length === 0 ? [] : [{ path, checks }];
  });
  if (bounded.length === 0) return undefined;
  return (valueAt) => {
    const error = new mongoose.Error.ValidationError();
    for (const { path, checks } of bounded) {
      const value = valueAt(path);
      if (value === undefined || value === null) continue;
      const failed = checks.find(({ validator }) => (validator as Check).call(undefined, value) === false);
      if (failed !== undefined) error.addError(path, new mongoose.Error.ValidatorError({ ...failed, path, value }));
    }
    if (Object.keys(error.errors).length > 0) throw error;
  };
}
