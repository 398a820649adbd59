/** Sort specifications: how they order documents, and sorting with a memory limit. */
export { SortBuffer, type SortBounds, sortTooLarge } from './buffer.ts';
export type { Key } from './keys.ts';
export { mergeSort } from './merge.ts';
export { compileSort, type Sort, type SortField, type TextScore } from './sort.ts';
