/**
 * MongoDB's languages, each compiled once into a function over BSON values and then run on documents. Every capability has a door
 * of its own: `dossier-language/query`, `/update` and so on; this one has what most callers need.
 */
export { compileExpression, compilePipeline, type PipelineContext } from './aggregate/index.ts';
export { StoreError } from './errors.ts';
export { compileProjection, type ProjectionOptions } from './project/index.ts';
export { compileFilter, type FilterOptions, type Matcher } from './query/index.ts';
export { compileSort, type Sort } from './sort/index.ts';
export { supported } from './tables.ts';
export { compileUpdate, type CompiledUpdate, type UpdateOptions } from './update/index.ts';
export type { Doc, Value } from './values/types.ts';
