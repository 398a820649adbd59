/** What of a model's documents leaves for one caller: the one description that both exits read (`policy/shape` and `read/bytes/writer`). */
import type { Fields } from '../query/fields.ts';
import type { Hidden } from '../query/schema-view.ts';

/** The rows of a caller who sees more of them than of others. */
export interface OwnRows {
  /** The path that says whose a row is, and the caller's id, as text. */
  readonly path: '_id' | '_owner_id';
  readonly id: string;
  readonly hidden: Hidden;
}

export interface Presentation {
  readonly hidden: Hidden;
  /** What is hidden in the caller's own rows, where that is less. */
  readonly ownRows?: OwnRows | undefined;
  /** Undefined for all fields. */
  readonly fields: Fields | undefined;
  /** `id` is left out where only an identity is shown. */
  readonly withId: boolean;
}

/**
 * Which keys of a whole document are shown; undefined for all. `_id` and a search's `score` always are. Paths asked for decide by their
 * first part: deeper parts are cut by the database or by `withFields`.
 */
export function shownKeys(fields: Fields | undefined): ((key: string) => boolean) | undefined {
  if (fields === undefined) return undefined;
  const named = new Set(fields.mode === 'only' ? fields.paths.map((path) => path.split('.', 1)[0]) : fields.paths);
  return (key) => key === '_id' || key === 'score' || named.has(key) === (fields.mode === 'only');
}
