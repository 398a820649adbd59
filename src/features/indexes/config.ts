/** The setting of slow operations. */
import type { FeatureConfig } from '../../settings/row.ts';

export const indexesConfig = {
  settingsAfter: 'QUERY_LIMITS_MAX_RESPONSE_SIZE',
  settings: [
    {
      variable: 'SLOW_MS',
      key: 'slow_ms',
      kind: 'milliseconds',
      default: '200',
      min: 0,
      max: 3_600_000,
      meaning: 'Milliseconds after which an operation is logged as slow, and plans are judged; 0 for neither',
    },
  ],
} as const satisfies FeatureConfig;
