/** Figures of the server for Prometheus (docs/operating.md). */
import { provide } from '../../ports/port.ts';
import type { Feature } from '../feature.ts';
import { metricsOpener, ownService } from '../ports.ts';
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
