/**
 * The writes that models make through Mongoose, in their functions and middleware: told document by document, for databases
 * that do not tell of them.
 */
import mongoose, { type Schema } from 'mongoose';
import type { ModelEntry } from './entry.ts';
import type { Model, Row } from './mongoose.ts';

/** A document that a write has touched. */
export interface ModelWrite {
  readonly id: unknown;
  readonly isNew: boolean;
  /** The document before, where it was asked for. */
  readonly before?: Row;
}

export interface WriteListener {
  /** Whether a listener needs before-images of a model's documents. */
  wantsBefore(model: ModelEntry): boolean;
  wrote(model: ModelEntry, writes: readonly ModelWrite[]): void;
  /** More was written than can be told one by one. */
  touched(model: ModelEntry): void;
}

const own: unique symbol = Symbol('own write');

/** Marks a query or a document that a writer of this server runs or saves: the writer tells of it itself. */
export const ownWrite = <T extends object>(work: T): T => Object.assign(work, { [own]: true });
const isOwn = (work: object): boolean => own in work;

const checks = new WeakMap<object, () => void>();

/** Calls back when a document that is being saved has been through all middleware. What that throws ends the saving. */
export const beforeStored = (document: object, check: () => void): void => void checks.set(document, check);

/** Makes `beforeStored` work for a schema; to be called when all its middleware is there. */
export function checkBeforeStored(schema: Schema): void {
  schema.pre('save', function () {
    const check = checks.get(this as object);
    checks.delete(this as object);
    check?.();
  });
}

/** Most documents of one write that are told one by one. */
const most = 1000;

type Filter = Readonly<Record<string, unknown>>;
type Writes = readonly ModelWrite[];

interface Hearing {
  /** What a filter is about to touch. */
  readonly find: (model: Model<Row>, filter: Filter) => Promise<Writes>;
  readonly wants: () => boolean;
  readonly tell: (writes: Writes) => void;
}

/** Adds hooks to a schema, which run after its own. @param entry asked for when a write comes */
export function tellWrites(schema: Schema, entry: () => ModelEntry, listener: WriteListener): void {
  const wants = (): boolean => listener.wantsBefore(entry());
  const hearing: Hearing = {
    wants,
    async find(model, filter) {
      const query = model.find(filter);
      query.cast(model);
      const whole = wants();
      const options = { limit: most + 1, ...(whole ? {} : { projection: { _id: 1 } }) };
      const rows = (await model.collection.find(query.getFilter() as never, options).toArray()) as Row[];
      return rows.map((row) => ({ id: row['_id'], isNew: false, ...(whole ? { before: row } : {}) }));
    },
    tell(writes) {
      if (writes.length > most) listener.touched(entry());
      else if (writes.length > 0) listener.wrote(entry(), writes);
    },
  };
  hearDocuments(schema, hearing);
  hearQueries(schema, hearing);
  hearBulks(schema, hearing);
}

/** Calls back after each of the writes, for who wants to know no more than that there was one. */
export function tellThatWritten(schema: Schema, written: () => void): void {
  const unlessOwn = function (this: unknown): void {
    if (!isOwn(this as object)) written();
  };
  schema.post('save', unlessOwn);
  schema.post('insertMany', unlessOwn);
  schema.post('bulkWrite', unlessOwn);
  schema.post(writingQueries, { query: true, document: false }, unlessOwn);
}

interface Saving {
  readonly _id: unknown;
  readonly isNew: boolean;
  readonly constructor: unknown;
  isModified(): boolean;
}

function hearDocuments(schema: Schema, { find, wants, tell }: Hearing): void {
  const saving = new WeakMap<object, Writes>();
  schema.pre('save', async function () {
    const document = this as unknown as Saving;
    const { _id: id, isNew } = document;
    if (isOwn(document)) return;
    if (!isNew && wants()) saving.set(document, await find(document.constructor as Model<Row>, { _id: id }));
    else if (isNew || document.isModified()) saving.set(document, [{ id, isNew }]);
  });
  schema.post('save', function () {
    const document = this as unknown as Saving;
    tell(saving.get(document) ?? []);
    saving.delete(document);
  });
  schema.post('insertMany', function (documents: unknown) {
    if (Array.isArray(documents)) tell(documents.map(({ _id: id }: Row) => ({ id, isNew: true })));
  });
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

function hearQueries(schema: Schema, { find, wants, tell }: Hearing): void {
  const running = new WeakMap<object, Writes>();
  schema.pre(writingQueries, { query: true, document: false }, async function () {
    const query = this as unknown as Running;
    // what answers with its document need not be asked for it
    if (isOwn(query)) return;
    if (!query.op.startsWith('findOneAnd') || wants()) running.set(query, await find(query.model, query.getFilter()));
  });
  schema.post(writingQueries, { query: true, document: false }, function (result: unknown) {
    const query = this as unknown as Running;
    if (isOwn(query)) return;
    const { _id, upsertedId, modifiedCount } = (result ?? {}) as Row;
    const found = running.get(query);
    const id = query.op.startsWith('findOneAnd') ? _id : upsertedId;
    if (found !== undefined && found.length > 0 && modifiedCount !== 0) tell(found);
    else if (id !== undefined && id !== null) tell([{ id, isNew: found !== undefined }]);
  });
}

type Operation = Readonly<Record<string, { readonly filter?: Filter }>>;
type BulkWrite = (this: unknown, operations: Operation[], options?: object) => Promise<BulkResult>;
interface BulkResult {
  readonly insertedIds: Readonly<Record<string, unknown>>;
  readonly upsertedIds: Readonly<Record<string, unknown>>;
}

/** Middleware of a bulk write cannot tell which of several under way has ended, so the function itself is wrapped. */
function hearBulks(schema: Schema, { find, tell }: Hearing): void {
  const statics = schema.statics as Record<string, unknown>;
  const { bulkWrite } = mongoose.Model as unknown as Readonly<Record<string, unknown>>;
  const write = (statics['bulkWrite'] ?? bulkWrite) as BulkWrite;
  statics['bulkWrite'] = async function (this: Model<Row>, operations: Operation[], options?: object) {
    const filters = operations.flatMap((operation) => Object.values(operation).flatMap(({ filter }) => filter ?? []));
    const found = filters.length === 0 ? [] : await find(this, { $or: filters });
    const result = await write.call(this, operations, options);
    const made = [...Object.values(result.insertedIds), ...Object.values(result.upsertedIds)];
    tell([...found, ...made.map((id) => ({ id, isNew: true }))]);
    return result;
  };
}
