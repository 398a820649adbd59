/** A filter that a hook made, with its values as the schema has them: reads go past Mongoose, which would cast them. */
import type { ModelEntry } from './entry.ts';
import { modelOf, type Row } from './mongoose.ts';

/** @throws Mongoose's CastError for a value that cannot be one of its path */
export function castFilter(model: ModelEntry, filter: Readonly<Row>): Row {
  // a path that the schema does not have stays: to drop it would widen what the hook narrows
  const query = modelOf(model).find(filter as Row, undefined, { strictQuery: false });
  query.cast(modelOf(model));
  return query.getFilter();
}
