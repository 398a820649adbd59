/** Runs the virtuals and getters of a schema on a stored row. */
import type { ModelEntry } from './entry.ts';
import { computedRowOf, modelOf, type Row } from './mongoose.ts';

/** The row with its computed fields; the row itself if the model computes nothing. */
export const computedRow = (model: ModelEntry, row: Row): Row =>
  model.computed ? computedRowOf(modelOf(model).hydrate(row)) : row;
