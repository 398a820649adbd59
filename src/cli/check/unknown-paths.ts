/** Finds the paths of stored documents that the schema does not have, by the names that answers go by (docs/models.md). */
import type { Names } from '../../models/fields/names.ts';
import { isPlainObject } from '../../models/plain-object.ts';

type Json = Readonly<Record<string, unknown>>;

/** An unknown path. */
export interface Unknown {
  /** Without positions in lists; `$*` stands for the keys of a map. */
  readonly path: string;
  /** The path of the object that has it, with a dot at its end; empty at the top. */
  readonly prefix: string;
  readonly name: string;
  /** The names that the schema has there. */
  readonly known: Iterable<string>;
}

/** The unknown paths of a stored value. What is below an unknown path is not looked at. */
export function* unknownPaths(value: unknown, names: Names, prefix = ''): Generator<Unknown, void, void> {
  if (names === 'any') return;
  if (Array.isArray(value)) {
    for (const member of value) yield* unknownPaths(member, names, prefix);
    return;
  }
  // an object in the place of a plain value is a wrong type, and a path of its own
  if (!isPlainObject(value)) return;
  const { inValues, kinds } = names;
  if (inValues !== undefined) {
    for (const member of Object.values(value)) yield* unknownPaths(member, inValues, `${prefix}$*.`);
    return;
  }
  const own = kinds === undefined ? names : (kinds.byValue.get(value[kinds.key]) ?? kinds.base);
  if (own === 'any' || own.byName.size === 0) return;
  yield* unknownIn(value, own.byName, prefix);
}

function* unknownIn(value: Json, byName: ReadonlyMap<string, Names>, prefix: string): Generator<Unknown, void, void> {
  for (const [name, member] of Object.entries(value)) {
    const below = byName.get(name);
    if (below === undefined) yield { path: prefix + name, prefix, name, known: byName.keys() };
    else yield* unknownPaths(member, below, `${prefix}${name}.`);
  }
}
