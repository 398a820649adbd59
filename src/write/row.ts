/** A stored row with the schema's virtuals and getters, where it has some. */
import type { ModelEntry } from '../registry/entry.ts';
import { computedRowOf, modelOf, type Row } from '../registry/mongoose.ts';

export const computedRow = (model: ModelEntry, row: Row): Row =>
  model.computed ? computedRowOf(modelOf(model).hydrate(row)) : row;
