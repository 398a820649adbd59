/** The entity tag of a document: its revision and the time of its last change (RFC 9110, 8.8.3). */
import type { Filter } from '../language/filter.ts';
import { bson, byteAt, findElement, nameEnd } from './bytes/layout.ts';

const revisionName = Buffer.from('__v');
const changedName = Buffer.from('updatedAt');

/** Undefined for a document without revision or time. */
export function tagOf(row: Buffer): string | undefined {
  const revision = valueOf(row, revisionName, bson.int);
  const changed = valueOf(row, changedName, bson.date);
  if (revision === undefined || changed === undefined) return undefined;
  return `"${row.readInt32LE(revision)}-${row.readBigInt64LE(changed)}"`;
}

function valueOf(row: Buffer, name: Buffer, type: number): number | undefined {
  const at = findElement(row, 0, name);
  return at === -1 || byteAt(row, at) !== type ? undefined : nameEnd(row, at + 1) + 1;
}

/** The documents that a header of tags means; undefined for `*`, which means any. */
export function revisionsIn(header: string): Filter | undefined {
  const tags = tagsIn(header);
  if (tags.includes('*')) return undefined;
  const revisions = tags.flatMap((tag) => {
    const match = /^"(\d{1,10})-(\d{1,15})"$/.exec(tag);
    return match === null ? [] : [{ __v: Number(match[1]), updatedAt: new Date(Number(match[2])) }];
  });
  return revisions.length === 0 ? { _id: { $in: [] } } : { $or: revisions };
}

/** Whether one of the tags of a header is this one; weak ones count as strong, as If-None-Match wants it. */
export const isAmong = (tag: string, header: string): boolean =>
  tagsIn(header).some((given) => given === '*' || given.replace(/^W\//, '') === tag);

const tagsIn = (header: string): readonly string[] =>
  header
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
