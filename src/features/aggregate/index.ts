/** Aggregation pipelines (docs/aggregation.md). */
import type { Feature } from '../../core.ts';
import { aggregateConfig } from './config.ts';
import { aggregates } from './operations.ts';

export const aggregate: Feature = {
  name: 'aggregate',
  config: aggregateConfig,
  operations: [aggregates],
};
