/** Casts values, documents of lists and whole documents by Mongoose's schema types, without creating a Mongoose document around them. */
import type { Schema, SchemaType } from 'mongoose';
import mongoose from 'mongoose';
import { idRule } from '../../fields/document-id.ts';
import { fieldTypeOf } from '../../fields/types/index.ts';
import { ObjectId, type Row } from '../../mongoose.ts';
import { isPlainObject } from '../../plain-object.ts';
import { hasOwnSetters, innerOf, schemaParts, typeParts } from '../internals.ts';
import { kindSchemasOf } from '../schema-places.ts';

export const isSingle = (type: SchemaType): boolean =>
  fieldTypeOf(type)?.isDirect === true && !hasOwnSetters(type) && !hasOwnChecks(type);

/** Casts a value of a path. @throws Mongoose's CastError; `leaveToMongoose` for a value that is left to Mongoose */
export type Cast = (value: unknown) => unknown;

/** Created once, because it is only thrown and caught here. */
export const leaveToMongoose = new Error('left to Mongoose');

/** @param around the schemas of the lists around the type @returns undefined for a type that is left to Mongoose */
export function castOf(type: SchemaType, around: readonly Schema[] = []): Cast | undefined {
  if (isObjectId(type)) return id;
  const parts = typeParts(type);
  if (isSingle(type)) return (value) => parts.applySetters(value);
  return listCast(type, around);
}

export function listCast(type: SchemaType, around: readonly Schema[] = []): Cast | undefined {
  const { embeddedSchemaType: member, schema } = innerOf(type);
  if (type.instance !== 'Array' || member === undefined || hasOwnSetters(type) || hasOwnChecks(type)) return undefined;
  const cast = schema === undefined ? memberCast(member) : documentCast(type, schema, around);
  if (cast === undefined) return undefined;
  return (value) => {
    if (!Array.isArray(value)) throw leaveToMongoose;
    return value.map(cast);
  };
}

function memberCast(member: SchemaType): Cast | undefined {
  const parts = typeParts(member);
  if (!isSingle(member) || parts.validators.length > 0) return undefined;
  return (one) => {
    if (typeof one === 'object') throw leaveToMongoose;
    return parts.applySetters(one);
  };
}

/** The documents of a list, where the types of their fields alone decide what is stored. */
function documentCast(list: SchemaType, schema: Schema, around: readonly Schema[]): Cast | undefined {
  const kinds = Object.keys(innerOf(list).Constructor?.discriminators ?? {}).length + kindSchemasOf(schema).length;
  // a schema may have a list of its own documents
  const isOpen = kinds > 0 || typeParts(list).validators.length > 0 || around.includes(schema);
  if (isOpen || !hasPlainOptions(schema, false)) return undefined;
  const within = [...around, schema];
  const types = typesOf(schema);
  if (types.some(([, type]) => castOf(type, within) === undefined || !isFixed(type))) return undefined;
  const fields = fieldsOf(schema, schemaParts(schema).tree, { prefix: '', around: within });
  const checkAll = checksOf(types);
  return (value) => {
    if (!isPlainObject(value)) throw leaveToMongoose;
    const row = castFields(value, fields);
    checkAll(row);
    return row;
  };
}

/** Whether a type is that of `_id`, and the server makes its values. */
const isObjectId = ({ path, instance }: SchemaType): boolean => path === '_id' && instance === 'ObjectId';

const id: Cast = (value) => {
  if (!(value instanceof ObjectId)) throw leaveToMongoose;
  return value;
};

/** Options of schemas that change how documents are created or stored. */
const plainOptions: Readonly<Row> = { strict: true, minimize: true, validateBeforeSave: true };

/** Whether a schema replaces methods of Mongoose's documents, which may change how documents are created. */
export const replacesMethods = (schema: Schema): boolean =>
  Object.keys(schema.methods).some((name) => name in mongoose.Model.prototype);

/** @param timestamps whether documents of the schema have them */
export function hasPlainOptions(schema: Schema, timestamps: boolean): boolean {
  const { options } = schemaParts(schema);
  return (
    Object.entries(plainOptions).every(([name, value]) => (options[name] ?? value) === value) &&
    (options['timestamps'] ?? timestamps) === timestamps &&
    options['writeConcern'] === undefined &&
    !replacesMethods(schema)
  );
}

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

type Types = readonly (readonly [path: string, type: SchemaType])[];

/** The types of a schema's paths, without those of the values of maps. */
export const typesOf = ({ paths }: Schema): Types => Object.entries(paths).filter(([path]) => !path.includes('$*'));

/** Whether a type decides by itself what is stored where a value is given, and where none is. */
export const isFixed = (type: SchemaType): boolean => !hasOwnChecks(type) && hasPlainDefault(type);

/** @returns throws `leaveToMongoose` for a row with a value that a validator refuses */
export function checksOf(types: Types): (row: Row) => void {
  const checked = types
    .map(([path, type]) => ({ names: path.split('.'), parts: typeParts(type) }))
    .filter(({ parts }) => parts.validators.length > 0);
  return (row) => {
    for (const { names, parts } of checked)
      if ((parts.doValidateSync(valueAt(row, names)) ?? undefined) !== undefined) throw leaveToMongoose;
  };
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
export const stamps: ReadonlySet<string> = new Set(['createdAt', 'updatedAt', '__v']);

/** Where fields are: below a path with a dot at its end, in a document that is whole or in those of lists. */
interface FieldsPlace {
  readonly prefix: string;
  readonly isWhole?: boolean;
  readonly around?: readonly Schema[];
}

export function fieldsOf(schema: Schema, tree: Row, place: FieldsPlace): Fields {
  const { nested } = schemaParts(schema);
  return Object.entries(tree).flatMap(([key, below]): [string, Field][] => {
    const path = place.prefix + key;
    if (place.isWhole === true && stamps.has(path)) return [];
    const type = Object.hasOwn(schema.paths, path) ? schema.paths[path] : undefined;
    if (type !== undefined) return [[key, { cast: castOf(type, place.around), ...initialOf(type) }]];
    if (!Object.hasOwn(nested, path)) return [];
    return [[key, { below: fieldsOf(schema, below as Row, { ...place, prefix: `${path}.` }) }]];
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
 * @throws `leaveToMongoose` for values of other fields
 */
export function castFields(values: Readonly<Row>, fields: Fields, isNested = false): Row {
  const row: Row = {};
  let left = Object.keys(values).length;
  for (const [key, field] of fields) {
    if (Object.hasOwn(values, key)) {
      left -= 1;
      row[key] = read(values[key], field);
    } else if (!isNested) complete(row, key, field, false);
  }
  if (left > 0) throw leaveToMongoose;
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
  const value = below === undefined ? initial?.() : castFields({}, below, true);
  if (value !== undefined && (below === undefined || Object.keys(value as Row).length > 0)) row[key] = value;
}

function read(value: unknown, { cast, below }: Field): unknown {
  if (value === undefined) throw leaveToMongoose;
  if (cast !== undefined) return cast(value);
  if (below === undefined || !isPlainObject(value) || Object.keys(value).length === 0) throw leaveToMongoose;
  // Mongoose's order of fields depends on which of them are given
  if (below.some(([, { isLate }]) => isLate === true)) throw leaveToMongoose;
  return castFields(value, below, true);
}

const valueAt = (row: Row, names: readonly string[]): unknown =>
  names.reduce((value: unknown, name) => (isPlainObject(value) ? value[name] : undefined), row);

/** The validators that options of a path create; they need nothing but the value. */
export const optionChecks: ReadonlySet<unknown> = new Set([
  ...['required', 'min', 'max', 'enum', 'regexp', 'minlength', 'maxlength', idRule],
]);

/** Whether a type has validators of the model file. */
const hasOwnChecks = (type: SchemaType): boolean =>
  typeParts(type).validators.some((one) => !optionChecks.has(one.type)) ||
  // set by an option, or by `required()` of the type
  typeof typeParts(type).originalRequiredValue === 'function' ||
  [typeParts(type).options['required']].flat().some((required) => typeof required === 'function');
