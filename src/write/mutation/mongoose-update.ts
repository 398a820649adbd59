/** Runs Mongoose's processing of an update without sending it: middleware, casting, timestamps, validators. */
import type { Actor } from '../../context.ts';
import { type Model, type Row, updateBy } from '../../models/mongoose.ts';
import { ownWrite } from '../../models/mongoose/model-writes.ts';
import type { Filter } from '../../query/filter.ts';
import { withWholePaths } from './cast-paths.ts';
import { queryWithContext, writeOf } from './middleware-context.ts';

/** An update as Mongoose would send it. */
export interface PreparedUpdate {
  readonly filter: Filter;
  readonly update: Row;
}

/** The part of a Mongoose query that sends commands to the database. */
interface Sending {
  mongooseCollection: { findOneAndUpdate(filter: Filter, update: Row): Promise<null> };
  cast: (model: unknown, conditions?: Filter) => Filter;
  getFilter(): Filter;
}

/**
 * Runs Mongoose's `findOneAndUpdate` up to the point where it would send its command, so that many updates can be sent in one.
 * The model's `pre('findOneAndUpdate')` runs; its `post` does not, because there is no document.
 * @param filter is already cast
 * @param actor for the middleware
 * @throws Mongoose's errors of casting and validation, and what the model's middleware throws
 */
export async function preparedUpdate(
  model: Model<Row>,
  filter: Filter,
  update: Row,
  actor?: Actor,
): Promise<PreparedUpdate> {
  const query = updateBy(model, filter, update, {
    runValidators: true,
    lean: true,
    context: 'query',
    middleware: { post: false },
  });
  let prepared: PreparedUpdate | undefined;
  const sending = query as unknown as Sending;
  castAddedOnly(sending);
  sending.mongooseCollection = {
    findOneAndUpdate(sentFilter, sentUpdate) {
      prepared = { filter: sentFilter, update: sentUpdate };
      return Promise.resolve(null);
    },
  };
  await withWholePaths(update, () =>
    ownWrite(actor === undefined ? query : queryWithContext(query, writeOf(actor))).exec(),
  );
  // the model's middleware may have skipped the update
  return prepared ?? { filter: { _id: { $in: [] } }, update };
}

/**
 * Casts only the conditions that middleware adds, because Mongoose supports fewer operators per type than the filter language.
 */
function castAddedOnly(query: Sending): void {
  const given = membersOf(query.getFilter());
  const cast = query.cast.bind(query);
  query.cast = (model, conditions = query.getFilter()) => {
    for (const [key, value] of Object.entries(conditions)) {
      const before = given[key];
      if (!isList(value) || !isList(before)) {
        if (value !== before) replace(conditions, key, cast(model, { [key]: value }));
        continue;
      }
      const added = value.filter((member) => !before.includes(member));
      if (added.length === 0) continue;
      const { [key]: read = [] } = cast(model, { [key]: added });
      conditions[key] = [...value.filter((member) => before.includes(member)), ...(read as unknown[])];
    }
    return conditions;
  };
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A copy of a filter, which later changes to its lists do not affect. */
const membersOf = (filter: Filter): Filter =>
  Object.fromEntries(Object.entries(filter).map(([key, value]) => [key, isList(value) ? [...value] : value]));

/** Replaces a condition by its cast form, or removes it. */
function replace(conditions: Filter, key: string, read: Filter): void {
  delete conditions[key];
  Object.assign(conditions, read);
}
