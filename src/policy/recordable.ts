/** The parts of documents that may be kept besides them, such as in histories: nothing that no caller may ever read. */
import { ownPathsOf } from '../models/built-in/own-paths.ts';
import type { ModelEntry } from '../models/entry.ts';
import { withoutPositions } from '../models/fields/numbered-names.ts';
import type { Row } from '../models/mongoose.ts';
import { isPlainObject } from '../models/plain-object.ts';
import { isSecretName } from '../models/secrets.ts';

const unseen = new WeakMap<ModelEntry, ReadonlySet<string>>();

/** The paths that no role may read, and those of the server's own use: they are in no entry. */
function unseenPaths(model: ModelEntry): ReadonlySet<string> {
  const known = unseen.get(model);
  if (known !== undefined) return known;
  const closed = [...model.fieldPerms].filter(([, roles]) => ![...roles.values()].some((letters) => letters.has('r')));
  const paths = new Set([...closed.map(([path]) => path), ...ownPathsOf(model)]);
  unseen.set(model, paths);
  return paths;
}

/** A document without password-named values and paths that no role may read. Other values are not copied. */
export function recordable(model: ModelEntry, row: Readonly<Row>): Row {
  const paths = unseenPaths(model);
  const place = (path: string): string => withoutPositions(model.schema, path);
  const clean = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) return value.map((member) => clean(member, path));
    if (!isPlainObject(value)) return value;
    const kept = Object.entries(value).filter(
      ([name]) => !isSecretName(name) && (paths.size === 0 || !paths.has(place(path + name))),
    );
    return Object.fromEntries(kept.map(([name, inner]) => [name, clean(inner, `${path}${name}.`)]));
  };
  return clean(row, '') as Row;
}
