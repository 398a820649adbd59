/** `currentOp` and `killOp`: running commands. */
import { hostname } from 'node:os';
import { EJSON } from 'bson';
import { notSupported, StoreError } from 'dossier-language/errors';
import { type Doc, encode, isDoc, toDouble } from 'dossier-language/values';
import type { Operation } from '../engine/operation.ts';
import { sessionKey, shownSession } from '../engine/sessions.ts';
import type { Reply } from '../protocol.ts';
import { flagOf } from './arguments.ts';
import { ownerOf } from './authentication.ts';
import type { Client, Command, Context } from './context.ts';

/** MongoDB's names of commands that have one of their own; all others are a `command`. */
const operations: ReadonlyMap<string, string> = new Map([
  ['find', 'query'],
  ['getMore', 'getmore'],
  ['insert', 'insert'],
  ['update', 'update'],
  ['delete', 'remove'],
]);

/** Bytes of a command that `currentOp` shows, and maximum bytes that `$currentOp` shows of each. */
const shortBytes = 1000;
const longBytes = 1024 * 1024;

/** How to describe operations. */
export interface Description {
  /** Shows only the beginning of a long command, as text. */
  readonly isShort: boolean;
  readonly client: Client;
}

/** An operation as `currentOp` reports it. */
export function describeOperation(operation: Operation, { isShort, client: asking }: Description): Doc {
  const { name, ns, command, client } = operation.origin;
  const { metadata } = client;
  const { application } = metadata ?? {};
  const { microseconds } = operation;
  return {
    type: 'op',
    host: hostname(),
    desc: `conn${client.id}`,
    connectionId: client.id,
    client: client.address,
    ...(isDoc(application) && typeof application['name'] === 'string' ? { appName: application['name'] } : {}),
    ...(metadata ? { clientMetadata: metadata } : {}),
    active: true,
    currentOpTime: new Date().toISOString(),
    ...lsidOf(command, asking),
    opid: operation.id,
    secs_running: Math.floor(microseconds / 1_000_000),
    microsecs_running: BigInt(microseconds),
    op: operations.get(name) ?? 'command',
    ns,
    redacted: false,
    command: shownCommand(command, isShort ? shortBytes : longBytes),
  };
}

/** The session of a command. Every session is one of the store's account. */
function lsidOf({ lsid }: Doc, client: Client): Doc {
  try {
    return lsid === undefined ? {} : { lsid: shownSession({ key: sessionKey(lsid) }, ownerOf(client.login)) };
  } catch {
    // the command is refused for its session
    return {};
  }
}

/** A command, or the beginning of its text with its comment if it is longer than `maxBytes`. */
function shownCommand(command: Doc, maxBytes: number): Doc {
  try {
    encode(command, maxBytes, maxBytes);
    return command;
  } catch {
    const { comment } = command;
    return { $truncated: beginningOf(command, maxBytes), ...(comment === undefined ? {} : { comment }) };
  }
}

/** The text of the first fields of a command; a field that alone is too long is shown as `...`. */
function beginningOf(command: Doc, maxBytes: number): string {
  const shown: Record<string, unknown> = {};
  let left = Math.min(maxBytes, shortBytes);
  for (const [name, value] of Object.entries(command)) {
    try {
      left -= encode({ [name]: value }, left, left).length;
      shown[name] = value;
    } catch {
      shown[name] = '...';
    }
  }
  return EJSON.stringify(shown, { relaxed: true }).slice(0, shortBytes);
}

/** The running commands: all, or those of the asking connection. */
export const operationsOf = ({ engine, client }: Context, own: boolean): readonly Operation[] =>
  engine.operations.filter(({ origin }) => !own || origin.client.id === client.id);

const currentOp = (context: Context): Reply => {
  const { client, body } = context;
  if (flagOf(body, '$all')) throw notSupported("the option '$all' of currentOp");
  const found = operationsOf(context, flagOf(body, '$ownOps'));
  return { fields: { inprog: found.map((operation) => describeOperation(operation, { isShort: true, client })) } };
};

function killOp({ engine, body }: Context): Reply {
  const id = toDouble(body['op']);
  if (id === undefined) throw new StoreError(40414, "BSON field 'killOp.op' is missing but a required field");
  engine.kill(id);
  return { fields: { info: 'attempting to kill op' } };
}

/** The commands of this file. */
export const operationCommands: readonly Command[] = [
  {
    name: 'currentOp',
    summary: 'Lists the running commands',
    fields: ['$all', '$ownOps'],
    kind: 'other',
    run: currentOp,
  },
  { name: 'killOp', summary: 'Interrupts a command', fields: ['op'], kind: 'other', run: killOp },
];
