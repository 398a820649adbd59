/** An update of one document in memory, as the database would make it: by the embedded store's own operators. */
import { compileFilter } from 'dossier-language/query';
import { compileUpdate } from 'dossier-language/update';
import { decode, type Doc, encode } from 'dossier-language/values';
import { BSON } from '../models/object-id.ts';
import { docOf } from './row-test.ts';

type Row = Readonly<Record<string, unknown>>;

const everything = compileFilter({});

/**
 * @param update operators, without positional ones
 * @param now the time of `$currentDate`
 * @returns the changed document, with the classes of `dossier-language`
 * @throws StoreError for an update that the database would refuse
 */
export function rowAfter(before: Row, update: Row, now: Date): Row {
  const compiled = compileUpdate(decode(BSON.serialize(update)), { filter: everything, now });
  return compiled.apply(docOf(before), false);
}

/** A row with the classes of the driver. @param row with those of `dossier-language` */
export const driverRow = (row: Row): Record<string, unknown> => BSON.deserialize(encode(row as Doc));

/** A row after an update, with the classes of the driver. */
export const rowAfterUpdate = (before: Row, update: Row, now: Date): Record<string, unknown> =>
  driverRow(rowAfter(before, update, now));
