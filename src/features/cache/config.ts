/** The settings of the cache. */
import type { FeatureConfig } from '../../settings/row.ts';

export const cacheConfig = {
  settingsAfter: 'QUERY_LIMITS_MAX_RESPONSE_SIZE',
  settings: [
    {
      variable: 'CACHE_ENABLED',
      key: 'cache.enabled',
      kind: 'switch',
      default: 'false',
      meaning: 'Caches answers to reads in memory',
    },
    {
      variable: 'CACHE_TTL',
      key: 'cache.ttl',
      kind: 'seconds',
      default: '300',
      min: 1,
      meaning: 'Seconds for which an answer is cached',
    },
  ],
} as const satisfies FeatureConfig;
