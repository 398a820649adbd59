/** Lists by a filter in the body. */
import { page } from '../docs/openapi/answers.ts';
import { filter } from '../docs/openapi/marks.ts';
import { badBody, badFilter, type Failure } from '../errors.ts';
import { listParameters } from '../query/parameter-table.ts';
import * as read from '../read/index.ts';
import { bytes } from './answer.ts';
import type { Fault } from './body-check.ts';
import { letter, type OperationGroup } from './operation.ts';
import { queryIntent } from './reading/intents.ts';

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
      run: async (context) => bytes(await read.list(context, queryIntent(context))),
    },
  ],
};

function refuse({ path, keyword }: Fault): Failure {
  if (path === 'query' && keyword === 'type') return badFilter('a filter must be an object');
  return badBody('send {"query": {<field>: <value>}}');
}
