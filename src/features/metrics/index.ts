/** Figures of the server for Prometheus (docs/operating.md). */
import { type Feature, ownService, provide } from '../../core.ts';
import { metricsOpener } from '../ports.ts';
import { metricsConfig } from './config.ts';
import { metricsOperations, scrape } from './operations.ts';

export const metrics: Feature = {
  name: 'metrics',
  config: metricsConfig,
  operations: [metricsOperations],
  provides: [
    provide(ownService, scrape),
    provide(metricsOpener, ({ metrics: { enabled } }) =>
      enabled ? async () => new (await import('./prometheus.ts')).PrometheusMetrics() : undefined,
    ),
  ],
};
