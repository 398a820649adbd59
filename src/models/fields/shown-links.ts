/** Linked documents in the place of their ids: under the names by which answers show links, such as `author` of `author_id`. */
import type { ModelEntry } from '../entry.ts';
import { isPlainObject, type Json } from '../plain-object.ts';
import { withoutPositions } from './numbered-names.ts';
import { firstName } from './path-type.ts';
import { withoutAliases } from './resolve-alias.ts';

interface ShownLinks {
  /** The paths of ids by the names that answers show; without positions in lists. */
  readonly idPaths: ReadonlyMap<string, string>;
  /** The first parts of these names. */
  readonly roots: ReadonlySet<string>;
}

const known = new WeakMap<ModelEntry, ShownLinks>();

function shownLinksOf(model: ModelEntry): ShownLinks {
  const found = known.get(model) ?? readLinks(model);
  known.set(model, found);
  return found;
}

function readLinks({ links }: ModelEntry): ShownLinks {
  const beside = links.filter(({ as, path }) => as !== path);
  return {
    idPaths: new Map(beside.map(({ as, path }) => [as, path])),
    roots: new Set(beside.map(({ as }) => firstName(as))),
  };
}

/**
 * Values with the ids of links in place of what answers show, at every depth: `{ author: { _id } }` becomes `{ author_id: { _id } }`. Where
 * the id is given, too, it counts, and the name is left out.
 * @param values by names or dotted paths; not changed
 */
export function withLinkIds(model: ModelEntry, values: Json): Json {
  const { idPaths, roots } = shownLinksOf(model);
  const replaced = (fields: Json, prefix: string): Json => {
    const result: Record<string, unknown> = {};
    const given = new Set(Object.keys(fields).map((name) => withoutAliases(model.schema, prefix + name)));
    for (const [name, value] of Object.entries(fields)) {
      const path = withoutAliases(model.schema, prefix + name);
      const idPath = idPaths.get(withoutPositions(model.schema, path));
      if (idPath === undefined) result[name] = inner(value, `${path}.`);
      else {
        const key = [...path.slice(prefix.length).split('.').slice(0, -1), idPath.split('.').at(-1)].join('.');
        if (!given.has(prefix + key)) result[key] = value;
      }
    }
    return result;
  };
  const inner = (value: unknown, prefix: string): unknown => {
    if (!roots.has(firstName(prefix))) return value;
    if (Array.isArray(value)) return value.map((member) => inner(member, prefix));
    return isPlainObject(value) ? replaced(value, prefix) : value;
  };
  const concerns = (name: string): boolean => roots.has(firstName(withoutAliases(model.schema, name)));
  return Object.keys(values).some(concerns) ? replaced(values, '') : values;
}
