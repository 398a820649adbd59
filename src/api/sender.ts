/** Sends the requests of `api` to the operations of this server. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Call, Sender } from 'dossier-client';
import type { Sequence } from '../async/sequence.ts';
import { anyOf } from '../async/signals.ts';
import { turnForJson } from '../async/yield.ts';
import type { Caller } from '../context.ts';
import { Failure, internal } from '../errors/errors.ts';
import { fromJson } from '../http/body.ts';
import { detachedRequest } from '../http/detached-request.ts';
import type { InnerOperations } from '../http/inner-operations.ts';
import { type Answer, valueOf, type Whole } from '../operations/answer.ts';
import type { PendingEntries } from '../outbox/contract.ts';
import type { Principal } from '../policy/principal.ts';
import { errorOfOperation } from './errors.ts';
import type { MarkAnswer } from './marked-answers.ts';

/** On whose behalf, and inside of what, an `api` acts. */
export interface ApiCaller extends Pick<Caller, 'address' | 'ip' | 'unit' | 'progress' | 'requestId'> {
  /** The principal, which is looked up once for each call. */
  readonly identify: () => Promise<Principal>;
  /** The caller that causes it, also where it acts as another one. */
  readonly cause: Principal;
  /** The headers of the enclosing request, which hooks may read. */
  readonly headers: IncomingHttpHeaders;
  /** Aborted when the enclosing request is; undefined without one. */
  readonly signal: AbortSignal | undefined;
  /** How many calls of `api` each call is inside of, itself included; 0 for what is no call of `api`. */
  readonly depth: number;
  /** Receives the jobs of a run that is no unit of work; undefined where they are written at once. */
  readonly pending: PendingEntries | undefined;
  /** Runs the calls in a transaction one after the other, as its session does. */
  readonly sequence: Sequence | undefined;
}

/** The operations that are invoked, and what marks the documents in their answers. */
export interface ApiOperations extends InnerOperations {
  readonly mark: MarkAnswer;
}

/** Calls inside of each other, which hooks and functions may cause without end. */
const maxDepth = 10;

/** @param maxBytes of an answer that is no JSON */
export function senderFor(operations: () => ApiOperations, caller: ApiCaller, maxBytes: number): Sender {
  const invoke = async <Result>(
    call: Call,
    read: (answer: Whole, invoked: Invoked) => Promise<Result>,
  ): Promise<Result> => {
    try {
      const principal = await caller.identify();
      const invoked = { ...operations().find(call.method, call.path), principal };
      return await read(wholeAnswer(call, await invokeCall(operations(), invoked, caller, call)), invoked);
    } catch (error) {
      call.signal?.throwIfAborted();
      throw errorOfOperation(error);
    }
  };
  const inOrder: typeof invoke = (call, read) =>
    caller.sequence === undefined ? invoke(call, read) : caller.sequence.run(() => invoke(call, read));
  return {
    json: <Value>(call: Call) =>
      inOrder(call, async (answer, { operation, params, principal }) => {
        // as JSON carries it: documents are copies with texts for ids and dates
        const text = JSON.stringify(await valueOf(answer, maxBytes));
        await turnForJson(text.length);
        const value = JSON.parse(text) as Value;
        const { status = 200 } = answer;
        const { body } = call;
        operations().mark(value, { operation, status, model: params['model'], body, reader: principal });
        return value;
      }),
    text: (call) => inOrder(call, async (answer) => String(await valueOf(answer, maxBytes))),
  };
}

/** What is invoked, and as whom. */
type Invoked = ReturnType<InnerOperations['find']> & { readonly principal: Principal };

async function invokeCall(operations: InnerOperations, invoked: Invoked, from: ApiCaller, call: Call): Promise<Answer> {
  const { principal } = invoked;
  const { address, ip, unit, progress, requestId, headers, depth, identify } = from;
  const { method, path, body, type, headers: own } = call;
  if (depth > maxDepth) throw internal(new Error(`${method} ${path}: api is called inside of ${maxDepth} other calls`));
  const controller = new AbortController();
  const outer = [from.signal, call.signal].filter((signal) => signal !== undefined);
  const stop = {
    signal: anyOf(...outer, controller.signal),
    abort: () => controller.abort(),
  };
  const request = {
    method,
    path,
    body: body === undefined ? undefined : await copyOf(body),
    headers: { ...own, ...(type === undefined ? {} : { 'content-type': type }) },
  };
  const caller = { principal, verify: identify, address, ip, stop, unit, progress, requestId, depth };
  const detached = { headers, request: () => detachedRequest(from) };
  return operations.invoke(invoked, request, caller, detached);
}

/** A body as JSON carries it. As that of a request, a large one is parsed in a turn, and its operation runs in a later one. @throws 400 */
async function copyOf(body: unknown): Promise<unknown> {
  const text = JSON.stringify(body);
  await turnForJson(text.length);
  const copy = fromJson(text);
  await turnForJson(text.length);
  return copy;
}

function wholeAnswer({ method, path }: Call, answer: Answer): Whole {
  if (answer.kind === 'redirect' || answer.kind === 'stream')
    throw new Failure(400, 'Bad request', `${method} ${path} does not answer with data`);
  return answer;
}
