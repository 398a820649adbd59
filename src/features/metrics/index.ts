/** Figures of the server for Prometheus (docs/operating.md). */
import type { Feature } from '../feature.ts';
import { metricsConfig } from './config.ts';
import { scrape, scraping } from './operations.ts';

export const metrics: Feature = {
  name: 'metrics',
  ...metricsConfig,
  operations: [scraping],
  services: [scrape],
  metrics: ({ metrics: { enabled } }) =>
    enabled ? async () => new (await import('./prometheus.ts')).PrometheusMetrics() : undefined,
};
