/** Reads documents by their ids, those of one moment together, so that a view of many links sends few requests. */
import { DossierError } from 'dossier-client';
import { client, statusOf } from './client.ts';
import type { Document, Id } from './fields.ts';

/** Ids of a request, as many as lists of the server have at most. */
export const maxIds = 100;

interface Wanted {
  readonly id: Id;
  readonly done: (document: Document) => void;
  readonly fail: (error: unknown) => void;
}

/** What is wanted in this moment, by the name of the model. */
const waiting = new Map<string, Wanted[]>();

/** @throws DossierError 404 for a document that does not exist, is deleted, or is closed to the caller */
export function readById(model: string, id: Id): Promise<Document> {
  return new Promise((done, fail) => {
    const wanted = waiting.get(model);
    if (wanted === undefined) {
      waiting.set(model, [{ id, done, fail }]);
      setTimeout(() => readWaiting(model));
    } else wanted.push({ id, done, fail });
  });
}

function readWaiting(model: string): void {
  const wanted = waiting.get(model) ?? [];
  waiting.delete(model);
  for (let from = 0; from < wanted.length; from += maxIds) void readSome(model, wanted.slice(from, from + maxIds));
}

/** Refusals of one id, which is none of the model, or of too long an address. */
const refusals: ReadonlySet<number> = new Set([400, 414, 431]);

async function readSome(model: string, wanted: readonly Wanted[]): Promise<void> {
  try {
    const ids = [...new Set(wanted.map(({ id }) => id))];
    const { data } = await client.model(model).list({ filter: { _id: { $in: ids } }, limit: ids.length });
    const found = new Map(data.map((document) => [String(document._id), document]));
    for (const { id, done, fail } of wanted) {
      const document = found.get(String(id));
      if (document === undefined) fail(new DossierError(404, { message: 'Not found', err: `there is no ${id}` }));
      else done(document);
    }
  } catch (error) {
    if (wanted.length > 1 && refusals.has(statusOf(error))) {
      // one of them must not hide the others
      const half = Math.ceil(wanted.length / 2);
      await Promise.all([readSome(model, wanted.slice(0, half)), readSome(model, wanted.slice(half))]);
    } else for (const { fail } of wanted) fail(error);
  }
}
