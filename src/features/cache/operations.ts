/** The cache of answers: its statistics, and emptying it. */
import {
  adminAccess,
  type Answer,
  type Context,
  json,
  type OperationGroup,
  type PlainOperation,
  shapes,
  success,
} from '../../core.ts';

export const cacheOperations: OperationGroup = {
  title: 'Cache',
  after: 'Models',
  operations: [
    {
      name: 'cache.stats',
      http: { method: 'GET', path: '/cache/stats' },
      summary: 'Statistics of the cache',
      access: adminAccess,
      answers: {
        200: {
          oneOf: [
            shapes.object({
              hits: shapes.count,
              misses: shapes.count,
              keys: shapes.count,
              ksize: shapes.count,
              vsize: shapes.count,
            }),
            shapes.object({ cache_enabled: { const: false } }),
          ],
        },
      },
      run: async ({ services }) => json((await services.reads.cache?.stats()) ?? { cache_enabled: false }),
    },
    {
      name: 'cache.clear',
      http: { method: 'GET', path: '/cache/clear' },
      summary: 'Empties the cache',
      effect: 'write',
      access: adminAccess,
      answers: { 200: shapes.successAnswer },
      run: clear,
    },
  ] satisfies readonly PlainOperation[],
};

function clear({ services }: Context): Answer {
  services.reads.cache?.clear();
  return success(services.reads.cache === undefined ? 'the cache is disabled' : 'the cache is empty');
}
