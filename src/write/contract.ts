/** The interface of writing: mutations as plain values, what is recorded of them, and the unit of work. Any folder may import it. */
import type { ClientSession } from 'mongoose';
import type { ModelEntry } from '../models/entry.ts';
import type { Row, storedRow } from '../models/mongoose.ts';
import type { Origin, Principal } from '../policy/principal.ts';
import type { Filter } from '../query/filter.ts';
import type { Change as PublishedChange } from '../realtime/changes/contract.ts';

/** @param before undefined for a new document @throws 403 for a document that the caller may not leave in this state, and Mongoose's ValidationError */
export type RowGuard = (after: Row, before?: Row) => void;

export type ChangeEvent = PublishedChange['event'];

/** Documents as stored, by their ids. */
export type Images = ReadonlyMap<string, Row>;

interface Common {
  readonly model: ModelEntry;
  /**
   * Undoes the mutation when its unit of work fails on a database without transactions. Mutations without it remain and are
   * published.
   */
  readonly undo?: Mutation;
}

/** Inserts rows unchanged by one command. */
export interface Insertion extends Common {
  readonly kind: 'insert';
  readonly rows: readonly Row[];
  /** Inserts only where no document matches this; for one row of a list of mutations (`commitAll`). */
  readonly unless?: Filter;
}

/** Changes one document by one command, which the driver gets unchanged, or all documents of a filter. */
export interface Change extends Common {
  readonly kind: 'change';
  readonly filter: Filter;
  /** Update operators, or the stages of a pipeline. */
  readonly update: Row | readonly Row[];
  /** Undefined for an update that is neither published nor recorded, such as one of an internal field. */
  readonly event: ChangeEvent | undefined;
  /** The image that the plan requires of one document: as it is by default. The other one is read if a subscriber needs it. */
  readonly returns?: 'before' | 'after';
  /** Checks the one document after the update. */
  readonly guard?: RowGuard | undefined;
  /**
   * Changes all documents of the filter. In a mutation by itself, the images to publish: documents that the plan has read, or ids of
   * documents to read after the update.
   */
  readonly many?: true | { readonly before: readonly Row[] } | { readonly after: readonly unknown[] };
}

/** Puts a whole document in the place of another one; for lists of mutations. */
interface Replacement extends Common {
  readonly kind: 'change';
  readonly filter: Filter;
  readonly row: Row;
  /** Inserts it where nothing matches. */
  readonly upserts?: true;
}

/** Removes one document, or all of a filter. */
export interface Removal extends Common {
  readonly kind: 'remove';
  readonly filter: Filter;
  /** Removes all documents of the filter. In a mutation by itself, those that the plan has read. */
  readonly many?: true | { readonly before: readonly Row[] };
}

/** Saves a new or loaded Mongoose document, with the model's validators and save middleware. */
export interface Save extends Common {
  readonly kind: 'insert' | 'change';
  readonly document: Parameters<typeof storedRow>[0];
  readonly event: 'post' | 'put' | 'del';
  /** Whether the document has been validated already, with its middleware, and is saved without it. */
  readonly isValidated?: true;
  /** Checks the document after all save middleware. */
  readonly guard?: RowGuard | undefined;
  /** The before-image of a loaded document, if a subscriber needs it. */
  readonly before?: Row | undefined;
}

/** Inserts, changes or removes documents of a model. */
export type Mutation = Insertion | Change | Removal | Save;

/** A mutation that one command of a list makes: of one document, or of many. */
export type ListedMutation = Insertion | Change | Replacement | Removal;

/** Mutations of a model that one command makes, in order, up to the first that fails. */
export interface MutationList {
  readonly model: ModelEntry;
  readonly mutations: readonly ListedMutation[];
  /** Milliseconds that each may take in the database; 0 or undefined sets no limit. */
  readonly maxTimeMS?: number;
  /** All documents that they may change. Without it only new documents are published individually. */
  readonly before?: Images | undefined;
}

/** The result of a list of mutations. */
export interface ListOutcome {
  /** The number of completed ones. */
  readonly done: number;
  /** Ids of new documents, by the position of their mutation. */
  readonly made: ReadonlyMap<number, unknown>;
  /** Existing documents that matched. */
  readonly matched: number;
  readonly modified: number;
  /** The error of the next one. In a transaction it is thrown, because nothing remains. */
  readonly error?: Error;
}

/** The request that causes a write, as far as what it causes in turn takes it over. */
export interface WriteCause {
  readonly principal: Principal;
  readonly address: string;
  readonly ip: string;
  readonly requestId?: string | undefined;
  /** How many calls of `api` enclose the request. */
  readonly depth?: number | undefined;
  /** Undefined for what no caller waits for. */
  readonly signal?: AbortSignal;
}

/** Who makes a mutation: the id of the user, and where the request comes from; undefined for the server itself. */
export interface Author {
  readonly user: string | undefined;
  readonly origin?: Origin;
  /** Undefined for writes of the server itself. */
  readonly cause?: WriteCause;
}

/** An author within the unit of work that has made a mutation. */
export interface AuthorInUnit extends Author {
  readonly unit: UnitOfWork;
  readonly progress?: WriteProgress | undefined;
}

/** A document before and after a mutation; without one where it did not exist, or is not known. */
export interface State extends Pick<PublishedChange, 'event' | 'before' | 'after' | 'joined'> {
  readonly kind: Mutation['kind'];
}

export type States = readonly Omit<State, 'event' | 'joined'>[];

/**
 * Writes entries together with the writes of a unit of work: in its transaction, or not at all. The recorders of a server are one list,
 * `services.recorders`; the unit of work knows no single one.
 */
export interface Recorder<Entry = unknown> {
  readonly name: string;
  /** Whether it may need a write of a model, which is asked once for each; by default of every one. */
  mayNeed?(model: ModelEntry): boolean;
  /**
   * Whether it may have entries for a mutation, as far as the values of that show. Such a mutation has a unit of work, and reads its
   * documents as they were.
   */
  needs(mutation: Mutation | ListedMutation): boolean;
  /** Whether it needs each document both as it was and as it is after a write; undefined for a recorder that never does. */
  needsBoth?(model: ModelEntry): boolean;
  /** The entries for a mutation that it needs. @param states of the documents that the mutation has changed */
  entriesOf(model: ModelEntry, states: States, author: Author): readonly Entry[];
  /**
   * Acts on the entries of a mutation right after it, in its unit of work, and may write more in that. It runs code of the project, so
   * that such a mutation shares no transaction with those of other requests. What it throws ends the unit.
   */
  react?(entries: readonly Entry[], author: AuthorInUnit): Promise<void>;
  /**
   * Writes the entries of a unit, by one command where possible.
   * @param session of its transaction; undefined where the database has none
   * @throws the driver's errors, unchanged, because a transaction runs again after some of them
   */
  write?(entries: readonly Entry[], session: ClientSession | undefined): Promise<void>;
  /** Called after the commit of a unit in which it had entries, with those of each mutation. */
  committed?(entries: readonly Entry[]): void;
}

/** Entries that a recorder writes with the commit. */
interface Recording {
  readonly recorder: Recorder;
  readonly entries: readonly unknown[];
}

/** The effects of one mutation of a unit of work. */
export interface WriteEffects {
  /** Published after the commit. */
  changes: readonly PublishedChange[];
  /** Written with the commit. */
  recordings?: readonly Recording[];
  /** A model with writes that are not in `changes`. */
  invalidated?: ModelEntry;
  /** Undoes the mutation on a database without transactions. */
  undo?: () => Promise<unknown>;
}

/** Which writes of a request have been sent, and whether more may be. The time limit of the request ends it. */
export interface WriteProgress {
  /** Whether nothing more may be written. */
  readonly hasEnded: boolean;
  /** Whether a command or a commit that cannot be recalled has no answer yet. */
  readonly isUnderWay: boolean;
  /** Whether a write remains, or may: one that has succeeded, is under way, or whose answer was lost. */
  readonly mayRemain: boolean;
  /** Ends it: a transaction that has not begun its commit is rolled back, and what has not been sent is refused. */
  end(): void;
  /** @throws 503 when it has ended */
  check(): void;
  /** Begins what cannot be recalled. @returns ends that; `remains` says whether it is stored, or may be @throws 503 when it has ended */
  begin(): (remains: boolean) => void;
  /**
   * Sends a command that cannot be recalled.
   * @param wrote whether it has written anything @throws as `begin`, and what `send` throws
   */
  send<T>(send: () => Promise<T>, wrote: (outcome: T) => boolean): Promise<T>;
}

/** Writes that stay or are rolled back together. */
export interface UnitOfWork {
  /** The session of its transaction, for all of its reads and writes; undefined where the database has no transactions. */
  readonly session: ClientSession | undefined;
  /** Whether no other unit runs that has to be alone (`write/unit.ts`). */
  readonly isExclusive?: boolean;
  readonly effects: WriteEffects[];
}
