/** Entity tags (RFC 9110, 8.8.3): of a document by its revision and the time of its last change, of any other answer by its bytes. */
import { hash } from 'node:crypto';
import type { Filter } from '../query/filter.ts';
import { bson, byteAt, findElement, nameEnd } from './bytes/layout.ts';

const revisionName = Buffer.from('__v');
const changedName = Buffer.from('updatedAt');

/** In a tag, in place of a revision or time that the document does not have: the first write gives it both. */
const none = 'x';

interface TaggedAs {
  /**
   * Whether the answer depends on more than the row: linked documents, the letters of the caller, computed values. Then the bytes are part of
   * the tag, and If-Match considers only the document.
   */
  readonly isDerived: boolean;
  /** Whether the row has all that is stored: what it lacks, the document lacks. */
  readonly isWhole: boolean;
}

/**
 * The tag of an answer with one document. It is weak, so that If-Match never matches, if the row was read without its revision or time. Other
 * programs may have stored a document without them, and change it without a trace: the bytes are part of its tag too.
 */
export function documentTag(row: Buffer, answer: Buffer, { isDerived, isWhole }: TaggedAs): string {
  const [revision, changed] = [findElement(row, 0, revisionName), findElement(row, 0, changedName)];
  const isTagged = (at: number, type: number): boolean => (at === -1 ? isWhole : byteAt(row, at) === type);
  if (!isTagged(revision, bson.int) || !isTagged(changed, bson.date)) return answerTag(answer);
  const number = revision === -1 ? none : row.readInt32LE(valueAt(row, revision));
  const time = changed === -1 ? none : row.readBigInt64LE(valueAt(row, changed));
  const hasDigest = isDerived || revision === -1 || changed === -1;
  return hasDigest ? `"${number}-${time}-${digestOf(answer)}"` : `"${number}-${time}"`;
}

/** The weak tag of an answer's bytes. */
export const answerTag = (answer: Buffer): string => `W/"${digestOf(answer)}"`;

const digestOf = (answer: Buffer): string => hash('sha1', answer, 'base64url');

const valueAt = (row: Buffer, element: number): number => nameEnd(row, element + 1) + 1;

/**
 * The tag of a document. A proxy that compresses sends its weak form (nginx), or adds the name of the encoding (Caddy, Apache); the
 * document is the same.
 */
const documentTagForm = /^(?:W\/)?"(\d{1,10}|x)-(\d{1,15}|x)(?:-[\w-]{27})?(?:-(?:gzip|br|zstd|deflate))?"$/;

/** The revisions that a header of tags names, also as proxies change them; undefined for `*`, which means any. */
export function revisionsIn(header: string): Filter | undefined {
  const tags = tagsIn(header);
  if (tags.includes('*')) return undefined;
  const revisions = tags.flatMap((tag) => {
    const match = documentTagForm.exec(tag);
    if (match === null) return [];
    const [, revision, time] = match;
    const missing = { $exists: false };
    return [
      {
        __v: revision === none ? missing : Number(revision),
        updatedAt: time === none ? missing : new Date(Number(time)),
      },
    ];
  });
  return revisions.length === 0 ? { _id: { $in: [] } } : { $or: revisions };
}

/** Whether one of the tags of an If-None-Match header is this one, by the weak comparison (RFC 9110, 8.8.3.2 and 13.1.2). */
export const isAmong = (tag: string, header: string): boolean =>
  tagsIn(header).some((given) => given === '*' || opaque(given) === opaque(tag));

/**
 * Whether an If-Match header of a read allows an answer with this tag, by the strong comparison (RFC 9110, 8.8.3.2 and 13.1.1), but for the
 * marks of proxies; `*` allows every one.
 */
export const isWanted = (tag: string, header: string): boolean =>
  tagsIn(header).includes('*') || (!tag.startsWith('W/') && isAmong(tag, header));

/** A tag without the marks of proxies that compress. */
const opaque = (tag: string): string => tag.replace(/^W\//, '').replace(/-(?:gzip|br|zstd|deflate)(?="$)/, '');

const tagsIn = (header: string): readonly string[] =>
  header
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
