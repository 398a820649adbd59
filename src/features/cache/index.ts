/** Answers of reads, kept in memory (docs/queries.md). */
import type { Feature } from '../feature.ts';
import { cacheConfig } from './config.ts';
import { caching } from './operations.ts';

export const cache: Feature = { name: 'cache', ...cacheConfig, operations: [caching] };
