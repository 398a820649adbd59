/** One case that every engine is asked: what is sent, and the answer that MongoDB's manual states. */
import { EJSON, deserialize } from 'bson';
import type { Db, Document } from 'mongodb';
import { encode } from 'dossier-language/values';
import type { Doc } from 'dossier-language/values';

/** A case. Its name is what is asked, so that a report can be read without the tables. */
export interface Case {
  readonly name: string;
  /** Asks an engine; gives what it answers, or throws `Refused`. */
  readonly ask: (db: Db) => Promise<unknown>;
  readonly expected: { readonly answer: unknown } | { readonly code: number };
}

/** An error that an engine answered with. */
export class Refused extends Error {
  readonly code: number;

  constructor({ code, errmsg }: { readonly code?: unknown; readonly errmsg?: unknown }) {
    super(String(errmsg));
    this.code = Number(code);
  }
}

/** A document of the store as the driver sends it: each number keeps its type. */
export const sent = (doc: Doc): Document =>
  deserialize(encode(doc), { promoteValues: false, promoteBuffers: false, bsonRegExp: true });

/** Documents as text in which each BSON type can be told. */
export const shown = (docs: readonly Document[]): string => EJSON.stringify(docs, { relaxed: false });

/** A case as its tables give it, short enough for a line. */
export const brief = (doc: Doc): string => EJSON.stringify(doc, { relaxed: true });

/** Runs a command and throws what any part of its answer refuses. */
export async function command(db: Db, asked: Document): Promise<Document> {
  const answer = await db.command(asked, { promoteValues: false, bsonRegExp: true }).catch((error: unknown) => {
    throw new Refused(error as Refused);
  });
  const [failed] = (answer['writeErrors'] ?? []) as readonly Document[];
  if (failed !== undefined) throw new Refused(failed);
  return answer;
}

/** Puts one document into the collection `one`, in place of all. */
export async function only(db: Db, doc: Document): Promise<void> {
  await clear(db);
  await command(db, { insert: 'one', documents: [doc] });
}

/** Leaves the collection `one` empty. */
export async function clear(db: Db): Promise<void> {
  await command(db, { delete: 'one', deletes: [{ q: {}, limit: 0 }] });
}

/** The documents that a find gives, at most a hundred. */
export async function found(db: Db, collection: string, more: Document = {}): Promise<readonly Document[]> {
  const { cursor } = await command(db, { find: collection, batchSize: 100, ...more });
  return (cursor as { readonly firstBatch: readonly Document[] }).firstBatch;
}
