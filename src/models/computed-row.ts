/** The virtuals and getters of a schema, run for a stored row. */
import type { ModelEntry } from './entry.ts';
import { computedRowOf, modelOf, type Row } from './mongoose.ts';

/** The row with what its model computes; the row itself where the model computes nothing. */
export const computedRow = (model: ModelEntry, row: Row): Row =>
  model.computed ? computedRowOf(modelOf(model).hydrate(row)) : row;
