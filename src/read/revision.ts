/** Entity tags (RFC 9110, 8.8.3): of a document by its revision and the time of its last change, of any other answer by its bytes. */
import { hash } from 'node:crypto';
import type { Filter } from '../query/filter.ts';
import { bson, byteAt, findElement, nameEnd } from './bytes/layout.ts';

const revisionName = Buffer.from('__v');
const changedName = Buffer.from('updatedAt');

/**
 * The tag of an answer with one document. If linked documents are shown, which may change independently, the bytes are part of
 * the tag, and If-Match considers only the document. The tag is weak, so that If-Match never matches, if the row has no revision
 * or time.
 */
export function documentTag(row: Buffer, answer: Buffer, linked: boolean): string {
  const revision = valueOf(row, revisionName, bson.int);
  const changed = valueOf(row, changedName, bson.date);
  if (revision === undefined || changed === undefined) return answerTag(answer);
  const own = `${row.readInt32LE(revision)}-${row.readBigInt64LE(changed)}`;
  return linked ? `"${own}-${digestOf(answer)}"` : `"${own}"`;
}

/** The weak tag of an answer's bytes. */
export const answerTag = (answer: Buffer): string => `W/"${digestOf(answer)}"`;

const digestOf = (answer: Buffer): string => hash('sha1', answer, 'base64url');

function valueOf(row: Buffer, name: Buffer, type: number): number | undefined {
  const at = findElement(row, 0, name);
  return at === -1 || byteAt(row, at) !== type ? undefined : nameEnd(row, at + 1) + 1;
}

/**
 * The tag of a document. A proxy that compresses sends its weak form (nginx), or adds the name of the encoding (Caddy, Apache); the
 * document is the same.
 */
const documentTagForm = /^(?:W\/)?"(\d{1,10})-(\d{1,15})(?:-[\w-]{27})?(?:-(?:gzip|br|zstd|deflate))?"$/;

/** The revisions that a header of tags names, also as proxies change them; undefined for `*`, which means any. */
export function revisionsIn(header: string): Filter | undefined {
  const tags = tagsIn(header);
  if (tags.includes('*')) return undefined;
  const revisions = tags.flatMap((tag) => {
    const match = documentTagForm.exec(tag);
    return match === null ? [] : [{ __v: Number(match[1]), updatedAt: new Date(Number(match[2])) }];
  });
  return revisions.length === 0 ? { _id: { $in: [] } } : { $or: revisions };
}

/** Whether one of the tags of an If-None-Match header is this one, by the weak comparison (RFC 9110, 8.8.3.2 and 13.1.2). */
export const isAmong = (tag: string, header: string): boolean =>
  tagsIn(header).some((given) => given === '*' || opaque(given) === opaque(tag));

/** A tag without the marks of proxies that compress. */
const opaque = (tag: string): string => tag.replace(/^W\//, '').replace(/-(?:gzip|br|zstd|deflate)(?="$)/, '');

const tagsIn = (header: string): readonly string[] =>
  header
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
