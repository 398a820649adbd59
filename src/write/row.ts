/** A stored row with the schema's virtuals and getters, where it has some. */
import type { ModelEntry } from '../registry/entry.ts';
import { modelOf, type Row } from '../registry/mongoose.ts';

export const computedRow = (model: ModelEntry, row: Row): Row =>
  model.computed ? modelOf(model).hydrate(row).toObject({ virtuals: true, getters: true, flattenMaps: true }) : row;
