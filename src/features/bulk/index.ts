/** Bulk writes (docs/bulk-writes.md). */
import type { Feature } from '../feature.ts';
import { bulkConfig } from './config.ts';
import { bulkWrites } from './operations.ts';

export const bulk: Feature = { name: 'bulk', ...bulkConfig, operations: [bulkWrites] };
