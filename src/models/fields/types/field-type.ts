/** What a type of a path is: a row of the table in `index.ts`. */
import type { IdType } from '../id-types.ts';
import type { Typed } from '../mongoose-keys.ts';
import type { BsonName } from '../values/bson-types.ts';
import type { BsonNumber } from '../values/number-values.ts';

/** What the values of a type consist of: one value, members, fields, members with any keys, or one of these; `any` accepts everything. */
export type Shape = 'value' | 'list' | 'document' | 'map' | 'union' | 'any';

/** How a form edits and shows values. */
export const inputs = ['text', 'number', 'date', 'boolean', 'id', 'object', 'json'] as const;
export type Input = (typeof inputs)[number];

/** A value for a path of the type. @throws 400 naming the path */
type ReadValue = (path: string, value: unknown, field: Typed) => unknown;

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
