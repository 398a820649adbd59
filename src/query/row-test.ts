/** A filter tested against one document in memory, as the database would: by the embedded store's own matcher. */
import { compileFilter } from 'dossier-language/query';
import { decode, type Doc, readCollation } from 'dossier-language/values';
import { BSON } from '../models/object-id.ts';

type Row = Readonly<Record<string, unknown>>;

/** A filter, with the collation of its model where it has one. */
export interface ComparedFilter {
  readonly filter: Row;
  readonly collation?: Row;
}

/** @param filter checked and cast before */
export const comparedFilter = (filter: Row, collation: object | undefined): ComparedFilter => ({
  filter,
  ...(collation === undefined ? {} : { collation: { ...collation } }),
});

/** @returns whether a row of the driver matches; compiled once for all rows */
export function rowTest(compared: ComparedFilter): (row: Row) => boolean {
  const test = docTest(decode(BSON.serialize(compared)) as unknown as ComparedFilter);
  return (row) => test(docOf(row));
}

/** The same for a filter and rows whose values are those of `dossier-language`. */
export function docTest({ filter, collation }: ComparedFilter): (doc: Doc) => boolean {
  const matcher = compileFilter(filter as Doc, { collation: collation && readCollation(collation as Doc) });
  return (doc) => matcher.matches(doc);
}

const docs = new WeakMap<Row, Doc>();

/** A row with the classes of `dossier-language`: the driver may have loaded the module of BSON types another time. */
export function docOf(row: Row): Doc {
  const doc = docs.get(row) ?? decode(BSON.serialize(row));
  docs.set(row, doc);
  return doc;
}
