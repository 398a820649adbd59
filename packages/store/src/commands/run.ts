/** Runs one command: looks up its row, session and transaction, and waits for the write lock and the disk. */
import { notSupported, StoreError, unknownName } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import type { Engine } from '../engine/engine.ts';
import { LiveView } from '../engine/live-view.ts';
import type { Operation } from '../engine/operation.ts';
import type { Session } from '../engine/sessions.ts';
import type { View } from '../engine/view.ts';
import { WriteBatch } from '../engine/write-batch.ts';
import type { Reply, Request } from '../protocol.ts';
import { checkFields, countOf, flagOf, txnNumberOf } from './arguments.ts';
import { checkConcerns } from './concerns.ts';
import type { Client, Command, CommandKind, Context } from './context.ts';
import { commandNamed } from './index.ts';
import { originOf } from './origin.ts';
import { documentCheckOf } from './query-context.ts';
import { checkStableApi } from './stable-api.ts';
import { unsupportedCommands } from './unsupported.ts';
import { WriteProgress } from './write-progress.ts';

/** Fields that every command accepts. */
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

/** The accepted fields of each command, computed once. */
const knownFields = new WeakMap<Command, ReadonlySet<string>>();

function fieldsOf(command: Command): ReadonlySet<string> {
  const known =
    knownFields.get(command) ??
    new Set([command.name, ...(command.aliases ?? []), ...command.fields, ...generalFields]);
  knownFields.set(command, known);
  return known;
}

/** One call of a command: the request and what was resolved from it. */
interface Invocation {
  readonly engine: Engine;
  readonly client: Client;
  readonly request: Request;
  readonly command: Command;
  readonly kind: CommandKind;
  readonly db: string;
  readonly operation: Operation;
  readonly session: Session | undefined;
  /** The number of a retryable write or a transaction. */
  readonly txnNumber: bigint | undefined;
}

/** The part of an invocation that exists before the command is looked up. */
type Received = Pick<Invocation, 'engine' | 'client' | 'request' | 'operation'>;

/** The reply to a request; a failure is a reply too. */
export async function replyTo(
  engine: Engine,
  client: Client,
  request: Request,
  started: (operation: Operation) => void,
): Promise<Reply> {
  const name = Object.keys(request.body)[0] ?? '';
  const operation = engine.begin(originOf(client, request.body, name));
  started(operation);
  try {
    const reply = await run({ engine, client, request, operation }, name);
    return { ...reply, fields: { ...reply.fields, ok: 1, operationTime: engine.store.history.now } };
  } catch (error) {
    return { fields: failureFields(error) };
  } finally {
    engine.finish(operation);
  }
}

/** A failure as reply fields. An error that is not a StoreError is a bug and gets code 1. */
export function failureFields(error: unknown): Doc {
  const known =
    error instanceof StoreError ? error : new StoreError(1, error instanceof Error ? error.message : String(error));
  const details = known.details as Doc;
  return { ok: 0, errmsg: known.message, code: known.code, codeName: known.codeName, ...details };
}

async function run(received: Received, name: string): Promise<Reply> {
  const { engine, client, request, operation } = received;
  const { body } = request;
  const command = permittedCommand(name, client);
  engine.store.checkAlive();
  checkRequest(command, request, name);
  const db = body['$db'];
  if (typeof db !== 'string') throw new StoreError(40414, "BSON field '$db' is missing but a required field");
  operation.limitTime(name === 'getMore' ? 0 : countOf(body, 'maxTimeMS', 0));
  const invocation = {
    ...received,
    command,
    db,
    session: body['lsid'] === undefined ? undefined : engine.sessions.use(body['lsid']),
    kind: typeof command.kind === 'function' ? command.kind(body) : command.kind,
    txnNumber: txnNumberOf(body),
  };
  if (command.hasLongSteps?.(body) === true) await operation.enter();
  if (!flagOf(body, 'autocommit', true)) return runInTransaction(invocation);
  if (flagOf(body, 'startTransaction'))
    throw new StoreError(72, "Field 'startTransaction' is only valid with 'autocommit: false'");
  return runOutsideTransaction(invocation);
}

/** @throws StoreError 13, 59 or 115 for a command that the client cannot run */
function permittedCommand(name: string, { login }: Client): Command {
  const command = commandNamed(name);
  if (command === undefined) {
    if (unsupportedCommands.has(name) && !login.needed) throw notSupported(`the command '${name}'`);
    throw unknownName(59, `no such command: '${name}'`);
  }
  if (login.needed && command.beforeLogin !== true) {
    throw new StoreError(13, `Command ${command.name} requires authentication`);
  }
  return command;
}

/** @throws StoreError for fields, API versions and concerns that the command does not accept */
function checkRequest(command: Command, { body, sequences }: Request, name: string): void {
  checkFields(body, fieldsOf(command), name);
  checkStableApi(command, body);
  checkConcerns(command, body);
  for (const sequence of sequences.keys()) {
    if (!command.fields.includes(sequence))
      throw unknownName(40415, `BSON field '${name}.${sequence}' is an unknown field.`);
  }
}

function contextOf(invocation: Invocation, view: View, batch: WriteBatch, progress?: WriteProgress): Context {
  const { engine, client, request, db, operation, session } = invocation;
  const { body, sequences } = request;
  const context: Context = {
    engine,
    store: engine.store,
    client,
    body,
    sequences,
    db,
    operation,
    session,
    view,
    batch,
    progress,
    check: documentCheckOf(() => context, body),
  };
  return context;
}

async function runOutsideTransaction(invocation: Invocation): Promise<Reply> {
  const { engine, command, kind, session, txnNumber, operation } = invocation;
  if (kind === 'read' || kind === 'other') {
    const batch = new WriteBatch();
    return command.run(contextOf(invocation, new LiveView(engine.store, batch), batch));
  }
  const retry =
    kind === 'retryable write' && session !== undefined && txnNumber !== undefined
      ? { session, number: txnNumber }
      : undefined;
  return engine.write(async (batch, lock) => {
    const progress = new WriteProgress({ engine, operation, batch, lock, retry });
    const { earlier } = progress;
    if (earlier !== undefined && earlier.next === undefined) return { fields: earlier.fields };
    operation.checkTime();
    operation.resume();
    const reply = await command.run(contextOf(invocation, new LiveView(engine.store, batch), batch, progress));
    if (batch.writes > 0 || progress.begun) progress.keep({ fields: reply.fields });
    return reply;
  });
}

/** Runs a command in the session's transaction; a failure aborts the transaction. */
async function runInTransaction(invocation: Invocation): Promise<Reply> {
  const { engine, client, command, session, txnNumber, request } = invocation;
  if (session === undefined || txnNumber === undefined)
    throw new StoreError(72, 'a transaction requires an lsid and a txnNumber');
  if (command.inTransaction !== true) {
    throw new StoreError(263, `Cannot run '${command.name}' in a multi-document transaction.`);
  }
  if (command.kind === 'other') {
    const batch = new WriteBatch();
    return command.run(contextOf(invocation, new LiveView(engine.store, batch), batch));
  }
  const starting = flagOf(request.body, 'startTransaction');
  const transaction = starting ? engine.sessions.begin(session, txnNumber) : engine.sessions.open(session, txnNumber);
  transaction.sentBy = client;
  try {
    const reply = await command.run(contextOf(invocation, transaction, new WriteBatch()));
    if (reply.fields['writeErrors'] !== undefined) engine.sessions.abort(session);
    return reply;
  } catch (error) {
    engine.sessions.abort(session);
    throw error;
  }
}
