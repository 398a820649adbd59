/** Lists by a filter in the body. */
import type { ModelContext } from '../context.ts';
import { badBody, switchedOff } from '../errors.ts';
import { filterFromJson } from '../language/guard.ts';
import { bytes, type Answer } from './answer.ts';
import { letter, type RouteGroup } from './operation.ts';
import * as read from '../read/index.ts';

export const queries: RouteGroup = {
  title: 'Queries',
  endpoints: [
    {
      method: 'POST',
      path: '/query/:model',
      access: letter('r'),
      hook: 'query',
      summary: 'Lists documents by a filter in the body',
      run: query,
    },
  ],
};

async function query(context: ModelContext): Promise<Answer> {
  const { model, body, services } = context;
  if (!model.options.advanced_queries.query) throw switchedOff('query', model.name);
  if (typeof body !== 'object' || body === null || !('query' in body))
    throw badBody('send {"query": {<field>: <value>}}');
  const bodyFilter = filterFromJson(body.query, model.schema, services.clock());
  return bytes(await read.list(context, { bodyFilter, search: false }));
}
