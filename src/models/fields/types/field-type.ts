/** What a type of a path is: a row of the table in `index.ts`. */
import { badValue } from '../../../errors/errors.ts';
import type { IdType } from '../id-types.ts';
import type { CastField } from '../mongoose-keys.ts';
import type { BsonName } from '../values/bson-types.ts';
import type { BsonNumber } from '../values/number-values.ts';

/** What the values of a type consist of: one value, members, fields, members with any keys, or one of these; `any` accepts everything. */
export type Shape = 'value' | 'list' | 'document' | 'map' | 'union' | 'any';

/** How a form edits and shows values. */
export const inputs = ['text', 'number', 'date', 'boolean', 'id', 'object', 'json'] as const;
export type Input = (typeof inputs)[number];

/** A value for a path of the type. @throws 400 naming the path */
type ReadValue = (path: string, value: unknown, field: CastField) => unknown;

/** A column is absent where the type has nothing of its own: Mongoose casts, and any value is accepted. */
export interface FieldType {
  /** The name of Mongoose's schema type. */
  readonly name: string;
  readonly shape: Shape;
  /** Casts a value of a query, to compare it with stored ones. Never for null. */
  readonly cast?: ReadValue;
  /** Reads a value of a body: refuses it, or returns what Mongoose casts when it stores it. Never for null. */
  readonly accept?: ReadValue;
  /** Takes a number that JSON or a file carries in a type of BSON, without rounding it. @throws 400 */
  readonly fromNumber?: (path: string, value: BsonNumber | bigint) => unknown;
  /** Reads a cell of CSV as people's programs write it. @returns undefined where the cell is left to `accept` @throws 400 */
  readonly readCell?: (path: string, cell: string) => unknown;
  /** What a value must be, as a fault states it after the path. By default one that the type accepts. */
  readonly rule?: string;
  /** Whether an empty string, which HTML forms send for an empty field, is null. */
  readonly isNullWhenEmpty?: true;
  /** Whether operators of arithmetic apply. */
  readonly isNumber?: true;
  /** Whether it holds numbers that no double holds, which callers write as texts. */
  readonly isExact?: true;
  /** Whether `direct.ts` casts its values, without Mongoose's documents. */
  readonly isDirect?: true;
  /** A limit of a model file as a plain value. By default a number. @returns undefined for one without a plain value */
  readonly boundOf?: (given: unknown) => number | Date | undefined;
  /** The types in which the database stores its values, and which filters by it find; empty for any. */
  readonly stored: readonly BsonName[];
  /** The values in JSON; its TypeScript type follows from it. Empty for any value, and for what consists of other types. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  readonly input: Input;
  /** The rules of ids, for a type that `_id` may have. */
  readonly id?: IdType;
  /** A value of a body in JSON. */
  readonly sample: unknown;
}

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
