/** Describes a model: its fields, permissions, indexes and options; never functions, files or the source code of validators. */
import type { Schema, SchemaType } from 'mongoose';
import type { Link, ModelEntry, ReverseLink } from '../entry.ts';
import type { Letter } from '../letters.ts';
import { typeParts } from '../mongoose/internals.ts';
import type { CallRule } from '../options/callable.ts';
import type { ModelOptions, ModelQueryLimits } from '../options/options.ts';
import type { FieldPerms } from '../options/permissions.ts';
import { kindKeyOf, kindsIn, kindValuesOf } from './kinds.ts';
import { limitsOf, type PathLimits } from './path-limits.ts';
import { innerOf } from './path-type.ts';
import type { Input } from './types/field-type.ts';
import { fieldTypeOf, shapeOf } from './types/index.ts';

/** A value of the model's file that may be shown. */
type PlainValue = string | number | boolean | null | Date | readonly PlainValue[];

/** The filter of a row rule as JSON. */
interface RuleFilter {
  readonly [name: string]: PlainValue | RuleFilter | readonly RuleFilter[];
}

/** The description of a field; properties that do not apply are absent. */
export interface FieldDescription extends PathLimits {
  readonly type: string;
  /** How a form edits and shows a value, or the members of a list. */
  readonly input: Input;
  readonly required: boolean;
  readonly unique: boolean;
  readonly index: boolean;
  readonly array: boolean;
  readonly enum?: readonly PlainValue[];
  readonly default?: PlainValue;
  readonly link?: string;
  readonly map_to?: string;
  /** The name under which the linked model shows the documents that link to it. */
  readonly reverse?: string;
  /** The kinds of the documents that have it; all documents have any other. */
  readonly kinds?: readonly PlainValue[];
  /** The letters of the path itself, by role; for admins. */
  readonly perms?: Readonly<Record<string, string>>;
}

/** A reverse link. `local` and `shape` are omitted where they are `_id` and a list. */
interface ReverseDescription {
  readonly model: string;
  readonly path: string;
  readonly local?: string;
  readonly shape?: 'one' | 'count';
}

const describeReverse = ({ model, path, local, shape }: ReverseLink): ReverseDescription => ({
  model,
  path,
  ...(local === '_id' ? {} : { local }),
  ...(shape === 'list' ? {} : { shape }),
});

interface IndexDescription {
  readonly fields: Readonly<Record<string, string | number | boolean>>;
  readonly unique?: boolean;
  readonly sparse?: boolean;
  readonly expireAfterSeconds?: number;
}

export interface ModelDescription {
  readonly name: string;
  readonly collection: string;
  readonly fields: Readonly<Record<string, FieldDescription>>;
  /** The path that has a document's kind, and its values. */
  readonly kinds?: { readonly key: string; readonly values: readonly PlainValue[] };
  /** The documents of other models that are shown with those of this one: the model, and the path by which it links. */
  readonly reverses?: Readonly<Record<string, ReverseDescription>>;
  readonly perms: Readonly<Record<string, string>>;
  /** Role, letter and the filter of the rows that it is given for; for admins. */
  readonly rules?: Readonly<Record<string, Readonly<Record<string, RuleFilter>>>>;
  readonly indexes: readonly IndexDescription[];
  /** The letter that each requires; with `on` if it has only one target. */
  readonly callable_statics: Readonly<Record<string, Letter | CallRule>>;
  readonly query_limits: ModelQueryLimits;
  readonly advanced_queries: ModelOptions['advanced_queries'];
  /** Whether it keeps the history of its documents. */
  readonly history?: true;
}

/** What a caller sees of a model. */
export interface Shown {
  /** Whether a path, and so its default, is shown. */
  readonly shows: (path: string) => boolean;
  /** Whether a path is described at all. */
  readonly describes: (path: string) => boolean;
  /** Whether row rules and the letters of paths are described: to those who maintain the models, not to those whom the rules restrict. */
  readonly withRules: boolean;
}

/**
 * The description of a model, nested fields with their dotted paths.
 * @param reverses the reverse links that are described
 */
export function describe(
  { name, collection, schema, options, links, fieldPerms }: ModelEntry,
  { shows, describes, withRules }: Shown,
  reverses: readonly ReverseLink[] = [],
): ModelDescription {
  const indexes = indexesOf(schema);
  const indexed = indexedPaths(indexes);
  return {
    name,
    collection,
    fields: Object.fromEntries(
      fieldsOf(schema, '', { indexed, links, shows, describes, fieldPerms: withRules ? fieldPerms : undefined }),
    ),
    ...kindsOf(schema, describes),
    ...(reverses.length === 0
      ? {}
      : { reverses: Object.fromEntries(reverses.map((reverse) => [reverse.as, describeReverse(reverse)])) }),
    perms: lettersByRole(options.perms),
    ...(withRules ? rulesOf(options.perms) : {}),
    indexes: indexes
      .filter(([fields]) => Object.keys(fields).every(describes))
      .map(([fields, { unique, sparse, expireAfterSeconds }]) => ({
        fields,
        ...(unique === true ? { unique } : {}),
        ...(sparse === true ? { sparse } : {}),
        ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds }),
      })),
    callable_statics: Object.fromEntries(
      [...options.callable_statics].map(([name, { needs, on }]) => [name, on === undefined ? needs : { needs, on }]),
    ),
    query_limits: options.query_limits,
    advanced_queries: options.advanced_queries,
    ...(options.history === undefined ? {} : { history: true }),
  };
}

type LettersOf = ReadonlyMap<string, Pick<ReadonlyMap<string, unknown>, 'keys'>>;

const lettersByRole = (perms: LettersOf): Readonly<Record<string, string>> =>
  Object.fromEntries([...perms].map(([role, letters]) => [role, [...letters.keys()].join('')]));

function rulesOf(perms: ModelOptions['perms']): Pick<ModelDescription, 'rules'> {
  const rules = [...perms].flatMap(([role, letters]) => {
    const own = [...letters].flatMap(([letter, right]) =>
      right === 'all' ? [] : [[letter, JSON.parse(JSON.stringify(right.where)) as RuleFilter] as const],
    );
    return own.length === 0 ? [] : [[role, Object.fromEntries(own)] as const];
  });
  return rules.length === 0 ? {} : { rules: Object.fromEntries(rules) };
}

/**
 * The fields that a body must have to create a document: always required and without a default. Lists have a default, the empty
 * list.
 */
export const neededOf = ({ schema }: Pick<ModelEntry, 'schema'>): ReadonlySet<string> =>
  new Set(Object.keys(schema.paths).filter((path) => isNeeded(typeParts(schema.path(path)))));

/** The paths that every document has since it was created: those that are always required, and those with a default. */
export const presentOf = ({ schema }: Pick<ModelEntry, 'schema'>): readonly string[] =>
  Object.keys(schema.paths).filter((path) => {
    const type = typeParts(schema.path(path));
    return isAlwaysRequired(type) || (type.defaultValue ?? null) !== null;
  });

/** The undeclared properties of a schema type. */
export interface Required {
  readonly isRequired?: boolean;
  readonly originalRequiredValue?: unknown;
  readonly defaultValue?: unknown;
}

const isNeeded = (type: Required): boolean => isAlwaysRequired(type) && (type.defaultValue ?? null) === null;

/** Whether every document must have a value: `required` is set and is not a function of the document. */
export const isAlwaysRequired = ({ isRequired, originalRequiredValue }: Required): boolean =>
  isRequired === true && typeof originalRequiredValue !== 'function';

interface Indexed {
  readonly any: ReadonlySet<string>;
  readonly unique: ReadonlySet<string>;
}

type Index = ReturnType<Schema['indexes']>[number];

/** The indexes of a model, those of its kinds included. */
function indexesOf(schema: Schema): readonly Index[] {
  const all = [schema, ...kindsIn(schema).map((kind) => kind.schema)].flatMap((one) => one.indexes());
  return [...new Map(all.map((index) => [JSON.stringify(index), index])).values()];
}

function kindsOf(schema: Schema, describes: Shown['describes']): Pick<ModelDescription, 'kinds'> {
  const key = kindKeyOf(schema);
  const values = kindValuesOf(schema).filter(isPlain);
  return values.length > 0 && describes(key) ? { kinds: { key, values } } : {};
}

function indexedPaths(indexes: readonly Index[]): Indexed {
  const unique = indexes.filter(([fields, { unique }]) => unique === true && Object.keys(fields).length === 1);
  return {
    any: new Set(['_id', ...indexes.flatMap(([fields]) => Object.keys(fields))]),
    unique: new Set(['_id', ...unique.flatMap(([fields]) => Object.keys(fields))]),
  };
}

/** The context that all fields of a model share. */
interface Described {
  readonly indexed: Indexed;
  readonly links: readonly Link[];
  readonly shows: (path: string) => boolean;
  readonly describes: (path: string) => boolean;
  readonly fieldPerms: FieldPerms | undefined;
}

/** The fields of a document, those that only some kinds have included. */
function fieldsOf(schema: Schema, prefix: string, model: Described): [string, FieldDescription][] {
  const own = ownFieldsOf(schema, prefix, model);
  const names = new Set(own.map(([path]) => path));
  const ofKinds = new Map<string, FieldDescription>();
  for (const kind of kindsIn(schema))
    for (const [path, field] of ownFieldsOf(kind.schema, prefix, model))
      if (!names.has(path))
        ofKinds.set(path, joined(ofKinds.get(path), { kinds: [kind.value].filter(isPlain), ...field }));
  return [...own, ...ofKinds];
}

/** The description of a field that several kinds have. */
function joined(one: FieldDescription | undefined, other: FieldDescription): FieldDescription {
  if (one === undefined) return other;
  const kinds = [...new Set([...(one.kinds ?? []), ...(other.kinds ?? [])])];
  const isSame = JSON.stringify({ ...one, kinds }) === JSON.stringify({ ...other, kinds });
  if (isSame) return { ...one, kinds };
  const [isArray, type] = [one.array && other.array, one.type === other.type ? one.type : 'Mixed'];
  const input = one.input === other.input ? one.input : 'json';
  return { type, input, required: false, unique: false, index: one.index || other.index, array: isArray, kinds };
}

function ownFieldsOf(schema: Schema, prefix: string, model: Described): [string, FieldDescription][] {
  const key = kindKeyOf(schema);
  const kinds = kindValuesOf(schema);
  return Object.entries(schema.paths).flatMap(([name, type]): [string, FieldDescription][] => {
    if (name.includes('$*')) return [];
    const path = prefix + name;
    if (!model.describes(path)) return [];
    const { schema: inner } = innerOf(type);
    const below = inner === undefined ? [] : fieldsOf(inner, `${path}.`, model);
    const isNested = shapeOf(type) === 'document' && inner !== undefined;
    if (isNested) return below;
    const field = fieldOf(type, path, model);
    return [[path, name === key && kinds.length > 0 ? { ...field, enum: kinds.filter(isPlain) } : field], ...below];
  });
}

function fieldOf(type: SchemaType, path: string, { indexed, links, shows, fieldPerms }: Described): FieldDescription {
  const array = shapeOf(type) === 'list';
  const { schema: inner, embeddedSchemaType: member } = innerOf(type);
  const link = links.find((one) => one.path === path);
  const one = array ? member : type;
  const list = enumOf(one && typeParts(one).options['enum']);
  const perms = fieldPerms?.get(path);
  const { options, isRequired } = typeParts(type);
  const fallback = options['default'];
  return {
    type: inner !== undefined ? 'Object' : array ? (member?.instance ?? 'Mixed') : type.instance,
    input: inner !== undefined ? 'object' : ((one && fieldTypeOf(one)?.input) ?? 'json'),
    required: isRequired === true,
    unique: indexed.unique.has(path),
    index: indexed.any.has(path),
    array,
    ...(list === undefined ? {} : { enum: list.filter(isPlain) }),
    ...(one === undefined ? {} : limitsOf(one)),
    ...(isPlain(fallback) && shows(path) ? { default: fallback } : {}),
    ...(link === undefined ? {} : { link: link.model, map_to: link.as }),
    ...(link?.reverse === undefined ? {} : { reverse: link.reverse }),
    ...(perms === undefined ? {} : { perms: lettersByRole(perms) }),
  };
}

/** The allowed values. Mongoose accepts a list, an object of values, or `{ values, message }`. */
export function enumOf(given: unknown): readonly unknown[] | undefined {
  if (Array.isArray(given)) return given as readonly unknown[];
  if (typeof given !== 'object' || given === null) return undefined;
  const values: unknown = 'values' in given ? given.values : undefined;
  return Array.isArray(values) ? (values as readonly unknown[]) : Object.values(given);
}

/** Whether a value may be shown: neither functions nor values that contain one. */
export const isPlain = (value: unknown): value is PlainValue =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  value instanceof Date ||
  (Array.isArray(value) && value.every(isPlain));
