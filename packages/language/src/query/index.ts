/** Compiles filters to matchers. */
import { isDoc } from '../values/kind.ts';
import type { Doc } from '../values/types.ts';
import type { Matcher } from './condition.ts';
import { badValue, type FilterContext, type FilterOptions, type Readers } from './context.ts';
import { failuresOf as explainFailures } from './failures.ts';
import { readConditions } from './operators.ts';
import { isDocumentOperator, readFilter } from './parse.ts';

export { isConditions } from './context.ts';
export { isFieldOperator } from './operators.ts';
export { regexSteps } from './regex.ts';
export { textQueryOf, type TextQuery } from './text.ts';
export type { Matcher } from './condition.ts';
export type { ExprCompiler, FilterOptions } from './context.ts';
export type { Charge } from './regex/metered-text.ts';

const read: Readers = { filter: readFilter, conditions: readConditions, isDocumentOperator };

const contextOf = (options: FilterOptions): FilterContext => ({ ...options, wholeDocument: true, read });

/** Why a document does not match a valid filter, in the form of MongoDB's `errInfo` of a validator. */
export const failuresOf = (filter: Doc, doc: Doc, options: FilterOptions = {}): Doc =>
  explainFailures(filter, doc, contextOf(options));

/** Compiles a filter. @throws StoreError with MongoDB's code if it is invalid or unsupported */
export function compileFilter(filter: Doc, options: FilterOptions = {}): Matcher {
  if (!isDoc(filter)) throw badValue('a filter must be an object');
  return readFilter(filter, contextOf(options));
}
