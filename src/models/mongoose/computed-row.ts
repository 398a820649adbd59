/** Runs Mongoose's code on rows and filters, which do not pass through it otherwise. */
import type { ModelEntry } from '../entry.ts';
import { hasObjectIds } from '../fields/document-id.ts';
import { computedRowOf, findBy, modelOf, type Row } from '../mongoose.ts';

/** The row with its computed fields; the row itself if the model computes nothing. */
export function computedRow(model: ModelEntry, row: Row): Row {
  if (!model.computed) return row;
  const computed = computedRowOf(modelOf(model).hydrate(row));
  if (hasObjectIds(model) || model.schema.hasOwnId) return computed;
  // Mongoose's is a text; in answers, `id` is `_id`
  const { id: _, ...fields } = computed;
  return fields;
}

/** @throws Mongoose's CastError for a value that cannot be one of its path */
export function castFilter(model: ModelEntry, filter: Readonly<Row>): Row {
  // unknown paths are kept: dropping one would widen the filter
  const query = findBy(modelOf(model), filter, { strictQuery: false });
  query.cast(modelOf(model));
  return query.getFilter();
}
