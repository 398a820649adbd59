/**
 * Casts an update before it is committed: plain values by the fields of their paths, everything else by Mongoose, whose query runs up to
 * the point where it would send its command: middleware, casting, timestamps, validators.
 */
import type { ModelEntry } from '../../models/entry.ts';
import { type Model, modelOf, MongooseError, type Row, updateBy } from '../../models/mongoose.ts';
import { directOf } from '../../models/mongoose/direct/index.ts';
import { ownWrite } from '../../models/mongoose/model-writes.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import type { Filter } from '../../query/filter.ts';
import { pathsOf, type Update } from '../../query/updates.ts';
import { queryWithContext, type WriteOfRequest } from '../mutation/middleware-context.ts';

/** An update of the documents of a filter. */
export interface FilteredUpdate {
  readonly filter: Filter;
  readonly update: Row;
}

/** The Mongoose model by whose schema an update is cast: the model's own, or one of its kinds. */
export type CastingModel = Model<Row>;

/** @returns the update as it is sent; undefined where Mongoose must cast it */
export function directlyCast(model: ModelEntry, by: CastingModel, update: Row): Row | undefined {
  if (by !== modelOf(model) || !setsAndRaises(update)) return undefined;
  const $set = directOf(model).set?.(update['$set'] as Row, new Date());
  return $set && { ...update, $set };
}

function setsAndRaises(update: Row): boolean {
  for (const operator of Object.keys(update)) if (operator !== '$set' && operator !== '$inc') return false;
  const raised = Object.keys(update['$inc'] ?? {});
  return raised.length === 1 && raised[0] === '__v';
}

/** Whether casting an update runs middleware, setters or validators of the model file. */
export const runsCode = (model: ModelEntry, by: CastingModel, update: Update): boolean =>
  by !== modelOf(model) || !pathsOf(update).every((path) => directOf(model).isPlainPath(path));

/** The part of a Mongoose query that sends commands to the database. */
interface Sending {
  mongooseCollection: { findOneAndUpdate(filter: Filter, update: Row): Promise<Row | null> };
  cast: (model: unknown, conditions?: Filter) => Filter;
  getFilter(): Filter;
}

/** What is cast. */
interface Casting extends FilteredUpdate {
  readonly by: CastingModel;
  /** For the middleware. */
  readonly write?: WriteOfRequest;
}

/**
 * Runs Mongoose's `findOneAndUpdate` around what sends its command.
 * @param casting its filter is cast already
 * @param send called with the update as Mongoose would send it, unless middleware skips that
 * @returns what `send` returns, as the middleware leaves it
 * @throws Mongoose's errors of casting and validation, and what the model's middleware and `send` throw
 */
export async function castByMongoose(
  { by, filter, update, write }: Casting,
  send: (cast: FilteredUpdate) => Promise<Row | null>,
  options: object = {},
): Promise<Row | null> {
  const query = updateBy(by, filter, update, { runValidators: true, lean: true, context: 'query', ...options });
  const sending = query as unknown as Sending;
  castAddedOnly(sending);
  sending.mongooseCollection = { findOneAndUpdate: (filter, update) => send({ filter, update }) };
  return await withWholePaths(
    update,
    () => ownWrite(write === undefined ? query : queryWithContext(query, write)).exec() as Promise<Row | null>,
  );
}

/**
 * Casts an update that is sent together with others: the model's `pre('findOneAndUpdate')` runs; its `post` does not, because there is no
 * document.
 * @throws as `castByMongoose`
 */
export async function castForCommand(casting: Casting): Promise<FilteredUpdate> {
  let cast: FilteredUpdate | undefined;
  const keep = (one: FilteredUpdate): Promise<null> => {
    cast = one;
    return Promise.resolve(null);
  };
  await castByMongoose(casting, keep, { middleware: { post: false } });
  // the model's middleware may have skipped the update
  return cast ?? { filter: { _id: { $in: [] } }, update: casting.update };
}

/** Casts an update of a list: directly where the model has no code for it. @throws as `castByMongoose` */
export async function castForList(model: ModelEntry, casting: Casting): Promise<FilteredUpdate> {
  const update = directlyCast(model, casting.by, casting.update);
  return update === undefined ? castForCommand(casting) : { filter: casting.filter, update };
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

/** Runs an update by Mongoose. @throws Mongoose's errors, those of casting with the path that the update names */
async function withWholePaths<T>(update: Readonly<Row>, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof MongooseError.CastError ? withWholePath(update, error) : error;
  }
}

type CastError = InstanceType<typeof MongooseError.CastError>;

/** An error of a list or a document has that of the value in it as its reason. */
function innermost(error: CastError): CastError {
  const { reason } = error as { readonly reason?: unknown };
  return reason instanceof MongooseError.CastError && reason.path !== '' ? innermost(reason) : error;
}

function withWholePath(update: Readonly<Row>, error: CastError): CastError {
  const inner = innermost(error);
  const own = inner.path.replace(/\.\$$/, '');
  const isIt = (path: string, value: unknown): boolean =>
    (path === own || path.endsWith(`.${own}`)) && Object.is(value, inner.value);
  for (const operand of Object.values(update)) {
    const path = isPlainObject(operand) ? findPath(operand, '', isIt) : undefined;
    if (path === own) return inner;
    if (path !== undefined) return new MongooseError.CastError(inner.kind, inner.value, path, inner);
  }
  return error;
}

/** The first path whose value passes a test, in objects and lists at any depth. */
function findPath(value: object, prefix: string, test: (path: string, value: unknown) => boolean): string | undefined {
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    const path = prefix + key;
    if (test(path, inner)) return path;
    const below = Array.isArray(inner) || isPlainObject(inner) ? findPath(inner, `${path}.`, test) : undefined;
    if (below !== undefined) return below;
  }
  return undefined;
}
