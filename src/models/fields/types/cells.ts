/** Reads cells of CSV as spreadsheets, databases and people write them. Each returns undefined for a cell that is left to the schema. */
import { badValue } from '../../../errors/errors.ts';

/** An id as the shell of MongoDB prints it. */
export const objectIdCell = (_path: string, cell: string): string | undefined =>
  /^ObjectI[Dd]\("?([0-9a-f]{24})"?\)$/i.exec(cell)?.[1];

export const booleanCell = (_path: string, cell: string): boolean | undefined =>
  booleans.get(cell.trim().toLowerCase());

const booleans: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'no', '0'].map((text) => [text, false] as const),
]);

/** Days from 1900 to the year 2173, as a spreadsheet stores dates; four digits alone are a year. */
const serialEnd = 100_000;

/** @throws 400 for the number by which a spreadsheet stores a date */
export function dateCell(path: string, cell: string): undefined {
  const text = cell.trim();
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) < serialEnd && !/^\d{4}$/.test(text))
    throw badValue(
      path,
      'Date',
      `must be a date: ISO 8601 or Unix time; ${text} looks like the number by which a spreadsheet stores a date: format the column as yyyy-mm-dd`,
    );
}

/** A separator could be that of thousands or of decimals, and the sign of a currency is part of the value. @throws 400 for both */
export function numberCell(path: string, cell: string): undefined {
  const isNumeric = /^[\d\s.,'’_%+\p{Sc}-]+$/u.test(cell) && /\d/.test(cell);
  if (isNumeric && !/^[+-]?[\d.]+$/.test(cell.trim()))
    throw badValue(path, 'Number', 'must be a number without separators and signs of currencies, such as 1234.5');
}
