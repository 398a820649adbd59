/** The setting of the audit log. */
import type { FeatureConfig } from '../../settings/row.ts';

export const auditConfig = {
  settingsAfter: 'PASSWORD_COMMON',
  settings: [
    {
      variable: 'AUDIT_DAYS',
      key: 'audit_days',
      kind: 'count',
      default: '90',
      max: 36500,
      meaning: 'Days for which records of the audit log are kept; 0 keeps them without a limit',
    },
  ],
} as const satisfies FeatureConfig;
