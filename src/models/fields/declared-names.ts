/**
 * The names that a schema declares, at every level of its documents: what answers may carry. A path that has left the schema is still stored,
 * and is not shown. Schemas with `strict: false` and free-form fields accept any name.
 */
import type { Schema, SchemaType } from 'mongoose';
import { stampPaths } from '../loading/base.ts';
import { isComputed } from '../mongoose/computed.ts';
import { typeParts } from '../mongoose/internals.ts';
import { kindKeyOf, kindValueOf } from './kinds.ts';
import { innerOf, kindSchemasOf } from './path-type.ts';
import { shapeOf } from './types/index.ts';
import { populatedVirtualsOf, virtualsOf } from './virtuals.ts';

/** The names in a value: any, or those that are declared. */
export type Names = 'any' | DeclaredNames;

export interface DeclaredNames {
  /** Where there are discriminators, those of all of them. A plain value, such as a number, declares none. */
  readonly byName: ReadonlyMap<string, Names>;
  /** The names in the values of a map, whose keys are free. */
  readonly inValues?: Names;
  /** How many lists such documents are in, one in the other. */
  readonly lists?: number;
  readonly kinds?: KindNames;
}

/** The names in the documents of each discriminator. */
export interface KindNames {
  /** The name of the discriminator key. */
  readonly key: string;
  readonly byValue: ReadonlyMap<unknown, Names>;
  /** The names in all other documents: those of the schema itself. */
  readonly base: Names;
}

type Mutable = Map<string, Names>;

const nothing: DeclaredNames = { byName: new Map() };

const shown = new WeakMap<Schema, Names>();
const stored = new WeakMap<Schema, Names>();
const results = new WeakMap<Schema, Names>();

/** The names in the documents of a model as answers show them, with those of virtuals; computed once. */
export function shownNames(schema: Schema): Names {
  const found = shown.get(schema) ?? (isComputed(schema) ? namesIn(schema, true, standard) : storedNames(schema));
  shown.set(schema, found);
  return found;
}

/**
 * The names in the documents that the functions of a model read: those that are stored, and those that Mongoose's own `populate` fills. Nested
 * documents may have virtuals. Computed once.
 */
export function resultNames(schema: Schema): Names {
  const found = results.get(schema) ?? readNames(schema);
  results.set(schema, found);
  return found;
}

function readNames(schema: Schema): Names {
  const [own, all] = [storedNames(schema), namesIn(schema, true, standard)];
  if (own === 'any' || all === 'any') return 'any';
  const byName = new Map([...all.byName].filter(([name]) => own.byName.has(name)));
  for (const name of populatedVirtualsOf(schema)) byName.set(name, 'any');
  return { ...all, byName };
}

/** The names in the stored documents of a model, computed once. */
export function storedNames(schema: Schema): Names {
  const found = stored.get(schema) ?? namesIn(schema, false, standard);
  stored.set(schema, found);
  return found;
}

/** `id` is computed from `_id`. */
const standard: readonly string[] = stampPaths.filter((name) => name !== 'id');

/** @param computed whether answers have virtuals @param also names besides those of the schema */
function namesIn(schema: Schema, computed: boolean, also: readonly string[] = []): Names {
  if (schema.get('strict') === false) return 'any';
  const byName = ownNames(schema, computed);
  for (const name of also) if (!byName.has(name)) byName.set(name, nothing);
  const kinds = kindSchemasOf(schema).filter((kind) => kindValueOf(kind) !== undefined);
  if (kinds.length === 0) return { byName };
  const key = kindKeyOf(schema);
  byName.set(key, nothing);
  const base: Names = { byName };
  const ofKind = (kind: Schema): Names =>
    kind.get('strict') === false ? 'any' : joined(base, { byName: ownNames(kind, computed) });
  const byValue = new Map(kinds.map((kind) => [kindValueOf(kind), ofKind(kind)]));
  const all = [...byValue.values()].reduce(joined, base);
  return all === 'any' ? 'any' : { byName: all.byName, kinds: { key, byValue, base } };
}

/** The names of both. */
function joined(one: Names, other: Names): Names {
  if (one === 'any' || other === 'any') return 'any';
  const byName = new Map(one.byName);
  for (const [name, below] of other.byName) {
    const known = byName.get(name);
    byName.set(name, known === undefined || known === below ? below : joined(known, below));
  }
  return { ...other, ...one, byName };
}

function ownNames(schema: Schema, computed: boolean): Mutable {
  const names: Mutable = new Map();
  for (const [path, type] of Object.entries(schema.paths))
    // the values of a map are found through its type
    if (!path.includes('$*')) place(names, path.split('.'), namesOf(type, computed));
  if (!computed) return names;
  for (const path of [...virtualsOf(schema), ...('id' in schema.virtuals ? ['id'] : [])])
    place(names, path.split('.'), 'any');
  return names;
}

/** Adds names at a path; a nested path becomes a level of its own. */
function place(names: Mutable, [first = '', ...rest]: readonly string[], below: Names): void {
  if (rest.length === 0) {
    names.set(first, below);
    return;
  }
  const known = names.get(first);
  if (known === 'any') return;
  const inner = new Map(known?.byName);
  place(inner, rest, below);
  names.set(first, { ...known, byName: inner });
}

/** The names in the values of a type. A getter may return anything, and values of plug-ins may be objects. */
function namesOf(type: SchemaType, computed: boolean): Names {
  const { schema, embeddedSchemaType: member, $__schemaType: value } = innerOf(type);
  const shape = shapeOf(type);
  if (computed && typeParts(type).getters.length > 0) return 'any';
  if (schema !== undefined) return shape === 'list' ? inList(namesIn(schema, computed)) : namesIn(schema, computed);
  if (shape === 'map') return value === undefined ? 'any' : mapOf(namesOf(value, computed));
  if (shape === 'list') return member === undefined ? 'any' : inList(namesOf(member, computed));
  return shape === 'value' ? nothing : 'any';
}

const inList = (names: Names): Names => (isFlat(names) ? names : { ...names, lists: (names.lists ?? 0) + 1 });

/** Whether values have no names that differ from each other: any, or none. */
export const isFlat = (names: Names): names is 'any' => names === 'any' || names === nothing;

const mapOf = (inValues: Names): Names => (inValues === 'any' ? 'any' : { byName: new Map(), inValues });

/** The discriminators that declare a name of the top level; undefined if all documents have it. */
export function ownersOf(name: string, { base, byValue }: KindNames): readonly unknown[] | undefined {
  if (base === 'any' || base.byName.has(name)) return undefined;
  return [...byValue].filter(([, names]) => names === 'any' || names.byName.has(name)).map(([value]) => value);
}

const keyPaths = new WeakMap<DeclaredNames, readonly string[]>();

/** The paths of all discriminator keys, also in nested documents; computed once. */
export function keyPathsOf(names: Names): readonly string[] {
  if (names === 'any') return [];
  const found = keyPaths.get(names) ?? [
    ...(names.kinds === undefined ? [] : [names.kinds.key]),
    ...[...names.byName].flatMap(([name, below]) => keyPathsOf(below).map((path) => `${name}.${path}`)),
  ];
  keyPaths.set(names, found);
  return found;
}
