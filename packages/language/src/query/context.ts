/** What a filter may need to know beyond itself, and the errors that reading one gives. */
import { StoreError } from '../errors.ts';
import type { Collation } from '../values/collation.ts';
import { isDoc } from '../values/kind.ts';
import type { Doc, Value } from '../values/types.ts';
import type { Condition, Matcher } from './condition.ts';
import type { Charge } from './regex/metered-text.ts';

/** Makes the function that evaluates an aggregation expression, which is how `$expr` reaches them. */
export type ExprCompiler = (expression: Value) => (doc: Doc) => Value;

/** What a filter may use. */
export interface FilterOptions {
  readonly collation?: Collation | undefined;
  readonly expr?: ExprCompiler | undefined;
  /** Whether a document is among those that `$text` finds. */
  readonly text?: ((doc: Doc) => boolean) | undefined;
  /** Counts the work on one document: long arrays and long texts. */
  readonly charge?: Charge | undefined;
}

/** The options, and where in the filter the reader is. */
export interface FilterContext extends FilterOptions {
  /** False inside of `$elemMatch`, where conditions are on a part of the document. */
  readonly wholeDocument: boolean;
  readonly read: Readers;
}

/** How operators read the filters and conditions inside of them, given so that their files need not know the tables. */
export interface Readers {
  filter(filter: Doc, context: FilterContext): Matcher;
  conditions(conditions: Doc, context: FilterContext): Condition;
  /** Whether a name stands where fields stand, rather than among a field's conditions. */
  isDocumentOperator(name: string): boolean;
}

/** MongoDB's BadValue. */
export const badValue = (message: string): StoreError => new StoreError(2, message);

const referenceNames: ReadonlySet<string> = new Set(['$ref', '$id', '$db']);

/** Whether a value is conditions, `{ $gt: 5 }`, rather than a value to be equal to. A reference, `{ $ref, $id }`, is a value. */
export function isConditions(value: Value): value is Doc {
  if (!isDoc(value)) return false;
  const [first] = Object.keys(value);
  if (first?.startsWith('$') !== true) return false;
  return !(referenceNames.has(first) && Object.hasOwn(value, '$ref') && Object.hasOwn(value, '$id'));
}

/** Names that look like operators but are the fields of a reference. */
export const isReferenceName = (name: string): boolean => referenceNames.has(name);
