/** Operations inside of a request: found by the same matching as requests, and invoked with their hooks. */
import { setMaxListeners } from 'node:events';
import type { Request, Response } from 'express';
import type { Caller } from '../context.ts';
import { badPath, conflict, wrongMethod } from '../errors.ts';
import type { Answer } from '../operations/answer.ts';
import type { PartAnswer, PartRequest, Parts } from '../operations/contract.ts';
import { shownId } from '../operations/idempotency.ts';
import { type Invoke, prepare } from '../operations/invoke.ts';
import type { Operation } from '../operations/operation.ts';
import { shapeValue } from '../policy/shape.ts';
import { isCredential } from '../query/parameter-table.ts';
import type { Services } from '../services.ts';
import { envelopeOf, failureFrom, logFailure, requestId } from './failures.ts';
import { hooksOf } from './hooks.ts';
import { closePart, partRequest, partResponse } from './part-request.ts';
import { type Found, Paths } from './paths.ts';
import { parametersOf } from './query-string.ts';

interface Prepared {
  readonly operation: Operation;
  readonly invoke: Invoke;
  readonly hooks: ReturnType<typeof hooksOf>;
}

interface Matched extends Prepared {
  readonly params: Readonly<Record<string, string>>;
}

/** @throws 400 for a path that no operation has, 405 */
type Match = (method: string, path: string) => Matched;

/** Prepares operations to be parts of requests. */
export function preparePartOperations(
  operations: readonly Operation[],
  services: Services,
): (req: Request, res: Response, caller: Caller) => Parts {
  const { max_time_ms: limit } = services.settings.query_limits;
  const match = matcherOf(
    operations.map((operation) => ({
      operation,
      invoke: prepare(operation, services),
      hooks: hooksOf(operation.hook, services.config, limit),
    })),
  );
  return (req, res, caller) => ({
    check(method, path) {
      match(method, path);
      refuseCredentials(path);
    },
    async invoke(request, unit) {
      const part = match(request.method, request.path);
      const answer = await invokePart(part, request, { ...caller, unit }, [req, res]);
      const { model = '', id } = part.params;
      return {
        status: answer.status,
        body: answer.value,
        subject: { model: services.registry.get(model), id: shownId(answer, id) },
      };
    },
    failureFrom,
    refuse(thrown, { method, path }): PartAnswer {
      const failure = failureFrom(thrown);
      const id = requestId(res);
      logFailure(services.log, { id, method, path }, failure);
      return { status: failure.status, body: shapeValue(envelopeOf(failure, id)) };
    },
  });
}

function matcherOf(all: readonly Prepared[]): Match {
  const byPath = new Map<string, Prepared[]>();
  for (const one of all) {
    const { path } = one.operation.http;
    byPath.set(path, [...(byPath.get(path) ?? []), one]);
  }
  const paths = new Paths(byPath);
  return (method, url) => {
    const found = pathIn(paths, url);
    if (found === undefined) throw badPath(`${JSON.stringify(url.slice(0, 100))} is not a path of a write`);
    const { value: candidates, params } = found;
    const prepared = candidates.find(({ operation }) => operation.http.method === method);
    if (prepared !== undefined) return { ...prepared, params };
    throw wrongMethod(
      method,
      candidates.map(({ operation }) => operation.http.method),
    );
  };
}

/** What belongs to the path of a URL; undefined for one that is unknown or not percent-encoded correctly. */
function pathIn<T>(paths: Paths<T>, url: string): Found<T> | undefined {
  try {
    return paths.find(url.split('?', 1)[0] ?? '');
  } catch {
    return undefined;
  }
}

/** @throws 400 for a credential, which would have no effect: all operations run as the caller of the request */
function refuseCredentials(url: string): void {
  const names = (url.split('?', 2)[1] ?? '').split('&').map((pair) => nameOf(pair.split('=', 1)[0] ?? ''));
  const credential = names.find(isCredential);
  if (credential === undefined) return;
  const name = JSON.stringify(credential.slice(0, 20));
  throw badPath(`${name} is a credential: send it with the batch, whose operations all run as its caller`);
}

/** A name with wrong encoding is refused where the operation is invoked. */
function nameOf(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

type JsonAnswer = Extract<Answer, { kind: 'json' }>;

async function invokePart(
  { invoke, operation, hooks, params }: Matched,
  { method, path: url, body, headers: own }: PartRequest,
  caller: Caller,
  [req, res]: readonly [Request, Response],
): Promise<JsonAnswer> {
  const { 'if-match': _, 'idempotency-key': __, 'content-length': ___, ...headers } = req.headers;
  const request = {
    params,
    query: parametersOf(url),
    body,
    url,
    headers: { ...headers, 'content-type': 'application/json', ...own },
  };
  const inner = { ...caller, stop: stopWith(caller.stop.signal) };
  if (hooks === undefined) return ofJson(await invoke(request, inner));
  const ownReq = partRequest(req, method, request);
  const ownRes = partResponse(res, ownReq);
  try {
    const answer = await invoke(request, inner, hooks(ownReq, ownRes));
    if (answer !== undefined) return ofJson(answer);
    throw conflict(`pre_hooks.${operation.hook ?? ''} answers ${method} ${url} itself, which a batch cannot contain`);
  } finally {
    closePart(ownRes);
  }
}

/** A part has a time limit of its own; it also stops with the whole request. */
function stopWith(outer: AbortSignal): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  if (outer.aborted) controller.abort();
  else outer.addEventListener('abort', () => controller.abort(), { once: true });
  return controller;
}

function ofJson(answer: Answer | undefined): JsonAnswer {
  if (answer?.kind !== 'json') throw new Error('a write must answer with JSON');
  return answer;
}
