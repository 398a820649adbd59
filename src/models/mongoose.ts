/** The adapter of Mongoose: the Mongoose model of an entry, and rows of documents. */
import mongoose, { type Model } from 'mongoose';
import { type ModelEntry, mongooseModel } from './entry.ts';
import { kindValueOf } from './mongoose/schema-places.ts';
import { isPlainObject } from './plain-object.ts';
import type { Registry } from './registry.ts';

export type { ClientSession, Connection, Model, PipelineStage } from 'mongoose';
export type ChangeStream = mongoose.mongo.ChangeStream;
export type ChangeStreamDocument = mongoose.mongo.ChangeStreamDocument;
export type ChangeStreamOptions = mongoose.mongo.ChangeStreamOptions;
export type Row = Record<string, unknown>;
export const { ObjectId } = mongoose.Types;
export type ObjectId = mongoose.Types.ObjectId;
export const MongooseError = mongoose.Error;
export const mongo = mongoose.mongo;

/** The Mongoose model of an entry. Only readers, writers and the auth code may use it. */
export const modelOf = (entry: ModelEntry): Model<Row> => entry[mongooseModel];

/** A collection of rows of one shape, as the driver has it. */
export type Collection<T extends mongoose.mongo.Document = mongoose.mongo.Document> = mongoose.Collection<T>;

export type FindCursor<T> = mongoose.mongo.FindCursor<T>;

/** The collection of an internal model, such as `_session`. Its owner alone writes to it, and declares the shape of its rows. */
export const internalCollection = <T extends mongoose.mongo.Document>(
  registry: Registry,
  name: `_${string}`,
): Collection<T> => modelOf(registry.internal(name)).collection as unknown as Collection<T>;

/** The names of the functions that a schema adds to its model. */
export const staticNamesOf = (model: ModelEntry): readonly string[] =>
  Object.keys(modelOf(model).schema.statics).filter((name) => typeof staticOf(model, name) === 'function');

/** A function of a model's schema, by its name. */
export const staticOf = (entry: ModelEntry, name: string): unknown =>
  (modelOf(entry).schema.statics as Readonly<Record<string, unknown>>)[name];

/** The discriminators of a model, which have additional fields. */
export const kindsOf = ({ discriminators = {} }: Model<Row>): readonly Model<Row>[] => Object.values(discriminators);

/** The discriminator with a value of the key; undefined where no kind has the value. */
export const kindModelOf = (entry: ModelEntry, value: unknown): Model<Row> | undefined =>
  kindsOf(modelOf(entry)).find(({ schema }) => kindValueOf(schema) === value);

/** A Mongoose document as far as the conversion to a row uses it. */
interface Convertible {
  toObject(options: object): unknown;
}

/** Mongoose's methods of documents, which a field or a method of the model file with the same name would hide. */
const methods = mongoose.Model.prototype as {
  readonly get: (path: string, type?: undefined, options?: object) => unknown;
  readonly increment: () => unknown;
  readonly save: (options?: object) => Promise<unknown>;
  readonly isModified: (paths?: string | readonly string[]) => boolean;
  readonly directModifiedPaths: () => readonly string[];
  readonly unmarkModified: (path: string) => void;
};
/** The value of a document at a path. */
export const valueAt = (document: object, path: string, options?: object): unknown =>
  methods.get.call(document, path, undefined, options);
export const raiseRevision = (document: object): unknown => methods.increment.call(document);
/** @param paths whether one of these is; without them, whether any is */
export const isModified = (document: object, paths?: string | readonly string[]): boolean =>
  methods.isModified.call(document, paths);
export const directlyModified = (document: object): readonly string[] => methods.directModifiedPaths.call(document);
export const unmarkModified = (document: object, path: string): void => methods.unmarkModified.call(document, path);

/** Mongoose's functions of models, which a static with the same name would hide. */
const functions = mongoose.Model as {
  readonly find: (filter: object, projection?: undefined, options?: object) => mongoose.Query<unknown, Row>;
  readonly findOneAndUpdate: (filter: object, update: object, options: object) => mongoose.Query<unknown, Row>;
};
export const findBy = (model: Model<Row>, filter: object, options?: object): mongoose.Query<unknown, Row> =>
  functions.find.call(model, filter, undefined, options);
export const updateBy = (
  model: Model<Row>,
  filter: object,
  update: object,
  options: object,
): mongoose.Query<unknown, Row> => functions.findOneAndUpdate.call(model, filter, update, options);

/** Sets the times that a new document lacks. Saving it then leaves them as they are. */
export function fixTimes(document: object): void {
  const timed = document as {
    readonly initializeTimestamps: () => void;
    readonly $timestamps: (applied: boolean) => void;
  };
  timed.initializeTimestamps();
  timed.$timestamps(false);
}

interface SaveOptions {
  readonly session?: mongoose.ClientSession;
  /** Whether its validators and their middleware run; as its schema has it by default. */
  readonly validateBeforeSave?: boolean;
}

export const saveDocument = (document: object, options: SaveOptions = {}): Promise<unknown> =>
  methods.save.call(document, options);

/** A Mongoose document that is about to be saved. */
interface Saving {
  readonly $isNew: boolean;
  $clone(): Convertible;
}

const savingOf = (document: Convertible): Saving => document as Convertible & Saving;

/** Whether saving a loaded document changes one of the paths; undefined for a new document. */
export function isChangedAt(document: Convertible, paths: readonly string[]): boolean | undefined {
  const saving = savingOf(document);
  return saving.$isNew ? undefined : isModified(document, paths);
}

/** Whether saving a document creates it. */
export const isNew = (document: Convertible): boolean => savingOf(document).$isNew;

/** A copy with the same unsaved changes. What the code of a model has set besides the schema's paths is not copied. */
export const cloneOf = (document: Convertible): Convertible => savingOf(document).$clone();

/** The options of `toObject` that the server requires, because a schema may set others. */
const whole = {
  transform: false,
  versionKey: true,
  flattenObjectIds: false,
  flattenDecimals: false,
  flattenUUIDs: false,
  useProjection: false,
  schemaFieldsOnly: false,
};
// Mongoose's `flattenMaps` runs the getters of a map's values, whatever `getters` says
const stored = { ...whole, virtuals: false, getters: false, depopulate: true, flattenMaps: false };
const computed = { ...whole, virtuals: true, getters: true, aliases: false, flattenMaps: true };

/** The stored form of a document, regardless of the schema's `toObject` options. */
export const storedRow = (document: Convertible): Row => plain(document.toObject(stored)) as Row;

/** The stored form of a value in a document. */
export const storedValue = (value: unknown): unknown => plain(value);

/** A document with the schema's virtuals and getters. */
export const computedRowOf = (document: Convertible): Row => plain(document.toObject(computed)) as Row;

/** Maps, and documents in them, as plain objects; without the `$*` that Mongoose adds to a map whose values have getters. */
function plain(value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(Array.from(value, ([key, inner]) => [key, plain(inner)]));
  if (Array.isArray(value)) return Array.from(value, plain);
  if (isPlainObject(value))
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, inner]) => (key === '$*' ? [] : [[key, plain(inner)]])),
    );
  return isConvertible(value) ? plain(value.toObject(stored)) : value;
}

const isConvertible = (value: unknown): value is Convertible =>
  typeof value === 'object' && value !== null && 'toObject' in value && typeof value.toObject === 'function';

/** Bytes of a row in the database; 0 without a row. */
export const sizeOfRow = (row: Readonly<Row> | undefined): number =>
  row === undefined ? 0 : mongo.BSON.calculateObjectSize(row);

/** Whether two rows have the same stored form. */
export const sameRow = (one: Readonly<Row>, other: Readonly<Row>): boolean =>
  Buffer.compare(mongo.BSON.serialize(one), mongo.BSON.serialize(other)) === 0;

/** The options of a command in a transaction, or of one without. */
export const inSession = (session: mongoose.ClientSession | undefined): { session?: mongoose.ClientSession } =>
  session === undefined ? {} : { session };
