/** The keys of documents and entries in the collections of histories. */
import { createHash } from 'node:crypto';
import type { ModelEntry } from '../../core.ts';

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

/** The `_id` of a row of a document: they are in the order of their revisions. */
export const rowKey = (key: string, rev: number): string => `${key}/${String(rev).padStart(digits, '0')}`;

/** The filter of a document's rows, placeholders included, by their revisions, both included. */
export const rowsOf = (key: string, from = 0, to = 10 ** digits - 1) => ({
  _id: { $gte: rowKey(key, Math.max(0, from)), $lte: rowKey(key, to) },
});

/** The filter of a document's entries, by their revisions, both included. */
export const entriesOf = (key: string, from?: number, to?: number) => ({
  ...rowsOf(key, from, to),
  model: { $exists: true },
});
