/** What Mongoose makes of an update before it is sent: middleware, casting, timestamps, validators. */
import type { ModelEntry } from '../../registry/entry.ts';
import type { Filter } from '../../language/filter.ts';
import { ownWrite } from '../../registry/model-writes.ts';
import { modelOf, type Row } from '../../registry/mongoose.ts';

/** An update as Mongoose would send it. */
export interface PreparedUpdate {
  readonly filter: Filter;
  readonly update: Row;
}

/** The part of a Mongoose query that speaks to the database. */
interface Sending {
  mongooseCollection: { findOneAndUpdate(filter: Filter, update: Row): Promise<null> };
}

/**
 * Runs Mongoose's `findOneAndUpdate` up to the point where it would send its command, so that many can go in one. The model's
 * `pre('findOneAndUpdate')` runs; its `post` has no document to see and does not.
 * @throws Mongoose's errors of casting and validation, and what the model's middleware throws
 */
export async function preparedUpdate(model: ModelEntry, filter: Filter, update: Row): Promise<PreparedUpdate> {
  const query = modelOf(model).findOneAndUpdate(filter, update, {
    runValidators: true,
    lean: true,
    context: 'query',
    middleware: { post: false },
  });
  let prepared: PreparedUpdate | undefined;
  (query as unknown as Sending).mongooseCollection = {
    findOneAndUpdate(sentFilter, sentUpdate) {
      prepared = { filter: sentFilter, update: sentUpdate };
      return Promise.resolve(null);
    },
  };
  await ownWrite(query).exec();
  // the model's middleware may have decided that nothing is to be done
  return prepared ?? { filter: { _id: { $in: [] } }, update };
}
