/** Undoes changes of documents, unless the same fields were changed since: no undo overwrites another change. */
import type { BatchOperation } from 'dossier-client';
import { statusOf } from '../api/client.ts';
import { valueAt } from '../api/fields.ts';
import { pathTo, writeMany } from '../api/writes.ts';
import { type Edits, isSame, updateOf } from './edits.ts';
import { readRevision, type Revision } from './use-document.ts';

/** The values of a document's fields before a change and after it. */
export interface Change {
  readonly id: string;
  readonly before: Edits;
  readonly after: Edits;
}

/**
 * @param before the document as it was read
 * @param answered the document as the server has answered the change
 * @returns undefined where the caller may not read what was changed, so that the earlier values are unknown
 */
export function changeOf(edits: Edits, before: object, answered: object): Change | undefined {
  const isKnown = ([path, value]: [string, unknown]): boolean =>
    value === null || value === undefined || valueAt(answered, path) !== undefined;
  if (![...edits].every(isKnown)) return undefined;
  const valuesIn = (document: object): Edits =>
    new Map([...edits.keys()].map((path) => [path, valueAt(document, path) ?? null]));
  return { id: String(valueAt(answered, '_id')), before: valuesIn(before), after: valuesIn(answered) };
}

/** Restores the earlier values of documents. @throws Error with the number of those that were changed since, which stay as they are */
export async function undoChanges(model: string, changes: readonly Change[]): Promise<void> {
  let kept = 0;
  for (let at = 0; at < changes.length; at += readAtOnce) {
    const part = changes.slice(at, at + readAtOnce);
    const operations = await restorationsOf(model, part);
    if (operations.length > 0) await writeMany(operations);
    kept += part.length - operations.length;
  }
  if (kept > 0) throw new Error(`${kept} of ${changes.length} documents were changed since, and stay as they are.`);
}

/** Documents that are read at the same time. */
const readAtOnce = 100;

async function restorationsOf(model: string, changes: readonly Change[]): Promise<BatchOperation[]> {
  const revisions = await Promise.all(changes.map(({ id }) => currentOf(model, id)));
  return changes.flatMap((change, at): BatchOperation[] => {
    const now = revisions[at];
    if (now?.tag === undefined || !isAsLeft(change, now)) return [];
    const headers = { 'If-Match': now.tag };
    return [{ method: 'PATCH', path: pathTo(model, change.id), body: updateOf(change.before), headers }];
  });
}

const isAsLeft = ({ after }: Change, { document }: Revision): boolean =>
  [...after].every(([path, value]) => isSame(valueAt(document, path), value));

/** Undefined for a document that is gone. */
async function currentOf(model: string, id: string): Promise<Revision | undefined> {
  try {
    return await readRevision(model, id);
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    return undefined;
  }
}

/** The operations that delete documents as they are now, unless they were changed since they were read. */
export async function removalsOf(model: string, ids: readonly string[]): Promise<readonly BatchOperation[]> {
  const revisions: (Revision | undefined)[] = [];
  for (let at = 0; at < ids.length; at += readAtOnce)
    revisions.push(...(await Promise.all(ids.slice(at, at + readAtOnce).map((id) => currentOf(model, id)))));
  return revisions.flatMap((revision): BatchOperation[] =>
    revision?.tag === undefined
      ? []
      : [{ method: 'DELETE', path: pathTo(model, revision.document._id), headers: { 'If-Match': revision.tag } }],
  );
}
