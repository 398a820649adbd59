/** Records an event in the audit log together with the writes of a unit of work. */
import type { AuditRecord } from '../auth/audit/contract.ts';
import type { UnitOfWork } from './contract.ts';

/** The record is written by the unit's commit, and not at all if the unit fails. */
export const record = ({ effects }: UnitOfWork, event: AuditRecord): void =>
  void effects.push({ changes: [], records: [event] });
