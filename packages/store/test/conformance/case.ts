/** One case for any engine: the request, and the result that MongoDB's manual states. */
import { deserialize, EJSON } from 'bson';
import type { Doc } from 'dossier-language/values';
import { encode } from 'dossier-language/values';
import type { Db, Document } from 'mongodb';

/** A case. Its name describes the request, so that a report is readable without the tables. */
export interface Case {
  readonly name: string;
  /** Runs the case on an engine; returns its result or throws `Refused`. */
  readonly ask: (db: Db) => Promise<unknown>;
  readonly expected: { readonly answer: unknown } | { readonly code: number };
}

/** An error reply of an engine. */
export class Refused extends Error {
  readonly code: number;

  constructor({ code, errmsg }: { readonly code?: unknown; readonly errmsg?: unknown }) {
    super(String(errmsg));
    this.code = Number(code);
  }
}

/** A document of the store in the driver's form, which preserves the type of each number. */
export const sent = (doc: Doc): Document =>
  deserialize(encode(doc), { promoteValues: false, promoteBuffers: false, bsonRegExp: true });

/** Documents as text that distinguishes every BSON type. */
export const shown = (docs: readonly Document[]): string => EJSON.stringify(docs, { relaxed: false });

/** A case from its table, short enough for a line. */
export const brief = (doc: Doc): string => EJSON.stringify(doc, { relaxed: true });

/** Runs a command and throws any error in its reply. */
export async function command(db: Db, asked: Document): Promise<Document> {
  const answer = await db.command(asked, { promoteValues: false, bsonRegExp: true }).catch((error: unknown) => {
    throw new Refused(error as Refused);
  });
  const [failed] = (answer['writeErrors'] ?? []) as readonly Document[];
  if (failed !== undefined) throw new Refused(failed);
  return answer;
}

const held = new Map<string, { readonly name: string; readonly doc: Document }>();

/** The name of a collection that contains only this document, for cases that change nothing. `hold` has to fill it first. */
export function holding(doc: Document): string {
  const key = shown([doc]);
  const name = held.get(key)?.name ?? `holding${held.size}`;
  held.set(key, { name, doc });
  return name;
}

/** Fills the collections of `holding`. */
export async function hold(db: Db): Promise<void> {
  for (const { name, doc } of held.values()) await command(db, { insert: name, documents: [doc] });
}

/** Replaces the content of the collection `one` by one document. */
export async function only(db: Db, doc: Document): Promise<void> {
  await clear(db);
  await command(db, { insert: 'one', documents: [doc] });
}

/** Empties the collection `one`. */
export async function clear(db: Db): Promise<void> {
  await command(db, { delete: 'one', deletes: [{ q: {}, limit: 0 }] });
}

/** The first hundred documents of a find. */
export async function found(db: Db, collection: string, more: Document = {}): Promise<readonly Document[]> {
  const { cursor } = await command(db, { find: collection, batchSize: 100, ...more });
  return (cursor as { readonly firstBatch: readonly Document[] }).firstBatch;
}
