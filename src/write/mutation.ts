/** Mutations: what a write plan wants to be written, as plain values. Only `commit.ts` writes them. */
import type { ModelEntry } from '../models/entry.ts';
import type { Model, Row, modelOf, storedRow } from '../models/mongoose.ts';
import type { Filter } from '../query/filter.ts';
import type { Change } from '../realtime/changes/contract.ts';
import type { RowGuard } from './row-guard.ts';

export type ChangeEvent = Change['event'];

/** An operation of the driver's bulk write. */
export type BulkCommand = Parameters<ReturnType<typeof modelOf>['collection']['bulkWrite']>[0][number];

/** Documents as stored, by their ids. */
export type Images = ReadonlyMap<string, Row>;

interface Common {
  readonly model: ModelEntry;
  /** Undoes the mutation when its unit of work fails on a database without transactions. What has none stays, and is published. */
  readonly undo?: UpdateMany | DeleteMany;
}

/** Inserts rows as they are, by one command. */
interface Insert extends Common {
  readonly kind: 'insert';
  readonly rows: readonly Row[];
}

/** Saves a Mongoose document, a new or a loaded one, with the model's validators and save middleware. */
interface Save extends Common {
  readonly kind: 'save';
  readonly document: Parameters<typeof storedRow>[0];
  readonly event: 'post' | 'put' | 'del';
  /** Judges the document as it is stored, after all save middleware. */
  readonly guard?: RowGuard | undefined;
  /** A loaded document as it was stored, where a subscriber needs it. */
  readonly before?: Row | undefined;
}

/** Updates one document by one command. */
interface Update extends Common {
  readonly kind: 'update';
  readonly filter: Filter;
  readonly update: Row;
  /** Undefined for an update that no listener needs, such as one of an internal mark: nothing is published. */
  readonly event: ChangeEvent | undefined;
  /** The image that the plan needs. The other one is read where a subscriber needs it. */
  readonly returns: 'before' | 'after';
  /** Judges the document as the update leaves it, after all middleware. */
  readonly guard?: RowGuard | undefined;
  /** The Mongoose model whose casting, validators and middleware run; without it the update goes to the driver as it is. */
  readonly through?: Model<Row>;
}

/** Updates all documents of a filter. */
export interface UpdateMany extends Common {
  readonly kind: 'updateMany';
  readonly filter: Filter;
  readonly update: Row;
  readonly event: ChangeEvent;
  /** The images that are published: documents as the plan has read them, or ids of documents to read after the update. */
  readonly images: { readonly before: readonly Row[] } | { readonly after: readonly unknown[] };
}

/** Deletes one document. */
interface Delete extends Common {
  readonly kind: 'delete';
  readonly filter: Filter;
}

/** Deletes all documents of a filter. */
export interface DeleteMany extends Common {
  readonly kind: 'deleteMany';
  readonly filter: Filter;
  /** The documents as the plan has read them. */
  readonly before: readonly Row[];
}

/** Runs commands of one kind in their order, up to the first that fails. */
export interface Bulk extends Common {
  readonly kind: 'bulk';
  readonly commands: readonly BulkCommand[];
  /** All documents that the commands may touch. Without it no single document is published but new ones. */
  readonly before?: Images | undefined;
}

export type Mutation = Insert | Save | Update | UpdateMany | Delete | DeleteMany | Bulk;

/** What a bulk write has done. */
export interface BulkOutcome {
  /** How many of the commands were done. */
  readonly done: number;
  /** Ids of new documents, by the position of their command. */
  readonly made: ReadonlyMap<number, unknown>;
  /** Documents that were there and matched. */
  readonly matched: number;
  readonly modified: number;
  /** Why the next command failed. In a transaction it is thrown, since nothing stays. */
  readonly error?: Error;
}

/** What each kind of mutation comes to. A row is null where no document matches; a number counts the documents that match. */
export interface Outcomes {
  readonly insert: number;
  readonly save: Row;
  readonly update: Row | null;
  readonly updateMany: number;
  readonly delete: Row | null;
  readonly deleteMany: number;
  readonly bulk: BulkOutcome;
}
