/** Lists by a filter in the body. */
import { positionedPage } from '../docs/openapi/answers.ts';
import { filter, object } from '../docs/openapi/shapes.ts';
import { badBody, badFilter, type Failure } from '../errors/errors.ts';
import { positionedParameters } from '../query/parameter-table.ts';
import { explainList } from '../read/explain.ts';
import * as read from '../read/index.ts';
import { bytes } from './answer.ts';
import type { Fault } from './body-check.ts';
import { letter, type OperationGroup } from './operation.ts';
import { withExplain } from './reading/explain.ts';
import { queryIntent } from './reading/intents.ts';
import { positionFor } from './reading/position.ts';

export const queries: OperationGroup = {
  title: 'Queries',
  operations: [
    withExplain(
      {
        name: 'documents.query',
        http: { method: 'POST', path: '/query/:model' },
        summary: 'Lists documents by a filter in the body',
        effect: 'read',
        access: letter('r'),
        readsMany: true,
        requiredOption: 'query',
        hook: 'query',
        input: {
          query: positionedParameters,
          body: { schema: object({ query: filter }), refuse, refuseName },
        },
        answers: { 200: positionedPage },
        run: async (context) => {
          const intent = queryIntent(context);
          const position = context.query['position'] === undefined ? undefined : await positionFor(context);
          return bytes(await read.list(context, intent, position));
        },
      },
      (context) => explainList(context, queryIntent(context)),
    ),
  ],
};

const parameterNames: ReadonlySet<string> = new Set(positionedParameters.map(({ name }) => name));

function refuse({ path, keyword }: Fault): Failure {
  if (path === 'query' && keyword === 'type') return badFilter('a filter must be an object');
  return badBody('send {"query": {<field>: <value>}}');
}

/** A `limit` in the body, for example, would have no effect. */
function refuseName(name: string): Failure {
  const shown = JSON.stringify(name.slice(0, 60));
  return badBody(
    parameterNames.has(name)
      ? `${shown} is a parameter: send it in the URL, as in ?${name}=<value>`
      : `${shown} is not a part of the body, which is {"query": {<field>: <value>}}`,
  );
}
