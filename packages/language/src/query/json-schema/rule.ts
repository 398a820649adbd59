/** What a keyword of a JSON Schema demands of a value. */
import { StoreError } from '../../errors.ts';
import { isDoc, isNumber, kindOf } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { FilterContext } from '../context.ts';

/** The demand of one keyword. */
export interface Rule {
  /** Whether a value meets it. A value of a type that the keyword does not concern does. */
  readonly holds: (value: NonNullable<Value> | null) => boolean;
  /** Why a value does not meet it, as in MongoDB's `errInfo`. */
  readonly failure: (value: Value) => Doc;
}

/** A schema: it holds if all its rules do. */
export interface Schema {
  readonly holds: (value: Value) => boolean;
  /** The failures of its rules for a value that does not meet them. */
  readonly failures: (value: Value) => Doc[];
}

/** The position of a reader within a schema. */
export interface SchemaContext {
  readonly filter: FilterContext;
  /** The schema that has the keyword. */
  readonly schema: Doc;
  /** Reads a nested schema. */
  readonly read: (schema: Value, keyword: string) => Schema;
}

/** Reads the operand of a keyword; undefined if it demands nothing. */
export type KeywordReader = (operand: Value, context: SchemaContext, keyword: string) => Rule | undefined;

/** A keyword whose operand has another type than it needs. */
export const wrongType = (keyword: string, needed: string, operand: Value): StoreError =>
  new StoreError(14, `$jsonSchema keyword '${keyword}' must be ${needed}, but found a ${kindOf(operand).name}`);

/** An operand that cannot be read. */
export const unreadable = (message: string): StoreError => new StoreError(9, message);

/** A document as an operand. @throws StoreError 14 */
export function docIn(operand: Value, keyword: string): Doc {
  if (!isDoc(operand)) throw wrongType(keyword, 'an object', operand);
  return operand;
}

/** A list of schemas, not empty. @throws StoreError 14 or 2 */
export function schemasIn(operand: Value, { read }: SchemaContext, keyword: string): readonly Schema[] {
  if (!Array.isArray(operand)) throw wrongType(keyword, 'an array', operand);
  if (operand.length === 0) throw new StoreError(2, `$jsonSchema keyword '${keyword}' must be a nonempty array`);
  return operand.map((part) => read(part, keyword));
}

/** A list of different names, not empty. @throws StoreError 14 or 9 */
export function namesIn(operand: Value, keyword: string): readonly string[] {
  if (!Array.isArray(operand)) throw wrongType(keyword, 'an array', operand);
  const names = operand.map((name) => {
    if (typeof name !== 'string') throw wrongType(keyword, 'an array of strings', name);
    return name;
  });
  if (names.length === 0) throw unreadable(`$jsonSchema keyword '${keyword}' cannot be an empty array`);
  if (new Set(names).size < names.length)
    throw unreadable(`$jsonSchema keyword '${keyword}' cannot contain duplicate values`);
  return names;
}

/** A number that is whole and not negative. @throws StoreError 14 or 9 */
export function sizeIn(operand: Value, keyword: string): number {
  if (!isNumber(operand)) throw wrongType(keyword, 'a number', operand);
  const size = exactLong(operand);
  if (size === undefined)
    throw unreadable(`$jsonSchema keyword '${keyword}' must be representable as a 64-bit integer`);
  if (size < 0n) throw unreadable(`$jsonSchema keyword '${keyword}' must be a non-negative number`);
  return Number(size);
}

/** A boolean as an operand. @throws StoreError 14 */
export function flagIn(operand: Value, keyword: string): boolean {
  if (typeof operand !== 'boolean') throw wrongType(keyword, 'a boolean', operand);
  return operand;
}

/** The beginning of a failure of a keyword. */
export const failed = (keyword: string, operand: Value, more: Doc): Doc => ({
  operatorName: keyword,
  specifiedAs: { [keyword]: operand },
  ...more,
});
