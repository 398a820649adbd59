/** Lists by a filter in the body. */
import type { ModelContext } from '../context.ts';
import { page } from '../docs/openapi/answers.ts';
import { filter } from '../docs/openapi/marks.ts';
import { badBody, badFilter, type Failure } from '../errors.ts';
import { filterFromJson } from '../query/json-filter.ts';
import { listParameters } from '../query/parameter-table.ts';
import { flagOf } from '../query/parameter-tree.ts';
import * as read from '../read/index.ts';
import { linkResolverFor } from '../read/link-filters.ts';
import { type Answer, bytes } from './answer.ts';
import type { Fault } from './body-check.ts';
import { letter, type OperationGroup } from './operation.ts';

export const queries: OperationGroup = {
  title: 'Queries',
  operations: [
    {
      name: 'documents.query',
      http: { method: 'POST', path: '/query/:model' },
      summary: 'Lists documents by a filter in the body',
      effect: 'read',
      access: letter('r'),
      requiredOption: 'query',
      hook: 'query',
      input: {
        query: listParameters,
        body: { schema: { type: 'object', required: ['query'], properties: { query: filter } }, refuse },
      },
      answers: { 200: page },
      run: query,
    },
  ],
};

function refuse({ path, keyword }: Fault): Failure {
  if (path === 'query' && keyword === 'type') return badFilter('a filter must be an object');
  return badBody('send {"query": {<field>: <value>}}');
}

async function query(context: ModelContext): Promise<Answer> {
  const { services, grant } = context;
  const body = context.body as { readonly query: object };
  const ways = linkResolverFor(context, grant.policy, flagOf(context.query, 'showDeleted'));
  const bodyFilter = filterFromJson(body.query, grant.policy.view, services.clock(), ways);
  return bytes(await read.list(context, { bodyFilter, search: false }));
}
