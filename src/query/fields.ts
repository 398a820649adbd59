/** Parses `fields`: the fields of an answer. `_id` is always included, and hidden fields never are. */
import { adminOnly, badParameter } from '../errors/errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { realPath } from '../models/fields/resolve-alias.ts';
import type { Caller } from './expressions.ts';
import { checkKnown, checkParts, checkPath, hasHiddenKey } from './key-checks.ts';
import { namesOf, type Parameter } from './parameter-tree.ts';
import type { SchemaView } from './schema-view.ts';
import { scorePath } from './search.ts';

/** Fields to include, fields to exclude, or all that are stored, whether the schema has them or not. */
export interface Fields {
  readonly mode: 'only' | 'without' | 'stored';
  readonly paths: readonly string[];
}

interface FieldsOptions {
  /** The name of the parameter. */
  readonly name?: 'fields' | 'populate';
  /** Whether rows have a `score`, which is not in the schema. */
  readonly scored?: boolean;
  /** Of whom admins may request all stored fields. */
  readonly caller?: Caller;
}

/** Requests all stored fields. */
const allStored = '*';

/** The fields that a caller requests; undefined for all that the schema has. @throws 400, and 401 or 403 for those of admins */
export function fieldsFrom(
  value: Parameter | undefined,
  model: ModelEntry,
  view: SchemaView,
  { name = 'fields', scored = false, caller }: FieldsOptions = {},
): Fields | undefined {
  if (value === undefined || value === '') return defaultFields(model);
  if (value === allStored && caller !== undefined) {
    if (!caller.admin) throw adminOnly(caller, `${name}=${allStored}`);
    return { mode: 'stored', paths: [] };
  }
  if (typeof value !== 'string') throw badParameter(name, 'takes names separated by commas');
  const names = namesOf(value, name);
  const out = names.filter((text) => text.startsWith('-'));
  if (out.length > 0 && out.length < names.length)
    throw badParameter(name, 'takes either names to include or names to exclude');
  const mode = out.length > 0 ? 'without' : 'only';
  const named = names.map((text) => text.replace(/^[-+]/, ''));
  const paths = named.map((one) => realPath(model.schema, one));
  for (const [at, path] of paths.entries()) {
    checkParts(path);
    // leaving out what an alias of a hidden field names would show that the alias exists
    if (path !== named[at]) checkPath(view, path);
    // hidden fields are excluded anyway, whether they exist or not
    if (!hasHiddenKey(view, path) && (!scored || path !== scorePath)) checkKnown(view, path, name, 'shown');
  }
  const shown =
    mode === 'only'
      ? paths.filter((path) => !hasHiddenKey(view, path))
      : [...paths.filter((path) => path !== '_id'), ...model.unselected];
  return { mode, paths: withoutParents([...new Set(shown)]) };
}

/** The default fields: all except paths with `select: false`. */
export const defaultFields = ({ unselected }: ModelEntry): Fields | undefined =>
  unselected.length === 0 ? undefined : { mode: 'without', paths: unselected };

/** `a` covers `a.b`; MongoDB refuses both at once. */
const withoutParents = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => !paths.some((other) => other !== path && path.startsWith(`${other}.`)));

/** The requested fields with the links inside nested documents, because a linked document is shown beside its id. */
export function withLinkPaths(fields: Fields | undefined, links: readonly string[]): Fields | undefined {
  if (fields?.mode !== 'only') return fields;
  const nested = links.filter((path) => path.includes('.'));
  return { mode: 'only', paths: withoutParents([...new Set([...fields.paths, ...nested])]) };
}

/** The projection for MongoDB. @param also further paths that are needed, such as the ids of links */
export function projectionOf(fields: Fields | undefined, also: readonly string[]): Record<string, 0 | 1> | undefined {
  if (fields === undefined || fields.mode === 'stored') return undefined;
  if (fields.mode === 'without') {
    const hidden = fields.paths.filter(
      (path) => !also.some((needed) => needed === path || needed.startsWith(`${path}.`)),
    );
    return hidden.length === 0 ? undefined : Object.fromEntries(hidden.map((path) => [path, 0]));
  }
  const wanted = withoutParents([...new Set(['_id', ...fields.paths, ...also])]);
  return Object.fromEntries(wanted.map((path) => [path, 1]));
}
