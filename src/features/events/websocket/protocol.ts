/** The messages of the WebSocket: parses requests, and formats answers, errors and events (docs/realtime.md). */
import { badRequest, Failure, fromDatabase } from '../../../core.ts';
import { checkJson } from '../../../models/fields/values/exact-json.ts';
import { parseExactly } from '../../../models/fields/values/exact-json.ts';
import { isObject } from '../../../models/plain-object.ts';
import { whereNotJson } from '../../../text/json-fault.ts';

export interface Message {
  readonly action: string;
  readonly msg_id: string | number;
  readonly data: Readonly<Record<string, unknown>>;
}

const maxIdLength = 200;

/** The action and the id of an invalid message, as far as they are usable. */
export interface Reference {
  readonly action: string | undefined;
  readonly msg_id: string | number | undefined;
}

/** The reference of any received value. */
export function referenceOf(value: unknown): Reference {
  const { action, msg_id } = (isObject(value) ? value : {}) as { action?: unknown; msg_id?: unknown };
  return {
    action: typeof action === 'string' && action.length <= maxIdLength ? action : undefined,
    msg_id: isId(msg_id) ? msg_id : undefined,
  };
}

/** A text that is not JSON. */
class Malformed {
  constructor(
    readonly text: string,
    readonly failure: Failure | undefined,
  ) {}
}

/** Parses JSON. `messageFrom` refuses the value of a text that is invalid. */
export function fromText(text: string): unknown {
  try {
    return parseExactly(text, JSON.parse);
  } catch (error) {
    return new Malformed(text, error instanceof Failure ? error : undefined);
  }
}

/** @throws Failure 400 with the reason */
export function messageFrom(value: unknown): Message {
  if (value instanceof Malformed)
    throw value.failure ?? badRequest(`a message must be a JSON object${whereNotJson(value.text)}`);
  if (!isObject(value)) throw badRequest('a message must be a JSON object');
  const { action, msg_id } = referenceOf(value);
  if (action === undefined) throw badRequest('a message must have an action');
  if (msg_id === undefined) throw badRequest('a message must have a msg_id: a short string or a number');
  const data = value['data'] ?? {};
  if (!isObject(data)) throw badRequest('data must be an object');
  checkJson(data, 'data');
  return { action, msg_id, data };
}

const isId = (value: unknown): value is string | number =>
  (typeof value === 'string' && value.length <= maxIdLength) || (typeof value === 'number' && Number.isFinite(value));

export const successMessage = ({ action, msg_id }: Message, client: string, result: unknown): string =>
  JSON.stringify({ action, status: 'okay', msg_id, client_id: client, result });

/** An error answer: the reason without its cause. */
export function refusalMessage({ action, msg_id }: Reference, client: string, thrown: unknown): string {
  const failure = fromDatabase(thrown);
  const message =
    failure instanceof Failure ? `${failure.message}: ${failure.reason}` : 'something went wrong on the server';
  return JSON.stringify({
    action: action ?? null,
    status: 'error',
    msg_id: msg_id ?? null,
    client_id: client,
    message,
  });
}

/** The error that reports subscriptions ended by the server, which answers no message. */
export const dropMessage = (subscriptions: readonly string[], message: string, client: string): string =>
  JSON.stringify({
    action: 'unsubscribe',
    status: 'error',
    msg_id: null,
    client_id: client,
    result: { unsubscribed: subscriptions },
    message,
  });

/** The position after everything that was sent: between events, a client that resumes need not go back further. */
export const positionMessage = (position: string, client: string): string =>
  JSON.stringify({ client_id: client, position });

/** All documents have been sent that a subscription begins with. */
export const readyMessage = (subscription: string, position: string, client: string): string =>
  JSON.stringify({ client_id: client, ready: subscription, position });

/** The bytes before and after the data of an event. */
export const aroundEvent = (client: string): readonly [Buffer, Buffer] => [
  Buffer.from(`{"client_id":"${client}","data":`),
  Buffer.from('}'),
];
