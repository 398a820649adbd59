/** Functions of models, by name: only those that a model lists. */
import type { ModelContext } from '../context.ts';
import { data, type Answer } from './answer.ts';
import { perOperation, type RouteGroup } from './operation.ts';
import { callForDocument, callStatic } from '../statics.ts';

const shared = { access: perOperation, hook: 'call' } as const;

export const calls: RouteGroup = {
  title: 'Functions',
  endpoints: [
    {
      ...shared,
      method: 'POST',
      path: '/call/:model/:method',
      summary: 'Calls a function with the body',
      run: withBody,
    },
    {
      ...shared,
      method: 'GET',
      path: '/call/:model/:method',
      summary: 'Calls a function with the query string',
      freeQuery: true,
      changes: true,
      run: withQuery,
    },
    {
      ...shared,
      method: 'POST',
      path: '/call/:model/:id/:method',
      summary: 'Calls a function for a document',
      run: forDocument,
    },
    {
      ...shared,
      method: 'GET',
      path: '/call/:model/:id/:method',
      summary: 'The same with the query string',
      freeQuery: true,
      changes: true,
      run: forDocumentWithQuery,
    },
  ],
};

async function withBody(context: ModelContext): Promise<Answer> {
  return data(await callStatic(context, context.body));
}

async function withQuery(context: ModelContext): Promise<Answer> {
  return data(await callStatic(context, ownParameters(context)));
}

async function forDocument(context: ModelContext): Promise<Answer> {
  return data(await callForDocument(context, context.body));
}

async function forDocumentWithQuery(context: ModelContext): Promise<Answer> {
  return data(await callForDocument(context, ownParameters(context)));
}

/** The query string without the credentials in it. */
const ownParameters = ({ query }: ModelContext): object =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'apikey' && name !== 'jwt'));
