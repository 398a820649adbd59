/** The cache of answers: how it is doing, and emptying it. */
import type { Context } from '../context.ts';
import { json, ok, type Answer } from './answer.ts';
import { admin, type RouteGroup } from './operation.ts';

export const caching: RouteGroup = {
  title: 'Cache',
  endpoints: [
    { method: 'GET', path: '/cache/stats', access: admin, summary: 'Figures of the cache', run: stats },
    { method: 'GET', path: '/cache/clear', access: admin, changes: true, summary: 'Empties the cache', run: clear },
  ],
};

function stats({ services }: Context): Answer {
  return json(services.cache?.stats() ?? { cache_enabled: false });
}

function clear({ services }: Context): Answer {
  services.cache?.clear();
  return ok(services.cache === undefined ? 'the cache is switched off' : 'the cache is empty');
}
