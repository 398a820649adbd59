/** What histories of documents consist of (docs/history.md). */
import type { Abortable, WriteOptions } from './options.ts';

export type HistoryOperation = 'create' | 'change' | 'delete' | 'restore' | 'remove';

/** A path with its values before and after; without one where there was none. */
export interface HistoryChange {
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** What happened to a document. */
export interface HistoryEntry {
  /** The number of the entry, from 1 for each document. */
  readonly rev: number;
  readonly at: string;
  /** The id of the user; null for a caller who has not signed in, and for the server itself. */
  readonly who: string | null;
  /** The id of the admin who has acted as the user. */
  readonly by?: string;
  /** The id of the user in whose request the server has acted as the system. */
  readonly for?: string;
  readonly via: string | null;
  readonly op: HistoryOperation;
  readonly request_id: string | null;
  readonly changes: readonly HistoryChange[];
  /** Of an entry whose changes are larger than an answer: `changes` is empty. */
  readonly omitted?: true;
}

export interface ModelHistoryEntry<Id> extends HistoryEntry {
  /** The document. */
  readonly id: Id;
}

/** A document after an entry; null where it was removed. */
export interface Revision<Document> {
  readonly data: Document | null;
  readonly rev: number;
  readonly at: string;
}

/** Which entries of a model are listed. */
export interface HistoryOptions extends Abortable {
  readonly since?: Date | string;
  readonly until?: Date | string;
  /** The id of a user. */
  readonly who?: string;
  readonly op?: HistoryOperation;
  readonly limit?: number;
  readonly after?: string;
}

/** A document after a revert. */
export interface Reverted<Document> {
  readonly data: Document;
  /** The paths that keep their values, because the caller may not write them. */
  readonly kept: readonly string[];
}

export interface RevertOptions extends WriteOptions {
  /** The entity tag of the document as it was read: the revert fails with a 412 where it has changed since. */
  readonly ifMatch?: string;
}
