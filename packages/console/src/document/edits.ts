/** What a person has changed in a document, and what is sent to the server for it. Pure. */
import { type Document, isInList, isSecret, valueAt } from '../api/fields.ts';
import type { OwnModel } from '../api/models.ts';

/** New values by path. */
export type Edits = ReadonlyMap<string, unknown>;

/** Fields that the server sets. */
const ofServer = new Set(['createdAt', 'updatedAt', '__v']);

export const isOwn = (path: string): boolean => !path.startsWith('_') && !ofServer.has(path);

/** Whether a path is the id of a nested document, which the server gives. */
const isInnerId = (path: string): boolean => path.endsWith('._id');

/** The paths of a form: those with a letter, a list as a whole, and for a new document the id where the server does not make it. */
export function formPaths(model: OwnModel, letter: 'c' | 'u'): string[] {
  const has = (path: string, one: string): boolean => model.rights.fields[path]?.includes(one) === true;
  const isGivenId = (path: string): boolean =>
    letter === 'c' && path === '_id' && model.fields[path]?.type !== 'ObjectId' && has(path, 'c');
  return Object.keys(model.fields).filter(
    (path) =>
      (isOwn(path) || isGivenId(path)) &&
      model.fields[path]?.hidden !== true &&
      !isInList(model, path) &&
      !isInnerId(path) &&
      (has(path, letter) || has(path, 'r') || (isSecret(path) && has(path, letter))),
  );
}

/** The paths that a document of a kind has. @param kind the value of the key, if the model has kinds */
export function pathsOfKind(
  { fields, kinds }: Pick<OwnModel, 'fields' | 'kinds'>,
  paths: readonly string[],
  kind: unknown,
): string[] {
  if (kinds === undefined) return [...paths];
  return paths.filter((path) => {
    const owners = fields[path]?.kinds;
    // the kind of a nested document is one of others
    return owners === undefined || !owners.some((owner) => kinds.values.includes(owner)) || owners.includes(kind);
  });
}

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Whether a required path does not accept a value (Mongoose, `required`). */
export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The edits that change something. */
export const changesOf = (document: Document | undefined, edits: Edits): Edits =>
  new Map([...edits].filter(([path, value]) => value !== undefined && !isSame(valueAt(document, path), value)));

/** The update of a document. */
export function updateOf(changes: Edits): Readonly<Record<string, object>> {
  const set = [...changes].filter(([, value]) => value !== null);
  const unset = [...changes].filter(([, value]) => value === null).map(([path]) => [path, 1]);
  return {
    ...(set.length === 0 ? {} : { $set: Object.fromEntries(set) }),
    ...(unset.length === 0 ? {} : { $unset: Object.fromEntries(unset) as object }),
  };
}

/** The edits of a new document that give it something: what was emptied is not sent. */
export const givenIn = (edits: Edits): Edits => new Map([...edits].filter(([, value]) => value !== null));

/** The body of a document. */
export function bodyOf(values: Edits): Readonly<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  for (const [path, value] of values) {
    if (value === undefined) continue;
    const parts = path.split('.');
    const last = parts.pop() ?? '';
    let inner = body;
    for (const part of parts) inner = (inner[part] ??= {}) as Record<string, unknown>;
    inner[last] = value;
  }
  return body;
}

/** Paths that two users have changed, each by who has. */
interface Compared {
  /** Changed by both, to different values. */
  readonly both: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/**
 * What the edits of one user and the revision of another have changed. A change that both have made is theirs, since it is stored already.
 * @param before gives the value with which the editing began
 */
export function compared(
  paths: readonly string[],
  before: (path: string) => unknown,
  theirs: Document,
  edits: Edits,
): Compared {
  const isTheirs = (path: string): boolean => !isSame(before(path), valueAt(theirs, path));
  const isMine = (path: string): boolean => edits.has(path) && !isSame(edits.get(path), valueAt(theirs, path));
  return {
    both: paths.filter((path) => isMine(path) && isTheirs(path)),
    mine: paths.filter((path) => isMine(path) && !isTheirs(path)),
    theirs: paths.filter((path) => isTheirs(path) && !isMine(path)),
  };
}
