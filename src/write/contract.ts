/** The interface of the unit of work. Any folder may import it. */
import type { ClientSession } from 'mongoose';
import type { AuditRecord } from '../auth/audit/contract.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { Change } from '../realtime/changes/contract.ts';

/** The effects of one mutation of a unit of work. */
export interface WriteEffects {
  /** Published after the commit. */
  changes: readonly Change[];
  /** Records of the audit log, written with the commit. */
  records?: readonly AuditRecord[];
  /** A model with writes that are not in `changes`. */
  invalidated?: ModelEntry;
  /** Undoes the mutation on a database without transactions. */
  undo?: () => Promise<unknown>;
}

/** Writes that stay or are rolled back together. */
export interface UnitOfWork {
  /** The session of its transaction, for all of its reads and writes; undefined where the database has no transactions. */
  readonly session: ClientSession | undefined;
  /** Whether no other unit runs that has to be alone (`write/unit.ts`). */
  readonly isExclusive?: boolean;
  readonly effects: WriteEffects[];
}
