/** Invokes the operations of this server for `api`, by their names and with values. */
import type { IncomingHttpHeaders } from 'node:http';
import type { OperationCall, Sender } from 'dossier-client';
import type { Sequence } from '../async/sequence.ts';
import { InnerStop } from '../async/signals.ts';
import { turnForJson } from '../async/yield.ts';
import type { Caller } from '../context.ts';
import { Failure, internal } from '../errors/errors.ts';
import { bodyCopy, jsonCopy } from '../models/fields/values/json-copy.ts';
import { type Answer, type HookableAnswer, valueOf } from '../operations/answer.ts';
import type { InnerOperations } from '../operations/inner-request.ts';
import type { Operation } from '../operations/operation.ts';
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
    call: OperationCall,
    read: (answer: HookableAnswer, invoked: Invoked) => Promise<Result>,
  ): Promise<Result> => {
    try {
      const principal = await caller.identify();
      const invoked = { operation: operations().named(call.operation), principal };
      return await read(wholeAnswer(call, await invokeCall(operations(), invoked, caller, call)), invoked);
    } catch (error) {
      call.signal?.throwIfAborted();
      throw errorOfOperation(error);
    }
  };
  const inOrder: typeof invoke = (call, read) =>
    caller.sequence === undefined ? invoke(call, read) : caller.sequence.run(() => invoke(call, read));
  return {
    json: <Value>(call: OperationCall) =>
      inOrder(call, async (answer, { operation, principal }) => {
        const value = await ownValue(answer, maxBytes);
        const { status = 200 } = answer;
        const { body, params } = call;
        operations().mark(value, { operation, status, model: modelIn(params), body, reader: principal });
        return value as Value;
      }),
    text: (call) => inOrder(call, async (answer) => String(await valueOf(answer, maxBytes))),
  };
}

/** The value of an answer as JSON carries it, which no one else has: texts for ids and dates. */
async function ownValue(answer: HookableAnswer, maxBytes: number): Promise<unknown> {
  const value = await valueOf(answer, maxBytes);
  // bytes are parsed for this caller alone
  if (answer.kind === 'bytes') return value;
  const copy = jsonCopy(value);
  await turnForJson(copy.length);
  return copy.value;
}

/** What is invoked, and as whom. */
interface Invoked {
  readonly operation: Operation;
  readonly principal: Principal;
}

async function invokeCall(
  operations: InnerOperations,
  { operation, principal }: Invoked,
  from: ApiCaller,
  call: OperationCall,
): Promise<Answer> {
  const { address, ip, unit, progress, requestId, depth, identify } = from;
  const { parameters = [], body, type, headers } = call;
  if (depth > maxDepth) throw internal(new Error(`${call.operation}: api is called inside of ${maxDepth} other calls`));
  const stop = new InnerStop(() => [from.signal, call.signal].filter((signal) => signal !== undefined));
  const request = {
    params: textsOf(call.params),
    parameters,
    body: body === undefined ? undefined : await copyOf(body),
    headers: { ...headers, ...(type === undefined ? {} : { 'content-type': type }) },
  };
  const caller = { principal, verify: identify, address, ip, stop, unit, progress, requestId, depth };
  return operations.invoke(operation, request, caller, from);
}

const textsOf = (params: OperationCall['params']): Readonly<Record<string, string>> => {
  const texts: Record<string, string> = {};
  for (const name of Object.keys(params)) texts[name] = String(params[name]);
  return texts;
};

/** The name of the model that an operation is of. */
const modelIn = ({ model }: OperationCall['params']): string | undefined =>
  model === undefined ? undefined : String(model);

/** A body as JSON carries it. As that of a request, the operation of a large one runs in a later turn. @throws 400 */
async function copyOf(body: unknown): Promise<unknown> {
  const { value, length } = bodyCopy(body);
  await turnForJson(length);
  return value;
}

function wholeAnswer({ operation }: OperationCall, answer: Answer): HookableAnswer {
  if (answer.kind === 'redirect' || answer.kind === 'stream')
    throw new Failure(400, 'Bad request', `${operation} does not answer with data`);
  return answer;
}
