/** `check_links`: refuses values that link to missing or deleted documents before anything is written. */
import type { ModelContext } from '../context.ts';
import { type PathFault, validationFailed } from '../errors.ts';
import { isId } from '../models/cast.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { notDeleted } from '../models/deleted.ts';
import type { ModelEntry } from '../models/entry.ts';
import { modelOf, ObjectId, type Row } from '../models/mongoose.ts';
import { isPosition } from '../models/path-type.ts';
import { isPlainObject } from '../models/plain-object.ts';
import { policyFor } from '../policy/policy.ts';
import { sessionOf } from './commit.ts';

interface Reference {
  readonly path: string;
  readonly id: string;
}

/** Maximum number of reported faults. */
const maxFaults = 100;

/** @throws 400 naming each path and value */
export async function checkLinks(context: ModelContext, written: readonly Row[]): Promise<void> {
  const faults = await linkFaults(context, written);
  if (faults.length > 0) throw validationFailed(faults);
}

/**
 * Looks up the links of values, with one query per linked model.
 * @param written values that are written together, possibly with dotted names. A later one may link to the `_id` of an earlier
 * one
 * @returns the faults by path and value
 */
export async function linkFaults(context: ModelContext, written: readonly Row[]): Promise<readonly PathFault[]> {
  const { model, services } = context;
  if (!model.options.check_links) return [];
  const references = new Map<string, Reference[]>();
  const ownIds = new Set<string>();
  for (const values of written) {
    if (values['_id'] !== undefined) ownIds.add(String(values['_id']).toLowerCase());
    for (const link of model.links)
      for (const id of link.stamp ? [] : idsAt(values, link.path.split('.')))
        if (link.model !== model.name || !ownIds.has(id))
          (references.get(link.model) ?? references.set(link.model, []).get(link.model))?.push({ path: link.path, id });
  }
  const faults: PathFault[] = [];
  for (const [name, found] of references)
    faults.push(...(await faultsOf(context, services.registry.internal(name), found)));
  return faults.slice(0, maxFaults);
}

async function faultsOf(
  context: ModelContext,
  target: ModelEntry,
  references: readonly Reference[],
): Promise<PathFault[]> {
  const ids = [...new Set(references.map(({ id }) => id))];
  const these = { _id: { $in: ids.map((id) => new ObjectId(id)) }, ...notDeleted };
  const policy = policyFor(context.principal, target);
  // a document that a rule hides from the caller does not exist for them
  const filter = policy.hasRules('r') ? policy.filter('r', these) : these;
  try {
    const rows = await modelOf(target)
      .collection.find(filter, { projection: { _id: 1 }, ...sessionOf(context) })
      .toArray();
    const there = new Set(rows.map(({ _id }) => String(_id)));
    const missing = new Map(references.filter(({ id }) => !there.has(id)).map((one) => [`${one.path} ${one.id}`, one]));
    return [...missing.values()].map(({ path, id }) => ({
      path,
      kind: 'link',
      message: `${path} links to ${target.name} ${id}, which does not exist`,
    }));
  } catch (error) {
    throw fromDatabase(error);
  }
}

/** The ids at a link's path, in lower case. @param parts of the path relative to the value; `$*` is any key of a map */
function idsAt(value: unknown, parts: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((member) => idsAt(member, parts));
  if (parts.length === 0) return isIdentifier(value) ? [String(value).toLowerCase()] : [];
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const rest = restOf(parts, name.split('.'));
    return rest === undefined ? [] : idsAt(inner, rest);
  });
}

const isIdentifier = (value: unknown): boolean =>
  value instanceof ObjectId || (typeof value === 'string' && isId(value));

/** The rest of a path after a name, which may contain positions in lists; undefined if the name is not a prefix of it. */
function restOf(path: readonly string[], name: readonly string[]): string[] | undefined {
  const rest = [...path];
  for (const part of name) {
    if (rest[0] === part || rest[0] === '$*') rest.shift();
    else if (!isPosition(part)) return undefined;
  }
  return rest;
}
