/**
 * Reports the writes that models make through Mongoose, in their functions and middleware, document by document, for databases
 * that do not report them; and what runs just before, or around, the command that stores a document.
 */
import mongoose, { type Schema } from 'mongoose';
import type { ModelEntry } from '../entry.ts';
import { findBy, isModified, type Model, type Row } from '../mongoose.ts';

/** A written document. */
export interface ModelWrite {
  readonly id: unknown;
  readonly isNew: boolean;
  /** The before-image, if it was requested. */
  readonly before?: Row;
}

export interface WriteListener {
  /** Whether a listener needs before-images of a model's documents. */
  wantsBefore(model: ModelEntry): boolean;
  wrote(model: ModelEntry, writes: readonly ModelWrite[]): void;
  /** Reports a write of too many documents to report them one by one. */
  invalidate(model: ModelEntry): void;
}

const own: unique symbol = Symbol('own write');

/** Marks a query or document of a writer of this server, which reports its own writes. */
export const ownWrite = <T extends object>(work: T): T => Object.assign(work, { [own]: true });
const isOwn = (work: object): boolean => own in work;

/** Marks middleware of this server, as Mongoose marks its own, so that it is not taken for a model file's. */
export const ofServer = <T extends object>(middleware: T): T => Object.assign(middleware, { [own]: true });

const checks = new WeakMap<object, () => void>();

/** Calls back when a document that is being saved has been through all middleware. What that throws ends the saving. */
export const checkBeforeStore = (document: object, check: () => void): void => void checks.set(document, check);

/** Makes `checkBeforeStore` work for a schema; to be called when all its middleware has been added. */
export function checkBeforeStored(schema: Schema): void {
  schema.pre(
    'save',
    ofServer(function (this: object) {
      const check = checks.get(this);
      checks.delete(this);
      check?.();
    }),
  );
}

type Filter = Readonly<Record<string, unknown>>;

/** What runs around the command by which Mongoose stores a document that is saved; each calls `send`, which sends it. */
export interface AroundStoring {
  insert<T>(send: () => Promise<T>): Promise<T>;
  update<T extends { readonly matchedCount: number }>(filter: Filter, send: () => Promise<T>): Promise<T>;
}

/** What Mongoose calls of a collection when it saves a document. */
interface Storing {
  insertOne(document: object, options: object): Promise<object>;
  updateOne(filter: Filter, update: object, options: object): Promise<{ readonly matchedCount: number }>;
}

/** The symbol under which the prototypes of Mongoose's models have their collections; by its name, since Mongoose does not export it. */
function keyOf(document: object): symbol | undefined {
  for (let one: unknown = document; typeof one === 'object' && one !== null; one = Object.getPrototypeOf(one)) {
    const found = Object.getOwnPropertySymbols(one).find(
      ({ description }) => description === 'mongoose#Model#collection',
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Runs something around the command that stores a document, when it is saved. @returns the document */
export function aroundStoring<T extends object>(document: T, around: AroundStoring): T {
  const key = keyOf(document);
  if (key === undefined || Object.hasOwn(document, key)) return document;
  const collection = Reflect.get(document, key) as Storing;
  const value: Storing = {
    insertOne: (...given) => around.insert(() => collection.insertOne(...given)),
    updateOne: (filter, ...given) => around.update(filter, () => collection.updateOne(filter, ...given)),
  };
  return Object.defineProperty(document, key, { value, configurable: true, writable: true });
}

/** Maximum documents of one write that are reported one by one. */
const maxReported = 1000;

type Writes = readonly ModelWrite[];

interface Reporting {
  /** The documents that a filter is about to change. */
  readonly find: (model: Model<Row>, filter: Filter) => Promise<Writes>;
  readonly wants: () => boolean;
  readonly report: (writes: Writes) => void;
}

/** Adds hooks to a schema, which run after its own. @param entry called when a write occurs */
export function reportWrites(schema: Schema, entry: () => ModelEntry, listener: WriteListener): void {
  const wants = (): boolean => listener.wantsBefore(entry());
  const reporting: Reporting = {
    wants,
    async find(model, filter) {
      const query = findBy(model, filter);
      query.cast(model);
      const whole = wants();
      const options = { limit: maxReported + 1, ...(whole ? {} : { projection: { _id: 1 } }) };
      const rows = (await model.collection.find(query.getFilter() as Row, options).toArray()) as Row[];
      return rows.map((row) => ({ id: row['_id'], isNew: false, ...(whole ? { before: row } : {}) }));
    },
    report(writes) {
      if (writes.length > maxReported) listener.invalidate(entry());
      else if (writes.length > 0) listener.wrote(entry(), writes);
    },
  };
  onDocuments(schema, reporting);
  onQueries(schema, reporting);
  onBulks(schema, reporting);
}

/** Calls back after each write, without details of the write. */
export function reportThatWritten(schema: Schema, written: () => void): void {
  const unlessOwn = ofServer(function (this: unknown): void {
    if (!isOwn(this as object)) written();
  });
  schema.post('save', unlessOwn);
  schema.post('insertMany', unlessOwn);
  schema.post('bulkWrite', unlessOwn);
  schema.post(writingQueries, { query: true, document: false }, unlessOwn);
}

interface Saving {
  readonly _id: unknown;
  readonly $isNew: boolean;
  readonly constructor: unknown;
}

function onDocuments(schema: Schema, { find, wants, report }: Reporting): void {
  const saving = new WeakMap<object, Writes>();
  schema.pre(
    'save',
    ofServer(async function (this: unknown) {
      const document = this as Saving;
      const { _id: id, $isNew: isNew } = document;
      if (isOwn(document)) return;
      if (!isNew && wants()) saving.set(document, await find(document.constructor as Model<Row>, { _id: id }));
      else if (isNew || isModified(document)) saving.set(document, [{ id, isNew }]);
    }),
  );
  schema.post(
    'save',
    ofServer(function (this: unknown) {
      const document = this as Saving;
      report(saving.get(document) ?? []);
      saving.delete(document);
    }),
  );
  schema.post(
    'insertMany',
    ofServer(function (documents: unknown) {
      if (Array.isArray(documents)) report(documents.map(({ _id: id }: Row) => ({ id, isNew: true })));
    }),
  );
}

interface Running {
  readonly op: string;
  readonly model: Model<Row>;
  getFilter(): Filter;
}

const writingQueries = [
  ...(['updateOne', 'updateMany', 'replaceOne', 'deleteOne', 'deleteMany'] as const),
  ...(['findOneAndUpdate', 'findOneAndReplace', 'findOneAndDelete'] as const),
];

function onQueries(schema: Schema, { find, wants, report }: Reporting): void {
  const running = new WeakMap<object, Writes>();
  schema.pre(
    writingQueries,
    { query: true, document: false },
    ofServer(async function (this: unknown) {
      const query = this as Running;
      // operations that return their document need no query for it
      if (isOwn(query)) return;
      if (!query.op.startsWith('findOneAnd') || wants()) running.set(query, await find(query.model, query.getFilter()));
    }),
  );
  schema.post(
    writingQueries,
    { query: true, document: false },
    ofServer(function (this: unknown, result: unknown) {
      const query = this as Running;
      if (isOwn(query)) return;
      const { _id, upsertedId, modifiedCount } = (result ?? {}) as Row;
      const found = running.get(query);
      const id = query.op.startsWith('findOneAnd') ? _id : upsertedId;
      if (found !== undefined && found.length > 0 && modifiedCount !== 0) report(found);
      else if (id !== undefined && id !== null) report([{ id, isNew: found !== undefined }]);
    }),
  );
}

type Operation = Readonly<Record<string, { readonly filter?: Filter }>>;
type BulkWrite = (this: unknown, operations: Operation[], options?: object) => Promise<BulkResult>;
interface BulkResult {
  readonly insertedIds: Readonly<Record<string, unknown>>;
  readonly upsertedIds: Readonly<Record<string, unknown>>;
}

/** Wraps the function `bulkWrite`, because its middleware cannot distinguish concurrent calls. */
function onBulks(schema: Schema, { find, report }: Reporting): void {
  const statics = schema.statics as Record<string, unknown>;
  const write = (statics['bulkWrite'] ?? Reflect.get(mongoose.Model, 'bulkWrite')) as BulkWrite;
  statics['bulkWrite'] = async function (this: Model<Row>, operations: Operation[], options?: object) {
    const filters = operations.flatMap((operation) => Object.values(operation).flatMap(({ filter }) => filter ?? []));
    const found = filters.length === 0 ? [] : await find(this, { $or: filters });
    const result = await write.call(this, operations, options);
    const made = [...Object.values(result.insertedIds), ...Object.values(result.upsertedIds)];
    report([...found, ...made.map((id) => ({ id, isNew: true }))]);
    return result;
  };
}
