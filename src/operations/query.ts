/** Lists by a filter in the body. */
import type { ModelContext } from '../context.ts';
import { positionedPage } from '../docs/openapi/answers.ts';
import { filter } from '../docs/openapi/marks.ts';
import { badBody, badFilter, type Failure } from '../errors.ts';
import { positionedParameters } from '../query/parameter-table.ts';
import { explainList } from '../read/explain.ts';
import * as read from '../read/index.ts';
import type { ListIntent } from '../read/intents.ts';
import { bytes } from './answer.ts';
import type { Fault } from './body-check.ts';
import { letter, type OperationGroup } from './operation.ts';
import { explainable } from './reading/explain.ts';
import { queryIntent } from './reading/intents.ts';
import { positionFor } from './reading/position.ts';

export const queries: OperationGroup = {
  title: 'Queries',
  operations: [
    explainable(
      {
        name: 'documents.query',
        http: { method: 'POST', path: '/query/:model' },
        summary: 'Lists documents by a filter in the body',
        effect: 'read',
        access: letter('r'),
        requiredOption: 'query',
        hook: 'query',
        input: {
          query: positionedParameters,
          body: { schema: { type: 'object', required: ['query'], properties: { query: filter } }, refuse },
        },
        answers: { 200: positionedPage },
        run: async (context) => bytes(await read.list(context, intentOf(context), await positionFor(context))),
      },
      (context) => explainList(context, intentOf(context)),
    ),
  ],
};

const parameterNames: ReadonlySet<string> = new Set(positionedParameters.map(({ name }) => name));

/** @throws 400 for a body with more than a filter, such as a `limit`, which would have no effect */
function intentOf(context: ModelContext): ListIntent {
  const body = context.body ?? {};
  const other = Object.keys(body).find((name) => name !== 'query' && !name.startsWith('_'));
  if (other === undefined) return queryIntent(context);
  const shown = JSON.stringify(other.slice(0, 60));
  throw badBody(
    parameterNames.has(other)
      ? `${shown} is a parameter: send it in the URL, as in /query/${context.model.name}?${other}=<value>`
      : `${shown} is not a part of the body, which is {"query": {<field>: <value>}}`,
  );
}

function refuse({ path, keyword }: Fault): Failure {
  if (path === 'query' && keyword === 'type') return badFilter('a filter must be an object');
  return badBody('send {"query": {<field>: <value>}}');
}
