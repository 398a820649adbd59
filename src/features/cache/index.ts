/** Answers of reads, kept in memory (docs/queries.md). */
import { answerCache, type CacheParts, type Feature, provide } from '../../core.ts';
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
