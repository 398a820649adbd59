/** The setting of the second factor. */
import type { FeatureConfig } from '../../settings/row.ts';

export const factorConfig = {
  mails: ['factor_on', 'factor_off'],
  settingsAfter: 'PASSWORD_COMMON',
  settings: [
    {
      variable: 'MFA_REQUIRED',
      key: 'mfa_required',
      kind: 'choice',
      choices: ['off', 'admin'],
      default: 'off',
      meaning: 'Who must have a second factor: off (no one) or admin',
    },
  ],
} as const satisfies FeatureConfig;
