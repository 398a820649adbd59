/** Describes a model: its fields, permissions, indexes and options; never functions, files or the source code of validators. */
import { hasChanges, type Link, type ModelEntry, type ReverseLink } from '../entry.ts';
import type { Letter } from '../letters.ts';
import type { CallRule } from '../options/callable.ts';
import type { Display, PathDisplay } from '../options/display.ts';
import { describeNested, type NestedDescription } from '../options/nested-display.ts';
import type { ModelOptions, ModelQueryLimits } from '../options/options.ts';
import type { FieldPerms } from '../options/permissions.ts';
import type { DeclaredIndex, Field, ModelSchema, PathLimits } from './model-schema.ts';
import type { Input } from './types/field-type.ts';

/** A value of the model's file that may be shown. */
type PlainValue = string | number | boolean | null | Date | readonly PlainValue[];

/** The filter of a row rule as JSON. */
interface RuleFilter {
  readonly [name: string]: PlainValue | RuleFilter | readonly RuleFilter[];
}

/** The description of a field; properties that do not apply are absent. */
interface FieldDescription extends PathLimits, PathDisplay {
  readonly type: string;
  /** How a form edits and shows a value, or the members of a list. */
  readonly input: Input;
  readonly required: boolean;
  readonly unique: boolean;
  readonly index: boolean;
  readonly array: boolean;
  /** Whether a document that exists keeps its value in any case. */
  readonly immutable?: true;
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

const describeReverses = (reverses: readonly ReverseLink[]): Pick<ModelDescription, 'reverses'> =>
  reverses.length === 0
    ? {}
    : { reverses: Object.fromEntries(reverses.map((reverse) => [reverse.as, describeReverse(reverse)])) };

interface IndexDescription {
  readonly fields: Readonly<Record<string, string | number | boolean>>;
  readonly unique?: boolean;
  readonly sparse?: boolean;
  readonly expireAfterSeconds?: number;
}

export interface ModelDescription extends Display {
  readonly name: string;
  readonly collection: string;
  /** The columns of a table of the console. */
  readonly list?: readonly string[];
  /** The path of the text by which people know a document. */
  readonly title?: string;
  readonly fields: Readonly<Record<string, FieldDescription>>;
  /** Nested documents by their paths. */
  readonly nested?: Readonly<Record<string, NestedDescription>>;
  /** The path that has a document's kind, and its values. */
  readonly kinds?: { readonly key: string; readonly values: readonly PlainValue[] };
  /** The documents of other models that are shown with those of this one: the model, and the path by which it links. */
  readonly reverses?: Readonly<Record<string, ReverseDescription>>;
  readonly perms: Readonly<Record<string, string>>;
  /** Role, letter and the filter of the rows that it is given for; for admins. */
  readonly rules?: Readonly<Record<string, Readonly<Record<string, RuleFilter>>>>;
  readonly indexes: readonly IndexDescription[];
  /** The letter that each requires; with `on` if it has only one target. */
  readonly callable_statics: Readonly<Record<string, Letter | Pick<CallRule, 'needs' | 'on'>>>;
  readonly query_limits: ModelQueryLimits;
  readonly advanced_queries: ModelOptions['advanced_queries'];
  /** Whether its changes are published; only of a model whose changes are not. */
  readonly events?: false;
}

/** What a caller sees of a model. */
export interface ModelVisibility {
  /** Whether a path, and so its default, is shown. */
  readonly shows: (path: string) => boolean;
  readonly describes: (path: string) => boolean;
  /** Whether row rules and the letters of paths are described: to those who maintain the models, not to those whom the rules restrict. */
  readonly withRules: boolean;
}

/**
 * The description of a model, nested fields with their dotted paths.
 * @param reverses the reverse links that are described
 */
export function describe(
  model: ModelEntry,
  { shows, describes, withRules }: ModelVisibility,
  reverses: readonly ReverseLink[] = [],
): ModelDescription {
  const { name, collection, schema, options, links, fieldPerms } = model;
  const indexes = indexesOf(schema);
  const indexed = indexedPaths(indexes);
  const shared = { indexed, links, shows, describes, fieldPerms: withRules ? fieldPerms : undefined };
  const fields = describedIn(schema, '', shared);
  return {
    name,
    collection,
    ...displayed(options, describes),
    fields: Object.fromEntries(fields),
    ...describeNested(
      schema,
      fields.map(([path]) => path),
    ),
    ...kindsOf(schema, describes),
    ...describeReverses(reverses),
    perms: lettersByRole(options.perms),
    ...(withRules ? rulesOf(options.perms) : {}),
    indexes: indexes
      .filter(([paths]) => Object.keys(paths).every(describes))
      .map(([paths, { unique, sparse, expireAfterSeconds }]) => ({
        fields: paths,
        ...(unique === true ? { unique } : {}),
        ...(sparse === true ? { sparse } : {}),
        ...(expireAfterSeconds === undefined ? {} : { expireAfterSeconds }),
      })),
    callable_statics: Object.fromEntries(
      [...options.callable_statics].map(([name, { needs, on }]) => [name, on === undefined ? needs : { needs, on }]),
    ),
    query_limits: options.query_limits,
    advanced_queries: options.advanced_queries,
    ...featuresOf(model),
  };
}

/** The features that the model has, and that it has no events. */
const featuresOf = (model: ModelEntry): Readonly<Record<string, boolean>> => ({
  ...(hasChanges(model) ? {} : { events: false }),
  ...Object.fromEntries(
    model.options.added.set.flatMap(({ name, isDescribed }) => (isDescribed ? [[name, true]] : [])),
  ),
});

/** What the model file says for people. */
function displayed(
  { label, description, group, icon, hidden, list, title }: ModelOptions,
  describes: ModelVisibility['describes'],
): Pick<ModelDescription, keyof Display | 'list' | 'title'> {
  const columns = list?.filter(describes) ?? [];
  return {
    ...(label === undefined ? {} : { label }),
    ...(description === undefined ? {} : { description }),
    ...(group === undefined ? {} : { group }),
    ...(icon === undefined ? {} : { icon }),
    ...(hidden ? { hidden } : {}),
    ...(columns.length === 0 ? {} : { list: columns }),
    ...(title === undefined || !describes(title) ? {} : { title }),
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

interface Indexed {
  readonly any: ReadonlySet<string>;
  readonly unique: ReadonlySet<string>;
}

/** The indexes of a model, those of its kinds included. */
function indexesOf(schema: ModelSchema): readonly DeclaredIndex[] {
  const all = [schema, ...schema.kinds.map((kind) => kind.schema)].flatMap(({ indexes }) => indexes);
  return [...new Map(all.map((index) => [JSON.stringify(index), index])).values()];
}

function kindsOf(
  { kindKey: key, kindValues }: ModelSchema,
  describes: ModelVisibility['describes'],
): Pick<ModelDescription, 'kinds'> {
  const values = kindValues.filter(isPlain);
  return values.length > 0 && describes(key) ? { kinds: { key, values } } : {};
}

function indexedPaths(indexes: readonly DeclaredIndex[]): Indexed {
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
function describedIn(schema: ModelSchema, prefix: string, model: Described): [string, FieldDescription][] {
  const own = ownIn(schema, prefix, model);
  const names = new Set(own.map(([path]) => path));
  const ofKinds = new Map<string, FieldDescription>();
  for (const kind of schema.kinds)
    for (const [path, field] of ownIn(kind.schema, prefix, model))
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

function ownIn(schema: ModelSchema, prefix: string, model: Described): [string, FieldDescription][] {
  const { kindKey, kindValues } = schema;
  return [...schema.declared.values()].flatMap((field): [string, FieldDescription][] => {
    const path = prefix + field.path;
    if (!model.describes(path)) return [];
    const below = field.schema === undefined ? [] : describedIn(field.schema, `${path}.`, model);
    const isNested = field.type?.shape === 'document' && field.schema !== undefined;
    if (isNested) return below.map(([one, inner]) => [one, { ...inner, ...flagsOf(field) }]);
    const own = fieldOf(field, path, model);
    const isKindKey = field.path === kindKey && kindValues.length > 0;
    return [[path, isKindKey ? { ...own, enum: kindValues.filter(isPlain) } : own], ...below];
  });
}

/** What a field shares with those of its nested document. */
const flagsOf = ({ display: { hidden }, immutable }: Field): Partial<FieldDescription> => ({
  ...(hidden === true ? { hidden } : {}),
  ...(immutable === true ? { immutable } : {}),
});

function fieldOf(field: Field, path: string, { indexed, links, shows, fieldPerms }: Described): FieldDescription {
  const array = field.type?.shape === 'list';
  const one = array ? field.member : field;
  const link = links.find((one) => one.path === path);
  const perms = fieldPerms?.get(path);
  const { default: fallback, schema } = field;
  return {
    type: schema !== undefined ? 'Object' : (one?.typeName ?? 'Mixed'),
    input: schema !== undefined ? 'object' : (one?.type?.input ?? 'json'),
    required: field.isRequired,
    unique: indexed.unique.has(path),
    index: indexed.any.has(path),
    array,
    ...flagsOf(field),
    ...(one?.enum === undefined ? {} : { enum: one.enum.filter(isPlain) }),
    ...one?.limits,
    ...field.display,
    ...(isPlain(fallback) && shows(path) ? { default: fallback } : {}),
    ...(link === undefined ? {} : { link: link.model, map_to: link.as }),
    ...(link?.reverse === undefined ? {} : { reverse: link.reverse }),
    ...(perms === undefined ? {} : { perms: lettersByRole(perms) }),
  };
}

/** Whether a value may be shown: neither functions nor values that contain one. */
export const isPlain = (value: unknown): value is PlainValue =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  value instanceof Date ||
  (Array.isArray(value) && value.every(isPlain));
