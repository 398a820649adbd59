/** The keys of documents and entries in the collections of histories. */
import { createHash } from 'node:crypto';
import type { ModelEntry } from '../../models/entry.ts';

/** Characters of an id in a key, which an index takes in every engine. */
const maxIdLength = 300;
const digits = 10;

/** The key of a document. @param id as text */
export function documentKey({ name }: Pick<ModelEntry, 'name'>, id: string): string {
  // without the separator
  const text = encodeURIComponent(id);
  const short = text.length > maxIdLength ? `~${createHash('sha256').update(id).digest('hex')}` : text;
  return `${name}/${short}`;
}

/** The `_id` of an entry: those of a document are in the order of their revisions. */
export const entryKey = (key: string, rev: number): string => `${key}/${String(rev).padStart(digits, '0')}`;

/** The filter of a document's entries, by their revisions, both included. */
export const entriesOf = (
  key: string,
  from = 0,
  to = 10 ** digits - 1,
): { readonly _id: { readonly $gte: string; readonly $lte: string } } => ({
  _id: { $gte: entryKey(key, Math.max(0, from)), $lte: entryKey(key, to) },
});
