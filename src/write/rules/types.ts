/**
 * Refuses unknown names, and values that Mongoose would store in another form than sent: invalid dates, lists in place of
 * documents, subpaths of a number.
 */
import { badValue, dangerousKey, Failure, type PathFault, validationFailed } from '../../errors/errors.ts';
import { listedValues } from '../../models/fields/enum-values.ts';
import { kindIn, nameFault, ownPathState, pathState, schemaOfKind } from '../../models/fields/known-path.ts';
import type { ModelSchema, PathType } from '../../models/fields/model-schema.ts';
import { firstName, isPartOfLeaf, isPosition, pathLimits, typeAt } from '../../models/fields/path-type.ts';
import { nameBeside } from '../../models/fields/resolve-alias.ts';
import { acceptLeaf } from '../../models/fields/types/read-value.ts';
import { looselyTyped } from '../../models/fields/values/number-values.ts';
import { isOwnName } from '../../models/loading/model-names.ts';
import { checkLanguage } from '../../models/loading/text-language.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import { scorePath } from '../../query/search.ts';
import { kindFault } from './kind-fault.ts';
import { NameBudget } from './size.ts';

/** Maximum reported faults; what follows is not read. */
export const maxFaults = 50;

/**
 * Reads values by the types of their paths, through nested documents and lists, and modifies them in place: base64 becomes bytes,
 * any form of a date becomes the date, an empty form field becomes null. Names that answers contain but bodies cannot set are
 * removed.
 * @param isNew whether the values are a new document, for which Mongoose does not compare names, and which names its own kind
 * @param stored the document that the values change, where its kind is known
 * @returns the faults by path, at most 50; their values are removed @throws 400 beyond the size limits, or for a refused name
 */
export function readTypes(values: object, schema: ModelSchema, isNew = false, stored?: Fields): readonly PathFault[] {
  const budget = new NameBudget();
  const faults: PathFault[] = [];
  const kind = stored ?? (isNew ? (values as Fields) : undefined);
  const place: Place = kind === undefined ? { all: schema, own: schema, prefix: '' } : placeOf(schema, kind, '');
  readFields(values, schema, '', { budget, faults, aliases: schema.aliasNames, each: true, inList: false, place });
  if (!isNew) budget.check(values);
  return faults;
}

/** The counters of fields (all, those of the document and of maps, and unknown ones outside of lists), and their faults. */
interface TypeContext {
  readonly budget: NameBudget;
  readonly faults: PathFault[];
  /** The last names of aliases. */
  readonly aliases: ReadonlySet<string>;
  readonly each: boolean;
  readonly inList: boolean;
  readonly place: Place;
}

type Fields = Readonly<Record<string, unknown>>;

/** The innermost document around the fields that are read. */
interface Place {
  readonly all: ModelSchema;
  /** The schema of the document's kind. */
  readonly own: ModelSchema;
  /** The value of its key; absent where its kind is unknown, so that it may have the fields of any. */
  readonly kind?: { readonly value: unknown };
  /** Its path with a dot at the end, or empty. */
  readonly prefix: string;
}

const noKind = { value: undefined };

function placeOf(schema: ModelSchema, document: Fields, prefix: string): Place {
  if (schema.kindValues.length === 0) return { all: schema, own: schema, prefix, kind: noKind };
  const value = kindIn(schema, document);
  const kinds = schema.kindValues;
  // an unknown kind is a fault of its own
  const isKind = value === undefined || value === null || kinds.includes(value);
  return { all: schema, own: schemaOfKind(schema, value), prefix, ...(isKind ? { kind: { value } } : {}) };
}

/**
 * Replaces the aliases of fields by their names. Mongoose does so in documents of a schema, but not in nested objects of an update, where
 * the values would be lost.
 */
function replaceAliases(fields: Record<string, unknown>, schema: ModelSchema, prefix: string): void {
  for (const [key, value] of Object.entries(fields)) {
    const name = nameBeside(schema, prefix, key);
    if (name === key || Object.hasOwn(fields, name)) continue;
    delete fields[key];
    fields[name] = value;
  }
}

function readFields(values: object, schema: ModelSchema, prefix: string, context: TypeContext): void {
  const fields = values as Record<string, unknown>;
  checkKind(fields, prefix, context);
  if (prefix !== '' && context.aliases.size > 0 && Object.keys(fields).some((key) => context.aliases.has(key)))
    replaceAliases(fields, schema, prefix);
  for (const [key, value] of Object.entries(fields)) {
    if (context.faults.length >= maxFaults) return;
    if (context.each) context.budget.name();
    const path = prefix + key;
    try {
      if (schema.textLanguage !== undefined) checkLanguage(schema, path, value);
      if (prefix === '' && (schema.isOpen || key.includes('.'))) checkWhole(schema, key);
      const read = readOne(value, schema, path, context);
      if (read === undefined) delete fields[key];
      else if (read !== value) fields[key] = read;
    } catch (error) {
      if (!(error instanceof Failure) || error.errors === undefined) throw error;
      context.faults.push(...error.errors);
      delete fields[key];
    }
  }
}

/** Refuses an unknown kind of a document, nested ones included, which Mongoose would store without the fields and rules of any kind. */
function checkKind(fields: Record<string, unknown>, prefix: string, { faults, place }: TypeContext): void {
  const kinds = prefix === place.prefix ? place.all.kindValues : [];
  if (kinds.length === 0) return;
  const key = place.all.kindKey;
  const value = kindIn(place.all, fields);
  if (value === undefined || value === null || kinds.includes(value)) return;
  faults.push({
    path: prefix + key,
    kind: 'discriminator',
    message: `${prefix}${key} must be one of ${listedValues(kinds)}`,
  });
  delete fields[key];
}

/** @returns the value to write; undefined for an omitted one */
function readOne(value: unknown, schema: ModelSchema, path: string, context: TypeContext): unknown {
  const { place } = context;
  const within = path.slice(place.prefix.length);
  const type = typeAt(place.own, within);
  if (type.kind === 'unknown') return readUndeclared(value, schema, path, context);
  checkMember(value, place.own, within, path);
  if (value === null || value === undefined) return value;
  const isMap = type.kind === 'mixed' && type.map;
  if (isMap && !isPlainObject(value)) throw badValue(path, 'Map', 'must be an object');
  if (type.kind === 'document') checkDocument(value, type.array, path);
  if (type.kind === 'document' || isMap) {
    const inList = context.inList || (type.kind === 'document' && type.array);
    const inner = placeBelow(place, type, value, `${path}.`);
    readFields(value, schema, `${path}.`, { ...context, each: isMap, inList, place: inner });
  }
  if (type.kind === 'leaf') return acceptLeaf(path, value, type);
  return type.kind === 'mixed' && !type.map ? looselyTyped(path, value) : value;
}

/** The place of the fields of a value: a document of a schema is one of its own. The members of a list are read one by one. */
function placeBelow(place: Place, type: PathType, value: object, prefix: string): Place {
  if (type.kind !== 'document' || type.schema === undefined || Array.isArray(value)) return place;
  return placeOf(type.schema, value as Fields, prefix);
}

/** Reads an undeclared field: free-form, of a discriminator, or contained in answers. @throws 400 for any other */
function readUndeclared(value: unknown, schema: ModelSchema, path: string, context: TypeContext): unknown {
  const { place } = context;
  const within = path.slice(place.prefix.length);
  const state = place.kind === undefined ? pathState(place.all, within) : ownPathState(place.own, within);
  const { kind } = state;
  if (kind === 'unknown' && place.kind !== undefined) {
    const fault = kindFault(place.all, within, { kind: place.kind.value, prefix: place.prefix });
    if (fault !== undefined) throw fault;
  }
  const isInLink = kind === 'link' && state.isInside;
  if ((kind === 'link' && !isInLink) || (kind === 'unknown' && isAnswerOnly(path))) return undefined;
  const message = isInLink
    ? nameFault(schema, path, 'stored')
    : kind === 'unknown'
      ? nameFault(schema, path, 'written')
      : undefined;
  if (message !== undefined)
    throw validationFailed([{ path: path.slice(0, pathLimits.characters), kind: 'strict', message }]);
  if (!context.inList) context.budget.unknown();
  return looselyTyped(path, value);
}

/**
 * Whether answers contain the name: a search's score, the `id` of nested documents, and the server's names that begin with `__`,
 * such as `__v`.
 */
const isAnswerOnly = (path: string): boolean => path === scorePath || path.startsWith('__') || /(^|\.)_?id$/.test(path);

/** Reads a list of documents, which must not contain null: paths into its members could not be read. @throws 400 */
export function checkMember(value: unknown, schema: ModelSchema, path: string, shown = path): void {
  const list = /^(.+)\.\d+$/.exec(path)?.[1];
  if (list !== undefined) checkMemberOf(value, schema, list, shown);
}

/** Reads a member of the list at a path. @param shown the path that a message names @throws 400 */
export function checkMemberOf(value: unknown, schema: ModelSchema, list: string, shown = list): void {
  if (value !== null) return;
  const type = typeAt(schema, list);
  if (type.kind === 'document' && type.array) throw badValue(shown, 'Object', 'must be an object');
}

/** Reads a list of documents: a single document counts as a list of one; an object of positions is refused. @throws 400 */
function checkDocument(value: unknown, list: boolean, path: string): asserts value is object {
  if (!list && !isPlainObject(value)) throw badValue(path, 'Object', 'must be an object');
  if (list && !Array.isArray(value) && (!isPlainObject(value) || Object.keys(value).some(isPosition)))
    throw badValue(path, 'Array', 'must be a list of objects');
}

/**
 * @throws 400 for a subpath of a scalar, which the database would replace by a document, for a path that is not a member of a
 * list, and for a reserved name of Mongoose
 */
export function checkWhole(schema: ModelSchema, path: string): void {
  const first = firstName(path);
  if (isOwnName(schema, first)) throw dangerousKey(first);
  if (first === path) return;
  if (isPartOfLeaf(schema, path)) throw badValue(path, 'path', 'is a subpath of a scalar');
  const parts = path.split('.');
  for (let end = 1; end < parts.length; end++) {
    const type = typeAt(schema, parts.slice(0, end).join('.'));
    if (type.kind === 'document' && type.array && !isPosition(parts[end]))
      throw badValue(path, 'path', 'must name a member of the list by its position');
  }
}
