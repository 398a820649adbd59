/** One document with its revision, as it is now. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client, statusOf } from '../api/client.ts';
import { type Document, valueAt } from '../api/fields.ts';
import { pathTo } from '../api/writes.ts';
import { type Edits, updateOf } from './edits.ts';

export interface Revision {
  readonly document: Document;
  /** The entity tag, which `If-Match` takes; undefined for a deleted document. */
  readonly tag: string | undefined;
}

/** @throws DossierError 404 */
export async function readRevision(model: string, id: string): Promise<Revision> {
  try {
    const answer = await client.request(pathTo(model, id));
    const { data } = (await answer.json()) as { data: Document };
    return { document: data, tag: answer.headers.get('etag') ?? undefined };
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    const { data } = await client.model(model).list({ filter: { _id: id }, showDeleted: true, limit: 1 });
    const [document] = data;
    if (document === undefined) throw error;
    return { document, tag: undefined };
  }
}

/** @returns the document as it is now, as far as the caller may read it @throws DossierError 412 when another user has changed it */
export async function saveRevision(model: string, { document, tag }: Revision, changes: Edits): Promise<object> {
  const headers = tag === undefined ? {} : { 'if-match': tag };
  const answer = await client.request(pathTo(model, document._id), {
    method: 'PATCH',
    body: updateOf(changes),
    headers,
  });
  return ((await answer.json()) as { data?: object }).data ?? {};
}

export const useDocument = (model: string, id: string): UseQueryResult<Revision> =>
  useQuery({
    queryKey: ['document', model, id],
    queryFn: () => readRevision(model, id),
    // a field that is being edited changes by its editor only
    staleTime: Infinity,
    gcTime: 0,
  });

/** A revision with the document that a change was answered with, unless the caller may not read that. */
export const withAnswer = (now: Revision | undefined, answered: object): Revision | undefined =>
  now === undefined || valueAt(answered, '_id') === undefined ? now : { ...now, document: answered as Document };

/** Whether a document is no longer at a revision. */
export const isOther = async (model: string, id: string, tag: string | undefined): Promise<boolean> =>
  tag === undefined ||
  client.request(pathTo(model, id), { headers: { 'if-none-match': tag } }).then(
    () => true,
    (error: unknown) => statusOf(error) === 404,
  );

/**
 * Calls back when the document changes, with the user who has changed it; null where that is not known.
 * @param tag of the revision that was read, so that a change between the reading and the watching is reported too
 */
export function useChanges(model: string, id: string, changed: (user: string | null) => void, tag?: string): void {
  const [{ count, user }, setChange] = useState<{ count: number; user: string | null }>({ count: 0, user: null });
  useEffect(() => {
    const watch = client.model(model).watch({ id });
    const add = (by: string | null): void => setChange((before) => ({ count: before.count + 1, user: by }));
    watch.addEventListener('change', ({ detail }) => add(detail.user_id));
    if (tag !== undefined)
      watch.ready
        .then(() => isOther(model, id, tag))
        .then((is) => (is ? add(null) : undefined))
        // the watch has been closed, or refused
        .catch(() => undefined);
    return () => watch.close();
    // a later revision is read while it is watched
  }, [model, id]);
  useEffect(() => {
    if (count > 0) changed(user);
    // each change is reported once, by the function of that time
  }, [count]);
}
