/** The unit of work, as a request carries it. Interfaces only: any place may import them. */
import type { ClientSession } from 'mongoose';
import type { ModelEntry } from '../models/entry.ts';
import type { Change } from '../realtime/changes/contract.ts';

/** What one mutation of a unit of work has done. */
export interface WriteEffects {
  /** Published after the commit. */
  changes: readonly Change[];
  /** A model of which more was written than `changes` has. */
  touched?: ModelEntry;
  /** Undoes the mutation, where the database has no transactions. */
  undo?: () => Promise<unknown>;
}

/** Writes that stay or are rolled back together. */
export interface UnitOfWork {
  /** Of its transaction, for everything that is read and written in it; undefined where the database has none. */
  readonly session: ClientSession | undefined;
  readonly effects: WriteEffects[];
}
