/** The statuses with which an operation can fail. */
import type { Interceptor } from '../../operations/interceptor.ts';
import { isClosedToScopes, isOfModel, isWrite, needsNoFactor, type Operation } from '../../operations/operation.ts';
import { statusRows } from '../../operations/statuses.ts';

/**
 * Statuses that any request can get: for its parameters, its credentials, the number of requests, and the state of the server.
 */
const always: readonly number[] = [400, 401, 429, 500, 503];

/** `components.responses`: one for each status, and one for statuses set by functions of models and by hooks. */
export const failureComponents: Readonly<Record<string, object>> = Object.fromEntries([
  ...statusRows.map(([status, meaning]) => [String(status), responseOf(meaning)]),
  ['failure', responseOf('Any other failure')],
]) as Readonly<Record<string, object>>;

function responseOf(description: string): object {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/_failure' } } } };
}

/** The failures of an operation, by status. @param interceptors those that requests of it may pass */
export function failuresOf(
  operation: Operation,
  interceptors: readonly Interceptor[],
): Readonly<Record<string, object>> {
  const { access, http, input = {}, conflicts, failures = [] } = operation;
  const closed = !needsNoFactor(operation) || (!isOfModel(operation) && isClosedToScopes(operation));
  const guarded = access.kind !== 'open' || access.guard !== undefined || closed;
  const statuses = [
    ...always,
    ...(guarded ? [403] : []),
    ...(http.path.includes('/:') ? [404] : []),
    // every body is read, and answers with documents have a size limit
    ...(http.method === 'GET' ? [] : [413, 415]),
    ...(isOfModel(operation) ? [413] : []),
    ...(conflicts === true ? [409] : []),
    ...(input.query?.some(({ name }) => name === 'since') === true ? [410] : []),
    ...(input.condition === undefined ? [] : [412]),
    ...interceptors.flatMap(({ failures: added }) => added),
    // such as `api.transaction`
    ...(operation.runsModelCode === true ? [501] : []),
    // the database may be full
    ...(isWrite(operation) || conflicts === true ? [507] : []),
    ...failures,
  ];
  const references = statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]);
  return { ...Object.fromEntries(references), default: { $ref: '#/components/responses/failure' } } as Readonly<
    Record<string, object>
  >;
}
