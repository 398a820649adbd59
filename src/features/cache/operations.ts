/** The cache of answers: its statistics, and emptying it. */
import type { Context } from '../../context.ts';
import { count, object, successAnswer } from '../../docs/openapi/shapes.ts';
import { type Answer, json, success } from '../../operations/answer.ts';
import { adminAccess, type OperationGroup, type PlainOperation } from '../../operations/operation.ts';

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
            object({ hits: count, misses: count, keys: count, ksize: count, vsize: count }),
            object({ cache_enabled: { const: false } }),
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
      answers: { 200: successAnswer },
      run: clear,
    },
  ] satisfies readonly PlainOperation[],
};

function clear({ services }: Context): Answer {
  services.reads.cache?.clear();
  return success(services.reads.cache === undefined ? 'the cache is disabled' : 'the cache is empty');
}
