/** What an entry holds: the digest of a document, and the stored form of a change. Pure. */
import { createHash } from 'node:crypto';
import { isPlainObject, type Row } from '../../core.ts';
import { BSON } from '../../models/object-id.ts';
import { changesBetween, type PathChange } from '../../write/mutation/row-changes.ts';

/** The images and changes of an entry: before the write, after it, or the difference. */
export interface Content {
  readonly before?: Row;
  readonly after?: Row;
  readonly changes?: readonly PathChange[];
}

/** A digest that is equal for equal documents, whatever the order of their fields. */
export const digestOf = (row: Readonly<Row>): string =>
  createHash('sha256')
    .update(BSON.serialize(inOrder(row) as Row))
    .digest('base64url')
    .slice(0, 22);

/** A value with the fields of its objects in order. What is in order is shared. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.some((member) => typeof member === 'object') ? value.map(inOrder) : value;
  if (!isPlainObject(value)) return value;
  const ordered: [name: string, value: unknown][] = [];
  for (const name of Object.keys(value).sort()) ordered.push([name, inOrder(value[name])]);
  return Object.fromEntries(ordered);
}

/** The content of an entry. @param isWhole whether it has the document as it was, so that reading begins there */
export function contentOf(before: Row | undefined, after: Row | undefined, isWhole: boolean): Content {
  const base = isWhole && before !== undefined ? { before } : {};
  if (after === undefined) return base;
  return before === undefined ? { after } : { ...base, changes: changesBetween(before, after).map(withoutFrom) };
}

/** Reading computes what a path had before. */
const withoutFrom = ({ from: _, ...change }: PathChange): PathChange => change;

export const encodeContent = (content: Content): unknown => new BSON.Binary(BSON.serialize(content));

export const decodeContent = (stored: unknown): Content =>
  BSON.deserialize((stored as { readonly buffer: Uint8Array }).buffer);
