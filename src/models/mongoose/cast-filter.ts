/** Casts the filter of a hook by the schema, because reads bypass Mongoose, which would cast it. */
import type { ModelEntry } from '../entry.ts';
import { findBy, modelOf, type Row } from '../mongoose.ts';

/** @throws Mongoose's CastError for a value that cannot be one of its path */
export function castFilter(model: ModelEntry, filter: Readonly<Row>): Row {
  // unknown paths are kept: dropping one would widen the filter
  const query = findBy(modelOf(model), filter, { strictQuery: false });
  query.cast(modelOf(model));
  return query.getFilter();
}
