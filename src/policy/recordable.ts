/** The parts of documents that may be kept besides them, such as in histories: nothing that no caller may ever read. */
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
  const paths = new Set([...closed.map(([path]) => path), ...model.ownPaths]);
  unseen.set(model, paths);
  return paths;
}

/** A document without password-named values and paths that no role may read. What has none of them is not copied. */
export function recordableRow(model: ModelEntry, row: Readonly<Row>): Readonly<Row> {
  const paths = unseenPaths(model);
  const isUnseen = (path: string): boolean => paths.size > 0 && paths.has(withoutPositions(model.schema, path));
  return cleanRow(row, '', (name, path) => isSecretName(name) || isUnseen(path));
}

type IsLeftOut = (name: string, path: string) => boolean;

function cleanRow(row: Readonly<Row>, prefix: string, isLeftOut: IsLeftOut): Readonly<Row> {
  const names = Object.keys(row);
  const kept: [name: string, value: unknown][] = [];
  let isSame = true;
  for (const name of names) {
    const value = row[name];
    const path = prefix + name;
    if (isLeftOut(name, path)) continue;
    const clean = typeof value === 'object' && value !== null ? cleanValue(value, path, isLeftOut) : value;
    if (clean !== value) isSame = false;
    kept.push([name, clean]);
  }
  return isSame && kept.length === names.length ? row : Object.fromEntries(kept);
}

function cleanValue(value: unknown, path: string, isLeftOut: IsLeftOut): unknown {
  if (isPlainObject(value)) return cleanRow(value, `${path}.`, isLeftOut);
  if (!Array.isArray(value)) return value;
  const clean = value.map((member) => cleanValue(member, path, isLeftOut));
  return clean.some((member, at) => member !== value[at]) ? clean : value;
}
