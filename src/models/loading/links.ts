/** Finds the links of a schema. */
import type { Schema, SchemaType } from 'mongoose';
import type { Link, ModelWarning } from '../entry.ts';
import type { DeclaredIds } from '../fields/document-id.ts';
import { idText, type IdType, objectIdType, stringIds } from '../fields/id-types.ts';
import { idTypes, shapeOf } from '../fields/types/index.ts';
import { innerOf, type Setter, typeParts } from '../mongoose/internals.ts';
import { kindSchemasOf, placesOf, typesIn } from '../mongoose/schema-places.ts';
import { authorsOwn } from '../mongoose/setter-faults.ts';

interface LinkOptions {
  readonly link?: unknown;
  readonly ref?: unknown;
  readonly refPath?: unknown;
  readonly map_to?: unknown;
  readonly reverse?: unknown;
}

/** A link as a schema declares it. */
export interface DeclaredLink extends Link {
  /** The option that names the model. `ref` is Mongoose's, and may name a model that is not served. */
  readonly option: 'link' | 'ref';
}

/** What a schema or one of its kinds has at a path. */
interface Declaration {
  readonly path: string;
  readonly link: DeclaredLink | undefined;
  /** Whether only the documents of a kind have the path, or those of a kind of nested documents. */
  readonly isOfKind: boolean;
}

/**
 * The links of a schema and its kinds, nested ones with their dotted paths. `link` takes precedence over Mongoose's `ref`. Models are
 * named as the schema names them. A path of kinds is none where one of them declares it, or the name under which it is shown, in another way.
 */
export const linksOf = (schema: Schema): DeclaredLink[] =>
  [...linksByPath(schema).values()].flatMap((link) =>
    link === undefined || link === 'contested' ? [] : [isTaken(link, schema) ? { ...link, as: link.path } : link],
  );

/** Whether a field has the name under which a `ref` would be shown by default. As in Mongoose, the document then stands in place of its id. */
const isTaken = ({ path, as, option }: DeclaredLink, schema: Schema): boolean =>
  option === 'ref' &&
  as !== path &&
  as === shownAs(path) &&
  placesOf(schema)
    .flatMap(typesIn)
    .some((other) => other.path === as || other.path.startsWith(`${as}.`));

/** The paths that are a link in some kinds, and another link or another value in others. */
export const contestedLinksOf = (schema: Schema): string[] =>
  [...linksByPath(schema)].flatMap(([path, link]) => (link === 'contested' ? [path] : []));

function linksByPath(schema: Schema): ReadonlyMap<string, DeclaredLink | 'contested' | undefined> {
  const byPath = new Map<string, Declaration[]>();
  for (const one of declarationsIn(schema)) byPath.set(one.path, [...(byPath.get(one.path) ?? []), one]);
  const inKinds = [...byPath.keys()].filter((path) => byPath.get(path)?.every(({ isOfKind }) => isOfKind));
  const linkOf = ([path, all]: readonly [string, readonly Declaration[]]): DeclaredLink | 'contested' | undefined => {
    const [first] = all;
    // what the model itself declares is so for all of its documents
    if (first?.isOfKind !== true || all.every(({ link }) => link === undefined)) return first?.link;
    const isOne = new Set(all.map(({ link }) => meaningOf(link))).size === 1;
    const as = first.link?.as ?? path;
    const isNamed = inKinds.some((other) => (other === as && as !== path) || other.startsWith(`${as}.`));
    return isOne && !isNamed ? first.link : 'contested';
  };
  return new Map([...byPath].map((entry) => [entry[0], linkOf(entry)]));
}

const meaningOf = (link: DeclaredLink | undefined): string | undefined =>
  link && JSON.stringify({ ...link, model: link.model.toLowerCase(), option: undefined });

/** Those of a schema come before those of its kinds. */
function declarationsIn(schema: Schema, prefix = '', isOfKind = false): Declaration[] {
  const own = Object.entries(schema.paths).flatMap(([name, type]): Declaration[] => {
    const { schema: inner } = innerOf(type);
    const path = prefix + name;
    if (inner !== undefined) return declarationsIn(inner, `${path}.`, isOfKind);
    return [{ path, link: linkAt(type, path), isOfKind }];
  });
  return [...own, ...kindSchemasOf(schema).flatMap((kind) => declarationsIn(kind, prefix, true))];
}

/** @throws Error for an invalid `link`. An invalid `ref` is not an error, because it may have another meaning in Mongoose. */
function linkAt(type: SchemaType, path: string): DeclaredLink | undefined {
  const member = innerOf(type).embeddedSchemaType;
  const array = shapeOf(type) === 'list';
  const own = type.options as LinkOptions;
  const inner = (member?.options ?? {}) as LinkOptions;
  const option = (own.link ?? (own.ref === undefined ? inner.link : undefined)) === undefined ? 'ref' : 'link';
  const target = modelNameAt(own.link ?? own.ref ?? inner.link ?? inner.ref);
  const held = heldAt(type);
  const reverse = own.reverse ?? inner.reverse;
  if (target === undefined || held === 'other values') {
    if ((own.link ?? inner.link) === undefined) {
      if (reverse !== undefined) throw new Error(`reverse of ${path} needs a link`);
      return undefined;
    }
    throw new Error(
      `link of ${path} must be the name of a model, and the path must have the type of that model's _id, or be a list of it: an ObjectId, unless the model says otherwise`,
    );
  }
  if (reverse !== undefined && typeof reverse !== 'string') throw new Error(`reverse of ${path} must be a name`);
  const as = own.map_to ?? inner.map_to;
  return {
    path,
    as: typeof as === 'string' && as !== '' ? siblingOf(path, as) : shownAs(path),
    model: target,
    array,
    asText: held === 'texts',
    stamp: path === '_updated_by_id',
    reverse,
    option,
  };
}

/** What a path with `link` or `ref` has: the ids of the linked model, their texts where these are of another type, or neither. */
type Held = 'ids' | 'texts' | 'other values';

/** The option of a path that has it. Mongoose copies options when it compiles kinds, but no symbols. */
const holds = 'dossier:holds';

interface Marked {
  readonly [holds]?: Held;
}

const holderOf = (type: SchemaType): SchemaType | undefined =>
  shapeOf(type) === 'list' ? innerOf(type).embeddedSchemaType : type;

/** Until the models are known, only ObjectIds are links. */
const heldAt = (type: SchemaType): Held =>
  (type.options as Marked)[holds] ?? (holderOf(type)?.instance === objectIdType.name ? 'ids' : 'other values');

/**
 * Notes at each path with `link` or `ref` what it has of the linked model's ids. Texts are those of the ids for `ref`, as Mongoose's `populate`
 * casts them; a path of any other type is no link of `ref`. The links of ids that setters change are changed alike.
 * @param idsOf the ids of a model by its name; undefined for a model that does not exist
 * @param isDefined whether the schema is made by `defineModel`
 * @returns warnings about `ref` of another type
 * @throws Error for a `link` of another type, and for ObjectIds of a defined schema, which can be ids of no other type
 */
export function markLinks(
  schema: Schema,
  idsOf: (model: string) => DeclaredIds | undefined,
  isDefined: boolean,
  prefix = '',
): readonly ModelWarning[] {
  return [schema, ...kindSchemasOf(schema)].flatMap((one) =>
    Object.entries(one.paths).flatMap(([name, type]) => {
      const inner = innerOf(type);
      const path = prefix + name;
      if (inner.schema !== undefined) return markLinks(inner.schema, idsOf, isDefined, `${path}.`);
      return markLink(type, path, idsOf, isDefined);
    }),
  );
}

/** Adds setters that run after those of a path. A nested schema may be part of several models, and have them already. */
function addSetters(type: SchemaType, added: readonly Setter[]): void {
  const { setters } = typeParts(type);
  const known = new Set(setters.map(authorsOwn));
  // the last one runs first
  setters.unshift(...added.filter((setter) => !known.has(authorsOwn(setter))));
}

const textSetters = new Map<IdType, Setter>();

/** Makes the text of an id the one by which the linked document is found: that of an ObjectId in capital letters is the same in small ones. */
function textSetterOf(idType: IdType): Setter {
  const linkedIdSetter = (value: unknown): unknown =>
    typeof value === 'string' ? (idText(idType, value) ?? value) : value;
  const setter = textSetters.get(idType) ?? linkedIdSetter;
  textSetters.set(idType, setter);
  return setter;
}

/** They name users, whatever a file compiles under the name. */
const userStamps: ReadonlySet<string> = new Set(['_owner_id', '_updated_by_id']);

function markLink(
  type: SchemaType,
  path: string,
  idsOf: (model: string) => DeclaredIds | undefined,
  isDefined: boolean,
): readonly ModelWarning[] {
  const { link, ref } = { ...innerOf(type).embeddedSchemaType?.options, ...type.options } as LinkOptions;
  const model = modelNameAt(link ?? ref);
  if (model === undefined || userStamps.has(path)) return [];
  const { type: idType, setters = [] } = idsOf(model) ?? {};
  const holder = holderOf(type);
  const instance = holder?.instance;
  const ofTexts = link === undefined && idType !== undefined && instance === stringIds.name;
  const held: Held = instance === (idType ?? objectIdType).name ? 'ids' : ofTexts ? 'texts' : 'other values';
  for (const one of [type, holder]) if (one !== undefined) (one.options as { [holds]?: Held })[holds] = held;
  if (holder !== undefined && held === 'ids') addSetters(holder, setters);
  if (holder !== undefined && idType !== undefined && held === 'texts') addSetters(holder, [textSetterOf(idType)]);
  if (idType === undefined || held !== 'other values') return [];
  const ids = `${path} links to ${model}, whose _id is of type ${idType.name}`;
  if (link !== undefined || (isDefined && instance === objectIdType.name))
    throw new Error(`${ids}: the path must be of that type, not ${String(instance)}`);
  return [{ kind: 'populate', message: `populate does not show ${path}: ${ids}; declare the path with that type` }];
}

/** The paths whose linked model depends on the document: by `refPath`, or a function of `ref`. Only Mongoose's own `populate` follows them. */
export const dynamicLinksOf = (schema: Schema, prefix = ''): readonly string[] => [
  ...new Set([schema, ...kindSchemasOf(schema)].flatMap((one) => dynamicIn(one, prefix))),
];

const dynamicIn = ({ paths }: Schema, prefix: string): readonly string[] =>
  Object.entries(paths).flatMap(([path, type]) => {
    const inner = innerOf(type);
    if (inner.schema !== undefined) return dynamicLinksOf(inner.schema, `${prefix}${path}.`);
    const { ref, refPath } = { ...inner.embeddedSchemaType?.options, ...type.options } as LinkOptions;
    const isDynamic = refPath !== undefined || (typeof ref === 'function' && modelNameAt(ref) === undefined);
    return isDynamic ? [prefix + path] : [];
  });

/**
 * The name of the model in `link` or `ref`: a text, a model, or a function without parameters that returns one. A function that reads
 * the document has no single model.
 */
export function modelNameAt(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  if (typeof given !== 'function') return undefined;
  if ('modelName' in given) return String(given.modelName);
  return given.length > 0 || /\bthis\b/.test(String(given)) ? undefined : modelNameAt((given as () => unknown)());
}

/** The type of the ids that a link holds, if it is another one than ObjectId. @param type of the path, or of a member of its list */
export const ownIdTypeOf = (type: SchemaType): IdType | undefined =>
  (type.options as Marked)[holds] === 'ids' && type.instance !== objectIdType.name
    ? idTypes.get(type.instance)
    : undefined;

/** Whether a path, or a member of its list, is a link. */
export const isLink = (type: SchemaType, path: string): boolean => linkAt(type, path) !== undefined;

const siblingOf = (path: string, name: string): string => path.slice(0, path.lastIndexOf('.') + 1) + name;

/** `author_id` is shown as `author`; a path without `_id` is shown in place of its id. */
function shownAs(path: string): string {
  return path.endsWith('_id') && path.length > 3 ? path.slice(0, -3) : path;
}
