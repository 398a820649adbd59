/** The moments at which the tests kill a store, by what it does. */
import type { KillPoint } from './killing.ts';

const page = 'INTO pages';
const root = 'INTO roots';
const collection = 'INTO collections';
const obsolete = 'DELETE FROM pages WHERE id =';
const dropped = 'DELETE FROM pages WHERE id IN';

type Points = Readonly<Record<string, KillPoint>>;

/** During a checkpoint after changes of all documents and the drop of a collection. */
const checkpoint: Points = {
  'after the trees are frozen': { at: page, when: 'before' },
  'between two slices of pages': { at: page, when: 'after' },
  'before the roots are replaced': { at: root, when: 'before', ofState: true },
  'after the roots are replaced': { at: root, when: 'after', ofState: true },
  'before a slice of the log is deleted': { at: 'DELETE FROM log', when: 'before' },
  'between two slices of the log': { at: 'DELETE FROM log', when: 'after' },
  'before obsolete pages are deleted': { at: obsolete, when: 'before' },
  'between two slices of obsolete pages': { at: obsolete, when: 'after' },
  'before the pages of a dropped collection are deleted': { at: dropped, when: 'before' },
  'after the pages of a dropped collection are deleted': { at: dropped, when: 'after' },
};

/** While a collection is dropped. */
const drop: Points = {
  'before the drop is on disk': { at: 'DELETE FROM collections', when: 'before' },
  'after the drop is on disk': { at: 'DELETE FROM collections', when: 'after' },
};

/** While `$out` replaces a collection. */
const out: Points = {
  'before the replacement is on disk': { at: collection, when: 'before' },
  'after the replacement is on disk': { at: collection, when: 'after' },
};

/** While an index on existing documents is built, which writes pages before its root. */
const build: Points = {
  'between two slices of pages': { at: page, when: 'after' },
  'before replaced pages are deleted': { at: obsolete, when: 'before' },
  'after replaced pages are deleted': { at: obsolete, when: 'after' },
  'before the root is written': { at: root, when: 'before', ofState: false },
  'after the root is written': { at: root, when: 'after', ofState: false },
  'before the collection has the index': { at: collection, when: 'before' },
  'after the collection has the index': { at: collection, when: 'after' },
};

/** As `build`, for a text index: it is written in another way, and added in the same. */
const textBuild: Points = {
  'between two slices of pages': { at: page, when: 'after' },
  'before replaced pages are deleted': { at: obsolete, when: 'before' },
  'after replaced pages are deleted': { at: obsolete, when: 'after' },
  'after the root is written': { at: root, when: 'after', ofState: false },
};

/** By scenario: an index on ordinary fields (`keys`), and one on words. */
export const killPoints = { checkpoint, drop, out, keys: build, words: textBuild };

export type Scenario = keyof typeof killPoints;

/** The point with a name. */
export function pointOf(scenario: string, name: string): KillPoint {
  const points: Points | undefined = Object.entries(killPoints).find(([key]) => key === scenario)?.[1];
  const point = points?.[name];
  if (point === undefined) throw new Error(`there is no kill point "${name}" of ${scenario}`);
  return point;
}
