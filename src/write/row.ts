/** A stored row as answers show it where nothing else is asked for: with the schema's virtuals and getters, without `select: false`. */
import { withFields } from '../policy/with-fields.ts';
import { shownUnasked } from '../language/fields.ts';
import type { ModelEntry } from '../registry/entry.ts';
import { computedRowOf, modelOf, type Row } from '../registry/mongoose.ts';

export const computedRow = (model: ModelEntry, row: Row): Row =>
  withFields(model.computed ? computedRowOf(modelOf(model).hydrate(row)) : row, shownUnasked(model), []);
