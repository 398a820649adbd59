/** What a write of one document answers with. */
import { shape, type Shaped } from '../access/shape.ts';
import { withFields } from '../access/with-fields.ts';
import { shownUnasked } from '../language/fields.ts';
import type { ModelEntry } from '../registry/entry.ts';
import { computedRowOf, modelOf, type Row } from '../registry/mongoose.ts';

export interface Written {
  readonly id: string;
  readonly data: Shaped;
}

export const written = (model: ModelEntry, row: Row): Written => ({
  id: String(row['_id']),
  data: shape(present(model, row)),
});

/** A stored row as answers show it by default: with the schema's virtuals and getters, without `select: false`. */
export const present = (model: ModelEntry, row: Row): Row =>
  withFields(model.computed ? computedRowOf(modelOf(model).hydrate(row)) : row, shownUnasked(model), []);
