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
      run: async (context) => data(await callStatic(context, callOf(context, inputOf(context)))),
    },
    {
      ...shared,
      name: 'functions.callByQuery',
      callsOn: 'model',
      http: { method: 'GET', path: '/call/:model/:method' },
      summary: 'Calls a function with the query string',
      input: inQuery,
      run: async (context) => data(await callStatic(context, callOf(context, ownParameters(context)))),
    },
    {
      ...shared,
      name: 'functions.callForDocument',
      callsOn: 'document',
      http: { method: 'POST', path: '/call/:model/:id/:method' },
      summary: 'Calls a function for a document',
      input: sent,
      run: async (context) => data(await callForDocument(context, documentCallOf(context, inputOf(context)))),
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
      run: async (context) => data(await callForDocument(context, documentCallOf(context, ownParameters(context)))),
    },
  ] satisfies readonly ModelOperation[],
};

const callOf = (context: ModelContext, input: unknown): Call => ({
  name: context.params['method'] ?? '',
  input,
  api: context.services.apis.of(context),
});

const documentCallOf = (context: ModelContext, input: unknown): DocumentCall => ({
  ...callOf(context, input),
  id: context.params['id'] ?? '',
  showDeleted: flagOf(context.query, 'showDeleted'),
});

/** The body; an empty object where none is sent, as for an empty query string: functions destructure their input. */
const inputOf = ({ body }: ModelContext): unknown => (body === undefined ? {} : body);

/** The query string without the credentials in it. */
const ownParameters = ({ query }: ModelContext): object =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !isCredential(name)));
