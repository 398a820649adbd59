/** The option `audit` of model files. */
import type { AddedOption } from '../../models/options/added-option.ts';
import { readSwitch } from '../../models/options/durations.ts';

export interface AuditFileOptions {
  /** true: each write of a document is a record of the audit log. */
  audit?: boolean;
}

export const auditOption: AddedOption<boolean> = {
  name: 'audit',
  meaning: 'true: each write of a document is a record of the audit log',
  read: (value) => readSwitch('audit', value, false),
};
