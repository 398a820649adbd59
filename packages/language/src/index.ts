/**
 * MongoDB's languages, compiled to functions over BSON values. Each capability has its own entry point, such as
 * `dossier-language/query`; this one exports what most callers need.
 */
export { compileExpression, compilePipeline, type PipelineContext } from './aggregate/index.ts';
export { StoreError } from './errors.ts';
export { compileProjection, type ProjectionOptions } from './project/index.ts';
export { compileFilter, type FilterOptions, type Matcher } from './query/index.ts';
export { compileSort, type Sort } from './sort/index.ts';
export { supported } from './tables.ts';
export { compileUpdate, type CompiledUpdate, type UpdateOptions } from './update/index.ts';
export type { Doc, Value } from './values/types.ts';
