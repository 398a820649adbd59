/** `fields` → which fields an answer shows. `_id` always stays. Hidden ones are left out whatever is asked. */
import { badParameter } from '../errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { realPath } from '../models/resolve-alias.ts';
import { checkKnown, checkParts, hasHiddenKey } from './key-checks.ts';
import { namesOf, type Parameter } from './params.ts';
import type { SchemaView } from './schema-view.ts';
import { scorePath } from './search.ts';

/** Fields to show, or fields to leave out. */
export interface Fields {
  readonly mode: 'only' | 'without';
  readonly paths: readonly string[];
}

/**
 * The fields that a caller asks for; undefined when that is all of them.
 * @param name of the parameter @param scored rows have a `score` that the schema does not know @throws 400
 */
export function fieldsFrom(
  value: Parameter | undefined,
  model: ModelEntry,
  view: SchemaView,
  { name = 'fields', scored = false }: { readonly name?: 'fields' | 'populate'; readonly scored?: boolean } = {},
): Fields | undefined {
  if (value === undefined || value === '') return shownUnasked(model);
  if (typeof value !== 'string') throw badParameter(name, 'takes names separated by commas');
  const names = namesOf(value, name);
  const out = names.filter((text) => text.startsWith('-'));
  if (out.length > 0 && out.length < names.length)
    throw badParameter(name, 'takes either names to show or names to leave out');
  const mode = out.length > 0 ? 'without' : 'only';
  const paths = names.map((text) => realPath(model.schema, text.replace(/^[-+]/, '')));
  for (const path of paths) {
    checkParts(path);
    // what is never shown is left out, whether it is there or not
    if (!hasHiddenKey(view, path) && (!scored || path !== scorePath)) checkKnown(view, path, name, 'shown');
  }
  const shown =
    mode === 'only'
      ? paths.filter((path) => !hasHiddenKey(view, path))
      : [...paths.filter((path) => path !== '_id'), ...model.unasked];
  return { mode, paths: withoutParents([...new Set(shown)]) };
}

/** What is shown where nothing is asked for: all, but for paths with `select: false`. */
export const shownUnasked = ({ unasked }: ModelEntry): Fields | undefined =>
  unasked.length === 0 ? undefined : { mode: 'without', paths: unasked };

/** `a` covers `a.b`; MongoDB refuses both at once. */
const withoutParents = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => !paths.some((other) => other !== path && path.startsWith(`${other}.`)));

/** What is asked for, and of nested documents the links besides: a linked document is shown where its id stands. */
export function withNested(fields: Fields | undefined, links: readonly string[]): Fields | undefined {
  if (fields?.mode !== 'only') return fields;
  const nested = links.filter((path) => path.includes('.'));
  return { mode: 'only', paths: withoutParents([...new Set([...fields.paths, ...nested])]) };
}

/** The projection that MongoDB takes. `also` are paths that are needed besides, such as the ids of links. */
export function projectionOf(fields: Fields | undefined, also: readonly string[]): Record<string, 0 | 1> | undefined {
  if (fields === undefined) return undefined;
  if (fields.mode === 'without') {
    const hidden = fields.paths.filter(
      (path) => !also.some((needed) => needed === path || needed.startsWith(`${path}.`)),
    );
    return hidden.length === 0 ? undefined : Object.fromEntries(hidden.map((path) => [path, 0]));
  }
  const wanted = withoutParents([...new Set(['_id', ...fields.paths, ...also])]);
  return Object.fromEntries(wanted.map((path) => [path, 1]));
}
