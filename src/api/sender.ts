/** Sends the requests of `api` to the operations of this server. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Call, Sender } from 'dossier-client';
import type { Sequence } from '../async/sequence.ts';
import { anyOf } from '../async/signals.ts';
import type { Caller } from '../context.ts';
import { Failure, internal } from '../errors.ts';
import { fromJson } from '../http/body.ts';
import { detachedRequest } from '../http/detached-request.ts';
import type { InnerOperations } from '../http/inner-operations.ts';
import { type Answer, valueOf } from '../operations/answer.ts';
import type { PendingEntries } from '../outbox/contract.ts';
import type { Principal } from '../policy/principal.ts';
import { errorOfOperation } from './errors.ts';

/** On whose behalf, and inside of what, an `api` acts. */
export interface ApiCaller extends Pick<Caller, 'address' | 'ip' | 'unit' | 'progress' | 'requestId'> {
  /** The principal, which is looked up once for each call. */
  readonly identify: () => Promise<Principal>;
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

/** Calls inside of each other, which hooks and functions may cause without end. */
const maxDepth = 10;

/** @param maxBytes of an answer that is no JSON */
export function senderFor(operations: () => InnerOperations, caller: ApiCaller, maxBytes: number): Sender {
  const invoke = async (call: Call): Promise<unknown> => {
    try {
      return await valueOf(wholeAnswer(call, await invokeCall(operations(), caller, call)), maxBytes);
    } catch (error) {
      call.signal?.throwIfAborted();
      throw errorOfOperation(error);
    }
  };
  const inOrder = (call: Call): Promise<unknown> =>
    caller.sequence === undefined ? invoke(call) : caller.sequence.run(() => invoke(call));
  return {
    // as JSON carries it: documents are copies with texts for ids and dates
    json: async <Value>(call: Call) => JSON.parse(JSON.stringify(await inOrder(call))) as Value,
    text: async (call) => String(await inOrder(call)),
  };
}

async function invokeCall(operations: InnerOperations, from: ApiCaller, call: Call): Promise<Answer> {
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
    body: body === undefined ? undefined : fromJson(JSON.stringify(body)),
    headers: { ...own, ...(type === undefined ? {} : { 'content-type': type }) },
  };
  const caller = { principal: await identify(), verify: identify, address, ip, stop, unit, progress, requestId, depth };
  const detached = { headers, request: () => detachedRequest(from) };
  return operations.invoke(operations.find(method, path), request, caller, detached);
}

function wholeAnswer({ method, path }: Call, answer: Answer): Exclude<Answer, { kind: 'redirect' | 'stream' }> {
  if (answer.kind === 'redirect' || answer.kind === 'stream')
    throw new Failure(400, 'Bad request', `${method} ${path} does not answer with data`);
  return answer;
}
