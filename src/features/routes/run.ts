/** Runs the handler of a route for a request. */
import { programLog } from '../../api/programs.ts';
import { type Answer, type Context, data, Failure, fromApi, fromDatabase } from '../../core.ts';
import type { RouteInput } from '../../define/contract.ts';
import { isReply } from '../../define/index.ts';
import { internal } from '../../errors/errors.ts';
import { refusalFailure } from '../../models/mongoose/model-code-errors.ts';
import { callerForProject } from '../../policy/principal.ts';
import { resultViewOf } from '../../policy/result-view.ts';
import { shapeResult } from '../../policy/shape.ts';
import type { CheckedRoute } from './definition.ts';
import { inputOf, type Schemas } from './input.ts';
import { answerOf } from './reply.ts';

/** @throws 400 for what does not fit the schemas, and the failure for what the handler throws */
export async function runRoute(route: CheckedRoute, schemas: Schemas, context: Context): Promise<Answer> {
  const input = { ...(await inputOf(schemas, context)), ...givenBy(route, context) };
  try {
    const result: unknown = await route.handler(input);
    if (isReply(result)) return await answerOf(result);
    if (isStream(result)) throw new TypeError(`${route.name}: a stream is the body of reply({ body })`);
    return data(shapeResult(result ?? null, resultViewOf(context.principal)));
  } catch (error) {
    throw failureOf(error);
  }
}

/** What a handler receives besides the checked parts of the request. */
function givenBy({ name }: CheckedRoute, context: Context): Omit<RouteInput, 'params' | 'query' | 'body'> {
  const { services, principal, headers, requestId: id } = context;
  return {
    caller: callerForProject(principal),
    headers: { ...headers },
    api: services.apis.of(context),
    log: programLog(services.log, { ...(id === undefined ? {} : { id }), route: name }),
    signal: context.signal,
  };
}

const isStream = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && Symbol.asyncIterator in result;

/**
 * The failure for what a handler throws: that of the operation of `api` that it has let pass, one with the `statusCode` of the error, or
 * one that reveals nothing.
 */
function failureOf(thrown: unknown): Failure {
  const known = fromApi(fromDatabase(thrown));
  if (known instanceof Failure) return known;
  const { statusCode, expose, message } = (typeof known === 'object' && known !== null ? known : {}) as Readonly<
    Record<string, unknown>
  >;
  if (!Number.isInteger(statusCode) || Number(statusCode) < 400 || Number(statusCode) > 599) return internal(thrown);
  const reason = expose === true && typeof message === 'string' ? message : 'the route refuses this';
  return refusalFailure(Number(statusCode), reason, thrown);
}
