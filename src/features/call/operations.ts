/** Calls functions of models by name: only those that a model lists. */
import {
  data,
  flagOf,
  type ModelContext,
  type ModelOperation,
  type OperationGroup,
  parametersNamed,
  shapes,
} from '../../core.ts';
import { functionParameters } from '../../docs/openapi/parameters.ts';
import { type Input, perOperation } from '../../operations/operation.ts';
import { isCredential } from '../../query/parameter-table.ts';
import { type Call, callForDocument, callStatic, type DocumentCall } from './statics.ts';

const shared = {
  effect: 'write',
  access: perOperation,
  hook: 'call',
  runsModelCode: true,
  conflicts: true,
  answers: { 200: shapes.object({ data: shapes.anyValue('What the function returned') }) },
} as const;
const sent: Input = {
  query: parametersNamed('_silence'),
  body: { schema: shapes.anyValue('Passed to the function'), optional: true },
};
const inQuery: Input = { query: [functionParameters], freeQuery: true };

export const calls: OperationGroup = {
  title: 'Functions',
  after: 'Models',
  operations: [
    {
      ...shared,
      name: 'functions.call',
      callsOn: 'model',
      http: { method: 'POST', path: '/call/:model/:method' },
      summary: 'Calls a function with the body',
      input: sent,
      run: async (context) => data(await callStatic(context, callOf(context))),
    },
    {
      ...shared,
      name: 'functions.callByQuery',
      callsOn: 'model',
      http: { method: 'GET', path: '/call/:model/:method' },
      summary: 'Calls a function with the query string',
      input: inQuery,
      run: async (context) => data(await callStatic(context, callByQuery(context))),
    },
    {
      ...shared,
      name: 'functions.callForDocument',
      callsOn: 'document',
      http: { method: 'POST', path: '/call/:model/:id/:method' },
      summary: 'Calls a function for a document',
      input: sent,
      run: async (context) => data(await callForDocument(context, { ...callOf(context), ...documentOf(context) })),
    },
    {
      ...shared,
      name: 'functions.callForDocumentByQuery',
      callsOn: 'document',
      // a link must not rotate a secret
      hasModel: ({ isOwn }) => !isOwn,
      http: { method: 'GET', path: '/call/:model/:id/:method' },
      summary: 'Calls a function for a document with the query string',
      input: inQuery,
      run: async (context) => data(await callForDocument(context, { ...callByQuery(context), ...documentOf(context) })),
    },
  ] satisfies readonly ModelOperation[],
};

/** With the body; an empty object where none is sent, as for an empty query string: functions destructure their input. */
const callOf = (context: ModelContext): Call => ({
  name: context.params['method'] ?? '',
  input: context.body === undefined ? {} : context.body,
  isText: false,
  api: context.services.apis.of(context),
});

const callByQuery = (context: ModelContext): Call => ({
  ...callOf(context),
  input: ownParameters(context),
  isText: true,
});

const documentOf = ({ params, query }: ModelContext): Pick<DocumentCall, 'id' | 'showDeleted'> => ({
  id: params['id'] ?? '',
  showDeleted: flagOf(query, 'showDeleted'),
});

/** The query string without the credentials in it. */
const ownParameters = ({ query }: ModelContext): object =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !isCredential(name)));
