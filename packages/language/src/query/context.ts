/** The options and the reading context of filters. */
import { StoreError } from '../errors.ts';
import type { Collation } from '../values/collation.ts';
import { isDoc } from '../values/kind.ts';
import type { Doc, Value } from '../values/types.ts';
import type { Condition, Matcher } from './condition.ts';
import type { Charge } from './regex/metered-text.ts';

/** Compiles an aggregation expression for `$expr`. */
export type ExprCompiler = (expression: Value) => (doc: Doc) => Value;

/** Options of a filter. */
export interface FilterOptions {
  readonly collation?: Collation | undefined;
  readonly expr?: ExprCompiler | undefined;
  /** Whether a document matches the `$text` of the filter. */
  readonly text?: ((doc: Doc) => boolean) | undefined;
  /** Meters the work on one document: long arrays and long strings. */
  readonly charge?: Charge | undefined;
}

/** The options, and the reader's position in the filter. */
export interface FilterContext extends FilterOptions {
  /** False inside of `$elemMatch`, whose conditions concern a part of the document. */
  readonly wholeDocument: boolean;
  readonly read: Readers;
}

/** The readers of nested filters and conditions, passed in so that operator files do not import the tables. */
export interface Readers {
  filter(filter: Doc, context: FilterContext): Matcher;
  conditions(conditions: Doc, context: FilterContext): Condition;
  /** Whether a name is a top-level operator rather than a condition on a field. */
  isDocumentOperator(name: string): boolean;
}

/** MongoDB's BadValue. */
export const badValue = (message: string): StoreError => new StoreError(2, message);

const referenceNames: ReadonlySet<string> = new Set(['$ref', '$id', '$db']);

/**
 * Whether a value is a document of conditions, `{ $gt: 5 }`, rather than a value to equal. A reference, `{ $ref, $id
 * }`, is a value.
 */
export function isConditions(value: Value): value is Doc {
  if (!isDoc(value)) return false;
  const [first] = Object.keys(value);
  if (first?.startsWith('$') !== true) return false;
  return !(referenceNames.has(first) && Object.hasOwn(value, '$ref') && Object.hasOwn(value, '$id'));
}

/** The fields of a reference, which look like operators. */
export const isReferenceName = (name: string): boolean => referenceNames.has(name);
