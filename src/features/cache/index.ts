/** Answers of reads, kept in memory (docs/queries.md). */
import type { CacheParts } from '../../ports/parts.ts';
import { provide } from '../../ports/port.ts';
import { answerCache } from '../../read/ports.ts';
import type { Feature } from '../feature.ts';
import { cacheConfig } from './config.ts';
import { MemoryCache } from './memory-cache.ts';
import { cacheOperations } from './operations.ts';

const openCache = ({ settings, bus, shared, metrics }: CacheParts): MemoryCache =>
  new MemoryCache(settings.cache.ttl, { bus, shared, metrics });

export const cache: Feature = {
  name: 'cache',
  config: cacheConfig,
  operations: [cacheOperations],
  provides: [provide(answerCache, ({ cache: { enabled } }) => (enabled ? openCache : undefined))],
};
