/** The operations that the methods of a model ask for, and their requests over HTTP. */
import { pathOf } from './path.ts';
import { queryText } from './query.ts';
import type { Call, OperationCall } from './sender.ts';

/** The method of each operation, the first part of its path, and the one after its named parts. */
export const operations: Readonly<Record<string, string>> = {
  'documents.list': 'GET api',
  'documents.get': 'GET api',
  'documents.create': 'POST api',
  'documents.upsert': 'PUT api',
  'documents.change': 'PUT api',
  'documents.patch': 'PATCH api',
  'documents.delete': 'DELETE api',
  'documents.save': 'PUT update',
  'documents.count': 'GET count',
  'documents.distinct': 'GET distinct',
  'documents.query': 'POST query',
  'documents.aggregate': 'POST aggregate',
  'documents.export': 'GET csv',
  'documents.bulkWrite': 'POST bulkwrite',
  'functions.call': 'POST call',
  'functions.callForDocument': 'POST call',
  'models.rights': 'GET model rights',
  'history.all': 'GET history',
  'history.list': 'GET history',
  'history.get': 'GET history',
  'history.revert': 'POST history revert',
  'history.forget': 'DELETE history',
};

/** The request of an operation. */
export function requestOf({ operation, params, parameters = [], ...others }: OperationCall): Call {
  const [method = '', first = '', ...last] = operations[operation]?.split(' ') ?? [];
  return { ...others, method, path: pathOf([first, ...Object.values(params), ...last]) + queryText(parameters) };
}
