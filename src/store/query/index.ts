/** The door of the query language: a filter becomes a matcher, once, before any document is seen. */
import { isDoc } from '../values/path.ts';
import type { Doc } from '../values/types.ts';
import type { Matcher } from './condition.ts';
import type { FilterOptions } from './context.ts';
import { readFilter } from './parse.ts';
import { badValue } from './context.ts';

export { textQueryOf, type TextQuery } from './text.ts';
export type { Matcher } from './condition.ts';
export type { ExprCompiler, FilterOptions } from './context.ts';

/**
 * Makes the matcher of a filter.
 * @throws StoreError with MongoDB's code for what can't be read or isn't supported
 */
export function compileFilter(filter: Doc, options: FilterOptions = {}): Matcher {
  if (!isDoc(filter)) throw badValue('a filter must be an object');
  return readFilter(filter, { ...options, wholeDocument: true });
}
