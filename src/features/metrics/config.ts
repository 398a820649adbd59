/** The settings of metrics. */
import type { FeatureConfig } from '../../settings/row.ts';

export const metricsConfig = {
  settingsAfter: 'LOG_LEVEL',
  settings: [
    {
      variable: 'METRICS',
      key: 'metrics.enabled',
      kind: 'switch',
      default: 'false',
      meaning: 'Measures the server, and serves the metrics for Prometheus at `/metrics`',
    },
    {
      variable: 'METRICS_TOKEN',
      key: 'metrics.token',
      kind: 'secret',
      default: undefined,
      minInProduction: 16,
      meaning:
        'Bearer token that `/metrics` requires, in production with at least 16 characters; without it, only this machine itself may read them',
    },
  ],
} as const satisfies FeatureConfig;
