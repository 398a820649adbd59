/**
 * Describes the parts of a model's documents that one caller receives, for both exits (`policy/shape` and `read/bytes/document-encoder`).
 */
import { firstName } from '../models/fields/path-type.ts';
import type { Fields } from '../query/fields.ts';
import type { HiddenNames } from '../query/schema-view.ts';
import { scorePath } from '../query/search.ts';

/** The rows of a caller who sees more of them than of others. */
export interface OwnRows {
  /** The path of a row's owner, and the caller's id, as text. */
  readonly path: '_id' | '_owner_id';
  readonly id: string;
  readonly hidden: HiddenNames;
}

export interface Presentation {
  readonly hidden: HiddenNames;
  /** What is hidden in the caller's own rows, where that is less. */
  readonly ownRows?: OwnRows | undefined;
  readonly fields: Fields | undefined;
  /** Whether `_id` is shown as `id`, too: not where only an identity is shown, or where the model has an `id` of its own. */
  readonly withId: boolean;
  /** Whether rows have the `score` of a search, which is shown besides the requested fields; by default they have none. */
  readonly withScore?: boolean | undefined;
}

/** Made from what a view hides, once for each view. */
type Derived = (hidden: HiddenNames) => HiddenNames;

function derived(make: Derived): Derived {
  const made = new WeakMap<HiddenNames, HiddenNames>();
  return (hidden) => {
    const known = made.get(hidden) ?? make(hidden);
    made.set(hidden, known);
    return known;
  };
}

/** What is hidden in the rows of a search, which have a score besides the names of the schema. */
export const hiddenBesideScore = derived((hidden) => {
  const { names } = hidden;
  if (names === 'any') return hidden;
  return { ...hidden, names: { ...names, byName: new Map([...names.byName, [scorePath, 'any']]) } };
});

/** What is hidden where all stored fields are shown, whether the schema has them or not. */
export const hiddenInStoredFields = derived((hidden) => ({ ...hidden, names: 'any' }));

/**
 * The top-level keys that are shown; undefined for all. `_id` always is, and the `score` of a search, unless it is left out by name. Requested paths
 * count by their first part: the database or `withFields` selects the deeper parts.
 */
export function visibleKeys({
  fields,
  withScore,
}: Pick<Presentation, 'fields' | 'withScore'>): ((key: string) => boolean) | undefined {
  if (fields === undefined || fields.mode === 'stored') return undefined;
  const isOnly = fields.mode === 'only';
  const named = new Set(isOnly ? fields.paths.map((path) => firstName(path)) : fields.paths);
  if (isOnly && withScore) named.add(scorePath);
  return (key) => key === '_id' || named.has(key) === isOnly;
}
