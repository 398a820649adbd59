/** Runs the virtuals and getters of a schema on a stored row. */
import type { ModelEntry } from '../entry.ts';
import { hasObjectIds } from '../fields/document-id.ts';
import { computedRowOf, modelOf, type Row } from '../mongoose.ts';

/** The row with its computed fields; the row itself if the model computes nothing. */
export function computedRow(model: ModelEntry, row: Row): Row {
  if (!model.computed) return row;
  const computed = computedRowOf(modelOf(model).hydrate(row));
  if (hasObjectIds(model) || model.schema.hasOwnId) return computed;
  // Mongoose's is a text; in answers, `id` is `_id`
  const { id: _, ...fields } = computed;
  return fields;
}
