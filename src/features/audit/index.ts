/** The audit log: who did what to whom, when, and from where (docs/audit.md). */
import type { Feature, RecorderParts } from '../feature.ts';
import { auditConfig } from './config.ts';
import { AuditLog } from './log.ts';
import { auditModel } from './model.ts';
import { auditOption } from './model-options.ts';
import { auditOperations } from './operations.ts';

const auditLog = (parts: RecorderParts): AuditLog => new AuditLog(parts);

export const audit: Feature = {
  name: 'audit',
  ...auditConfig,
  modelOptions: [auditOption],
  models: [auditModel],
  operations: ({ accountEvents }) => [auditOperations(accountEvents)],
  recorders: [auditLog],
  accountListeners: [auditLog],
  incompleteAfterCrash: 'the audit log',
};
