/** The operations of a server, each prepared once: for requests, for the parts of requests, and for `api`. */
import type { Request, Response } from 'express';
import { InnerStop } from '../async/signals.ts';
import type { Caller, Request as PlainRequest } from '../context.ts';
import { conflict } from '../errors/errors.ts';
import type { Answer } from '../operations/answer.ts';
import type { Parts } from '../operations/contract.ts';
import type { InvokeServices } from '../operations/interceptor.ts';
import { type Invoke, prepare } from '../operations/invoke.ts';
import type { Operation } from '../operations/operation.ts';
import { makeProgress } from '../write/progress.ts';
import { hooksOf } from './hooks.ts';
import { innerExchange } from './inner-request.ts';

export interface PreparedOperation {
  readonly operation: Operation;
  readonly invoke: Invoke;
  readonly hooks: ReturnType<typeof hooksOf>;
}

/** By server, and there by method and path. */
const prepared = new WeakMap<InvokeServices, Map<string, PreparedOperation>>();

export function preparedOperation(operation: Operation, services: InvokeServices): PreparedOperation {
  const known = prepared.get(services) ?? new Map<string, PreparedOperation>();
  prepared.set(services, known);
  const key = `${operation.http.method} ${operation.http.path}`;
  const made = known.get(key) ?? {
    operation,
    invoke: prepare(operation, services),
    hooks: hooksOf(operation.hook, services.config, services.settings.query_limits.max_time_ms),
  };
  known.set(key, made);
  return made;
}

/** The request that an operation is invoked inside of. */
export interface EnclosingRequest {
  readonly headers: Request['headers'];
  /** The Express request and response that those of hooks are made from, when a hook looks at them. */
  readonly express: () => readonly [Request, Response];
}

/** Makes the parts of a request of an operation. */
export type MakeParts = (enclosing: EnclosingRequest, caller: Caller) => Parts;

/**
 * The headers of an operation that a request encloses, for a server: its own, and those of the request that do not concern only that itself.
 */
export function innerHeaders({ interceptors }: Pick<InvokeServices, 'interceptors'>) {
  const ofRequest = new Set([
    ...['if-match', 'if-none-match', 'content-length'],
    ...interceptors.map(({ header }) => header.toLowerCase()),
  ]);
  return (outer: Request['headers'], own: Request['headers']): Request['headers'] => {
    const headers: Request['headers'] = {};
    for (const [name, value] of Object.entries(outer)) if (!ofRequest.has(name)) headers[name] = value;
    headers['content-type'] = 'application/json';
    return Object.assign(headers, own);
  };
}

/**
 * Invokes an operation inside of a request, with its own rights, hooks and time limit.
 * @throws Failure, and what hooks and models throw
 */
export async function invokeInside(
  { operation, invoke, hooks }: PreparedOperation,
  request: PlainRequest,
  caller: Caller,
  { parts, ...enclosing }: EnclosingRequest & { readonly parts?: MakeParts | undefined },
): Promise<Answer> {
  // it has a time limit of its own, and also stops with what encloses it
  const stop = new InnerStop(() => [caller.stop.signal]);
  const stopped = { ...caller, stop, progress: makeProgress(caller.progress) };
  const inner = parts === undefined ? stopped : { ...stopped, parts: parts(enclosing, stopped) };
  if (hooks === undefined) return answered(await invoke(request, inner));
  const exchange = innerExchange(enclosing.express, operation.http.method, request);
  try {
    const answer = await invoke(request, inner, hooks(exchange));
    if (answer !== undefined) return answer;
    throw conflict(
      `pre_hooks.${operation.hook ?? ''} answers ${operation.http.method} ${request.url} itself, which only a request can have`,
    );
  } finally {
    exchange.close();
  }
}

function answered(answer: Answer | undefined): Answer {
  if (answer === undefined) throw new Error('an operation without hooks must answer');
  return answer;
}
