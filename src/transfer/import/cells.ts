/** Reads the cells of CSV as people's programs write them: by the types of their paths. */
import { badValue } from '../../errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import type { Row } from '../../models/mongoose.ts';
import { typeAt } from '../../models/path-type.ts';
import type { Cells } from '../csv.ts';
import { parseValue } from '../extended-json.ts';

/** The values of cells. Those of lists, maps and objects are JSON; the schema casts all others. @throws 400 naming the path */
export const valuesOf = (cells: Cells, { schema }: Pick<ModelEntry, 'schema'>): Row =>
  Object.fromEntries(
    Object.entries(cells).map(([path, cell]) => {
      const type = typeAt(schema, path);
      if (type.kind === 'leaf' && !type.array) return [path, readers[type.type.instance]?.(path, cell) ?? cell];
      return [path, /^[[{]/.test(cell) ? jsonCell(path, cell) : cell];
    }),
  );

function jsonCell(path: string, cell: string): unknown {
  try {
    return parseValue(cell);
  } catch (error) {
    throw badValue(path, 'JSON', error instanceof Error ? error.message : String(error));
  }
}

/** Reads a cell of a single value; undefined for one that is left to the schema. @throws 400 */
type Read = (path: string, cell: string) => unknown;

/** By the names of schema types. */
const readers: Readonly<Record<string, Read>> = {
  Boolean: (_path, cell) => booleans.get(cell.trim().toLowerCase()),
  Date: refuseSerial,
  Number: refuseSeparators,
  Double: refuseSeparators,
  Int32: refuseSeparators,
  BigInt: refuseSeparators,
  Decimal128: refuseSeparators,
  ObjectId: (_path, cell) => /^ObjectI[Dd]\("?([0-9a-f]{24})"?\)$/i.exec(cell)?.[1],
};

/** As spreadsheets, databases and people write them. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'no', '0'].map((text) => [text, false] as const),
]);

/** Days from 1900 to the year 2173, as a spreadsheet stores dates; four digits alone are a year. */
const serialEnd = 100_000;

function refuseSerial(path: string, cell: string): undefined {
  const text = cell.trim();
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) < serialEnd && !/^\d{4}$/.test(text))
    throw badValue(
      path,
      'Date',
      `must be a date: ISO 8601 or Unix time; ${text} looks like the number by which a spreadsheet stores a date: format the column as yyyy-mm-dd`,
    );
}

/** A separator could be that of thousands or of decimals, and the sign of a currency is part of the value. */
function refuseSeparators(path: string, cell: string): undefined {
  const isNumeric = /^[\d\s.,'’_%+\p{Sc}-]+$/u.test(cell) && /\d/.test(cell);
  if (isNumeric && !/^[+-]?[\d.]+$/.test(cell.trim()))
    throw badValue(path, 'Number', 'must be a number without separators and signs of currencies, such as 1234.5');
}
