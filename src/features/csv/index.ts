/** Lists as comma-separated text (docs/queries.md). */
import type { Feature } from '../../core.ts';
import { csvConfig } from './config.ts';
import { csvs } from './operations.ts';

export const csv: Feature = {
  name: 'csv',
  config: csvConfig,
  operations: [csvs],
};
