/** Regular expressions as MongoDB reads them (PCRE), as trees, and what they may cost a backtracking engine. */
export { backtracks } from './backtracking.ts';
export type { Node } from './nodes.ts';
export { parsePattern } from './parse.ts';
