/**
 * The names that a schema declares, at every level of its documents: what answers may carry. A path that has left the schema is still stored,
 * and is not shown. Schemas with `strict: false` and free-form fields accept any name.
 */
import { stampPaths } from '../loading/base.ts';
import type { Field, ModelSchema } from './model-schema.ts';
import type { DeclaredNames, KindNames, Names } from './names.ts';

type Mutable = Map<string, Names>;

const nothing: DeclaredNames = { byName: new Map() };

/** The names in the documents of a model as answers show them. */
export const readShownNames = (schema: ModelSchema): Names => namesIn(schema, true, standard);

export const readStoredNames = (schema: ModelSchema): Names => namesIn(schema, false, standard);

/** The names in the documents that functions read. @param populated the virtuals that Mongoose's own `populate` fills */
export function readResultNames(schema: ModelSchema, populated: readonly string[]): Names {
  const [own, all] = [schema.storedNames, readShownNames(schema)];
  if (own === 'any' || all === 'any') return 'any';
  const byName = new Map([...all.byName].filter(([name]) => own.byName.has(name)));
  for (const name of populated) byName.set(name, 'any');
  return { ...all, byName };
}

/** `id` is computed from `_id`. */
const standard: readonly string[] = stampPaths.filter((name) => name !== 'id');

/** @param computed whether answers have virtuals @param also names besides those of the schema */
function namesIn(schema: ModelSchema, computed: boolean, also: readonly string[] = []): Names {
  if (schema.isOpen) return 'any';
  const byName = ownNames(schema, computed);
  for (const name of also) if (!byName.has(name)) byName.set(name, nothing);
  if (schema.kinds.length === 0) return { byName };
  byName.set(schema.kindKey, nothing);
  const base: Names = { byName };
  const ofKind = (kind: ModelSchema): Names =>
    kind.isOpen ? 'any' : joined(base, { byName: ownNames(kind, computed) });
  const byValue = new Map(schema.kinds.map((kind) => [kind.value, ofKind(kind.schema)]));
  const all = [...byValue.values()].reduce(joined, base);
  return all === 'any' ? 'any' : { byName: all.byName, kinds: { key: schema.kindKey, byValue, base } };
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

function ownNames(schema: ModelSchema, computed: boolean): Mutable {
  const names: Mutable = new Map();
  for (const [path, field] of schema.declared) place(names, path.split('.'), namesOf(field, computed));
  if (!computed) return names;
  for (const path of [...schema.shownVirtuals, ...(schema.virtuals.has('id') ? ['id'] : [])])
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

/** The names in the values of a field. A getter may return anything, and values of plug-ins may be objects. */
function namesOf({ type, schema, member, isComputed }: Field, computed: boolean): Names {
  if (computed && isComputed) return 'any';
  const isList = type?.shape === 'list';
  if (schema !== undefined) return isList ? inList(namesIn(schema, computed)) : namesIn(schema, computed);
  if (type?.shape === 'map') return member === undefined ? 'any' : mapOf(namesOf(member, computed));
  if (isList) return member === undefined ? 'any' : inList(namesOf(member, computed));
  return type?.shape === 'value' ? nothing : 'any';
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
