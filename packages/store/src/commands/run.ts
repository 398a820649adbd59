/** Runs one command: finds its row, its session and its transaction, waits for its turn and for the disk. */
import { notSupported, StoreError, unknownName } from 'dossier-language/errors';
import type { Engine } from '../engine/engine.ts';
import { LiveView } from '../engine/live-view.ts';
import type { Operation } from '../engine/operation.ts';
import type { Session } from '../engine/sessions.ts';
import { Unit } from '../engine/unit.ts';
import type { View } from '../engine/view.ts';
import type { Doc } from 'dossier-language/values';
import type { Request } from '../wire/message.ts';
import type { Reply } from '../wire/reply.ts';
import { bigOf, checkFields, countOf, flagOf } from './arguments.ts';
import type { Client, Command, CommandKind, Context } from './context.ts';
import { checkConcerns } from './concerns.ts';
import { commandNamed } from './index.ts';
import { checkStableApi } from './stable-api.ts';
import { unsupportedCommands } from './unsupported.ts';
import { WriteTurn } from './write-turn.ts';

/** Fields that every command takes. */
const generalFields = [
  '$db',
  'lsid',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'comment',
  '$readPreference',
  '$clusterTime',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  'stmtId',
  'stmtIds',
];

/** The fields of each command, made once for its row. */
const knownFields = new WeakMap<Command, ReadonlySet<string>>();

function fieldsOf(command: Command): ReadonlySet<string> {
  const known =
    knownFields.get(command) ??
    new Set([command.name, ...(command.aliases ?? []), ...command.fields, ...generalFields]);
  knownFields.set(command, known);
  return known;
}

/** What a command needs to know of how it was sent. */
interface Sent {
  readonly engine: Engine;
  readonly client: Client;
  readonly request: Request;
  readonly command: Command;
  readonly kind: CommandKind;
  readonly db: string;
  readonly operation: Operation;
  readonly session: Session | undefined;
  /** Number of a retryable write or a transaction. */
  readonly number: bigint | undefined;
}

/** The answer to a request; failures are answers too. */
export async function answer(
  engine: Engine,
  client: Client,
  request: Request,
  started: (operation: Operation) => void,
): Promise<Reply> {
  const name = Object.keys(request.body)[0] ?? '';
  const operation = engine.begin(commandNamed(name)?.name ?? 'unknown', namespaceOf(request.body, name));
  started(operation);
  try {
    const reply = await run(engine, client, request, name, operation);
    return { ...reply, fields: { ...reply.fields, ok: 1, operationTime: engine.store.history.now } };
  } catch (error) {
    return { fields: failure(error) };
  } finally {
    engine.finish(operation);
  }
}

/** What a command is about, for `currentOp`. */
function namespaceOf(body: Doc, name: string): string {
  const parts = [body['$db'], body[name]].filter((part) => typeof part === 'string');
  return parts.join('.');
}

/** A failure as an answer. What is not a StoreError is a fault of ours and is said as such. */
export function failure(error: unknown): Doc {
  const known =
    error instanceof StoreError ? error : new StoreError(1, error instanceof Error ? error.message : String(error));
  const details = known.details as Doc;
  return { ok: 0, errmsg: known.message, code: known.code, codeName: known.codeName, ...details };
}

async function run(
  engine: Engine,
  client: Client,
  request: Request,
  name: string,
  operation: Operation,
): Promise<Reply> {
  const { body } = request;
  const command = commandNamed(name);
  if (command === undefined) {
    if (unsupportedCommands.has(name) && !client.login.needed) throw notSupported(`the command '${name}'`);
    throw unknownName(59, `no such command: '${name}'`);
  }
  if (client.login.needed && command.beforeLogin !== true) {
    throw new StoreError(13, `Command ${command.name} requires authentication`);
  }
  engine.store.checkAlive();
  checkFields(body, fieldsOf(command), name);
  checkStableApi(command, body);
  checkConcerns(command, body);
  for (const sequence of request.sequences.keys()) {
    if (!command.fields.includes(sequence))
      throw unknownName(40415, `BSON field '${name}.${sequence}' is an unknown field.`);
  }
  const db = body['$db'];
  if (typeof db !== 'string') throw new StoreError(40414, "BSON field '$db' is missing but a required field");
  operation.limitTime(name === 'getMore' ? 0 : countOf(body, 'maxTimeMS', 0));
  const session = body['lsid'] === undefined ? undefined : engine.sessions.use(body['lsid']);
  const kind = typeof command.kind === 'function' ? command.kind(body) : command.kind;
  const sent = { engine, client, request, command, kind, db, operation, session, number: bigOf(body['txnNumber']) };
  if (!flagOf(body, 'autocommit', true)) return runInTransaction(sent);
  if (flagOf(body, 'startTransaction'))
    throw new StoreError(72, "Field 'startTransaction' is only valid with 'autocommit: false'");
  return runAlone(sent);
}

const contextOf = (sent: Sent, view: View, unit: Unit, turn?: WriteTurn): Context => ({
  engine: sent.engine,
  store: sent.engine.store,
  client: sent.client,
  body: sent.request.body,
  sequences: sent.request.sequences,
  db: sent.db,
  operation: sent.operation,
  session: sent.session,
  view,
  unit,
  turn,
});

async function runAlone(sent: Sent): Promise<Reply> {
  const { engine, command, kind, session, number, operation } = sent;
  if (kind === 'read' || kind === 'other') {
    const unit = new Unit();
    return command.run(contextOf(sent, new LiveView(engine.store, unit), unit));
  }
  const retry = kind === 'write' && session !== undefined && number !== undefined ? { session, number } : undefined;
  return engine.write(async (unit, turn) => {
    const own = new WriteTurn({ engine, operation, unit, turn, retry });
    const { earlier } = own;
    if (earlier !== undefined && earlier.next === undefined) return { fields: earlier.fields };
    operation.checkTime();
    operation.resume();
    const reply = await command.run(contextOf(sent, new LiveView(engine.store, unit), unit, own));
    if (unit.writes > 0 || own.begun) own.keep({ fields: reply.fields });
    return reply;
  });
}

/** Runs a command in the session's transaction; a failure ends the transaction. */
async function runInTransaction(sent: Sent): Promise<Reply> {
  const { engine, command, session, number, request } = sent;
  if (session === undefined || number === undefined)
    throw new StoreError(72, 'a transaction needs a session and a number');
  if (command.inTransaction !== true) {
    throw new StoreError(263, `Cannot run '${command.name}' in a multi-document transaction.`);
  }
  if (command.kind === 'other') return command.run(contextOf(sent, new LiveView(engine.store, new Unit()), new Unit()));
  const starting = flagOf(request.body, 'startTransaction');
  const transaction = starting ? engine.sessions.begin(session, number) : engine.sessions.open(session, number);
  try {
    const reply = await command.run(contextOf(sent, transaction, new Unit()));
    if (reply.fields['writeErrors'] !== undefined) engine.sessions.abort(session);
    return reply;
  } catch (error) {
    engine.sessions.abort(session);
    throw error;
  }
}
