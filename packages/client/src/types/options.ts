/** The options of requests. */
import type { Filter, OwnFilter } from './filter.ts';
import type { ChangeOf, CreateOf, PathOf } from './models.ts';

export interface Abortable {
  /** Ends the request, and the waits before it is repeated. */
  readonly signal?: AbortSignal | undefined;
}

/** A path to sort by, downwards with a minus sign; several in a list or with their directions. */
export type Sort<Path extends string> =
  Path | `-${Path}` | readonly (Path | `-${Path}`)[] | { readonly [Key in Path]?: 1 | -1 | 'asc' | 'desc' };

/** What an answer shows of a document. */
export interface Shown<Field extends string, Populate extends string> extends Abortable {
  readonly fields?: readonly Field[];
  readonly populate?: readonly Populate[];
}

/** Which documents are selected. */
export interface Selection<Models, Name extends keyof Models> extends Abortable {
  readonly filter?: Filter<Models, Name>;
  /** Words for the text index, or text in single fields. */
  readonly search?: string | { readonly [Path in PathOf<Models, Name>]?: string };
  /** Soft-deleted documents too, or only these. */
  readonly showDeleted?: boolean | 'only';
}

export interface ListOptions<Models, Name extends keyof Models, Field extends string, Populate extends string>
  extends Selection<Models, Name>, Shown<Field, Populate> {
  readonly sort?: Sort<PathOf<Models, Name>>;
  /** Maximum documents; in a walk, on each page. */
  readonly limit?: number;
  readonly page?: number;
  /** A cursor: `next_cursor` of another page. */
  readonly after?: string;
  /** A cursor: `prev_cursor` of another page. */
  readonly before?: string;
  readonly count?: boolean | 'exact' | 'capped' | 'estimated';
  /** Adds the position from which the changes of the list can be followed. */
  readonly position?: boolean;
}

/** A page of a list. */
export interface Page<Document> {
  readonly data: Document[];
  readonly limit?: number;
  readonly page?: number;
  readonly count?: number;
  readonly count_is?: 'exact' | 'at_least' | 'estimate';
  readonly page_count?: number;
  readonly next_cursor?: string;
  readonly prev_cursor?: string;
  /** Where it was requested: a watch with it as `since` has all changes that the page does not show. */
  readonly position?: string;
}

export interface WriteOptions extends Abortable {
  /** No event and no post-hook. */
  readonly silent?: boolean;
}

export interface ChangeOptions extends WriteOptions {
  /** Called with the immutable paths that the change names with other values, and that stay as they are. */
  readonly onIgnored?: (paths: readonly string[]) => void;
}

export interface RemoveOptions extends WriteOptions {
  /** Removes the document from the database. */
  readonly permanent?: boolean;
  /** Also deletes the documents that link to this one. */
  readonly cascade?: boolean;
}

/** How many documents of which model were deleted, and how many links removed. */
export interface Removed {
  readonly deleted: Readonly<Record<string, number>>;
  readonly unlinked: Readonly<Record<string, number>>;
}

type Numbers<Change> = {
  readonly [Key in keyof Change as NonNullable<Change[Key]> extends number ? Key : never]?: number;
};
type Lists<Change> = {
  readonly [Key in keyof Change as NonNullable<Change[Key]> extends readonly unknown[] ? Key : never]?: unknown;
};
type Any<Change> = { readonly [Key in keyof Change]?: unknown };

/** The update operators of bulk writes and `patch`. */
export interface Update<Change> {
  readonly $set?: Change;
  readonly $setOnInsert?: Change;
  readonly $unset?: Any<Change>;
  readonly $inc?: Numbers<Change>;
  readonly $mul?: Numbers<Change>;
  readonly $min?: Change;
  readonly $max?: Change;
  readonly $push?: Lists<Change>;
  readonly $pull?: Lists<Change>;
  readonly $addToSet?: Lists<Change>;
  readonly $pop?: Lists<Change>;
  readonly $rename?: Any<Change>;
  readonly $currentDate?: Any<Change>;
}

/** An operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** Fields, update operators, or a JSON Patch. */
export type Patch<Models, Name extends keyof Models> =
  ChangeOf<Models, Name> | Update<ChangeOf<Models, Name>> | readonly PatchOperation[];

export interface PatchOptions extends ChangeOptions {
  /** The body is a merge patch (RFC 7396): null removes a field. */
  readonly merge?: boolean;
}

interface Updating<Models, Name extends keyof Models> {
  readonly filter: OwnFilter<Models, Name>;
  readonly update: Update<ChangeOf<Models, Name>> | ChangeOf<Models, Name>;
  readonly upsert?: boolean;
}

/** One operation of a bulk write. */
export type BulkOperation<Models, Name extends keyof Models> =
  | { readonly insertOne: { readonly document: CreateOf<Models, Name> } }
  | { readonly updateOne: Updating<Models, Name> }
  | { readonly updateMany: Updating<Models, Name> }
  | {
      readonly replaceOne: {
        readonly filter: OwnFilter<Models, Name>;
        readonly replacement: CreateOf<Models, Name>;
        readonly upsert?: boolean;
      };
    }
  | { readonly deleteOne: { readonly filter: OwnFilter<Models, Name> } }
  | { readonly deleteMany: { readonly filter: OwnFilter<Models, Name> } };

/** The counts of a bulk write; ids by the position of their operation. */
export interface BulkResult {
  readonly ok: 1;
  readonly nInserted: number;
  readonly nMatched: number;
  readonly nModified: number;
  readonly nRemoved: number;
  readonly nUpserted: number;
  readonly insertedIds: Readonly<Record<string, string>>;
  readonly upsertedIds: Readonly<Record<string, string>>;
  /** The immutable paths that stay as they are, by the position of the operation that names them with other values. */
  readonly ignored?: Readonly<Record<string, readonly string[]>>;
}

type Extent = 'all' | 'some' | 'own' | 'none';

/** What the caller may do with a model: rows, or one document with booleans, and fields. */
export interface Rights<Row = Extent> {
  readonly model: string;
  readonly rows: Readonly<Record<'c' | 'r' | 'u' | 'd', Row>>;
  readonly fields: Readonly<Record<string, string>>;
}

/** One write of a batch. */
export interface BatchOperation {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A name by which later operations refer to the answer: `$name.path`. */
  readonly ref?: string;
}

export interface BatchAnswer {
  readonly status: number;
  readonly body: { readonly status: 'ok' | 'fail'; readonly data?: unknown; readonly [name: string]: unknown };
}
