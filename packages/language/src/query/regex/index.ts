/** Parses regular expressions in PCRE's syntax to trees, and estimates their backtracking cost. */
export { backtracks } from './backtracking.ts';
export type { Node } from './nodes.ts';
export { parsePattern } from './parse.ts';
