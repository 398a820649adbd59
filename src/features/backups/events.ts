/** The event of the audit log about backups. */
import type { AddedEvent } from '../../core.ts';

export const backupBegun: AddedEvent = {
  name: 'backup.begun',
  meaning: 'An admin began a backup',
  whom: 'the backup',
  after: 'job.retried',
};
