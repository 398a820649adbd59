/** Operations that are invoked inside of the server: found by the same matching as requests, and invoked with their hooks. */
import type { Request, Response } from 'express';
import { anyOf } from '../async/signals.ts';
import type { Caller, Request as PlainRequest } from '../context.ts';
import { badPath, conflict, wrongMethod } from '../errors/errors.ts';
import type { Answer } from '../operations/answer.ts';
import type { PartRequest, Parts } from '../operations/contract.ts';
import type { InvokeServices } from '../operations/interceptor.ts';
import { type Invoke, prepare } from '../operations/invoke.ts';
import type { Operation } from '../operations/operation.ts';
import { makeProgress } from '../write/progress.ts';
import { hooksOf } from './hooks.ts';
import { closeInner, innerRequest, innerResponse } from './inner-request.ts';
import { type Found, Paths } from './paths.ts';
import { parametersFor } from './query-string.ts';

/** Prepares the operations of which a request of an operation consists. */
type PrepareParts = (
  operations: readonly Operation[],
  services: InvokeServices,
) => (req: Request, res: Response, caller: Caller) => Parts;

interface Prepared {
  readonly operation: Operation;
  readonly invoke: Invoke;
  readonly parts: ReturnType<PrepareParts> | undefined;
  readonly hooks: ReturnType<typeof hooksOf>;
  readonly parameters: ReturnType<typeof parametersFor>;
}

interface Matched extends Prepared {
  readonly params: Readonly<Record<string, string>>;
}

/** The Express request and response that those of hooks are made from. */
type OuterRequest = () => readonly [Request, Response];

export interface InnerOperations {
  /** @throws 400 for a path that no operation has, 405 */
  find(method: string, path: string): Matched;
  /**
   * Invokes an operation with its own rights, hooks and time limit.
   * @param headers of the enclosing request @throws Failure, and what hooks and models throw
   */
  invoke(
    found: Matched,
    request: PartRequest,
    caller: Caller,
    outer: { readonly headers: Request['headers']; readonly request: OuterRequest },
  ): Promise<Answer>;
}

/** @param what a path is of, for the error of a wrong one @param prepareParts where an operation may have parts */
export function innerOperations(
  operations: readonly Operation[],
  services: InvokeServices,
  what: string,
  prepareParts?: PrepareParts,
): InnerOperations {
  const { max_time_ms: limit } = services.settings.query_limits;
  const byPath = new Map<string, Prepared[]>();
  for (const operation of operations) {
    const { path } = operation.http;
    const hooks = hooksOf(operation.hook, services.config, limit);
    const prepared = {
      operation,
      invoke: prepare(operation, services),
      hooks,
      parts: operation.parts === undefined ? undefined : prepareParts?.(operation.parts, services),
      parameters: parametersFor(operation, hooks),
    };
    byPath.set(path, [...(byPath.get(path) ?? []), prepared]);
  }
  const paths = new Paths(byPath);
  const ownHeaders = new Set([
    ...['if-match', 'if-none-match', 'content-length'],
    ...services.interceptors.map(({ header }) => header.toLowerCase()),
  ]);
  return { find: (method, url) => find(paths, method, url, what), invoke: invokerWithout(ownHeaders) };
}

function find(paths: Paths<readonly Prepared[]>, method: string, url: string, what: string): Matched {
  const found = pathIn(paths, url);
  if (found === undefined) throw badPath(`${JSON.stringify(url.slice(0, 100))} is not a path of ${what}`);
  const { value: candidates, params } = found;
  const prepared = candidates.find(({ operation }) => operation.http.method === method);
  if (prepared !== undefined) return { ...prepared, params };
  throw wrongMethod(
    method,
    candidates.map(({ operation }) => operation.http.method),
  );
}

/** What belongs to the path of a URL; undefined for one that is unknown or not percent-encoded correctly. */
function pathIn<T>(paths: Paths<T>, url: string): Found<T> | undefined {
  try {
    return paths.find(url.split('?', 1)[0] ?? '');
  } catch {
    return undefined;
  }
}

/** @param ownHeaders headers of the enclosing request that concern only that itself */
const invokerWithout =
  (ownHeaders: ReadonlySet<string>): InnerOperations['invoke'] =>
  (found, part, caller, outer) => {
    const { path: url, body, headers: own } = part;
    const headers = Object.fromEntries(Object.entries(outer.headers).filter(([name]) => !ownHeaders.has(name)));
    const request = {
      params: found.params,
      query: found.parameters(url),
      body,
      url,
      headers: { ...headers, 'content-type': 'application/json', ...own },
    };
    return invokeInner(found, { request, method: part.method }, caller, outer.request);
  };

async function invokeInner(
  { invoke, operation, hooks, parts }: Matched,
  { request, method }: { readonly request: PlainRequest; readonly method: string },
  caller: Caller,
  outer: OuterRequest,
): Promise<Answer> {
  const stopped = { ...caller, stop: stopWith(caller.stop.signal), progress: makeProgress(caller.progress) };
  if (hooks === undefined && parts === undefined) return answered(await invoke(request, stopped));
  const [outerReq, outerRes] = outer();
  const inner = parts === undefined ? stopped : { ...stopped, parts: parts(outerReq, outerRes, stopped) };
  if (hooks === undefined) return answered(await invoke(request, inner));
  const req = innerRequest(outerReq, method, request);
  const res = innerResponse(outerRes, req);
  try {
    const answer = await invoke(request, inner, hooks(req, res));
    if (answer !== undefined) return answer;
    throw conflict(
      `pre_hooks.${operation.hook ?? ''} answers ${method} ${request.url} itself, which only a request can have`,
    );
  } finally {
    closeInner(res);
  }
}

/** An operation has a time limit of its own; it also stops with what encloses it. */
function stopWith(outer: AbortSignal): Caller['stop'] {
  const own = new AbortController();
  const signal = anyOf(outer, own.signal);
  return { signal, abort: () => own.abort() };
}

function answered(answer: Answer | undefined): Answer {
  if (answer === undefined) throw new Error('an operation without hooks must answer');
  return answer;
}
