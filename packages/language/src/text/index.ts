/** Text indexes: the terms of documents, and how well each document matches a search. */
export { type FrozenChanges, PendingPostings, type TermChanges } from './pending.ts';
export type { Block, BlockMap } from './postings.ts';
export { weightsOf } from './spec.ts';
export { TextIndexData, type Hit, type TermScores, type TextSearch } from './text-index.ts';
