/** Commands on sessions and transactions. */
import { randomBytes } from 'node:crypto';
import { Binary } from 'bson';
import { StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import { type RetryRecord, type Session, sessionKey, shownSession } from '../engine/sessions.ts';
import type { Reply } from '../protocol.ts';
import { neededDocs, txnNumberOf } from './arguments.ts';
import { ownerOf } from './authentication.ts';
import type { Command, Context } from './context.ts';

async function end({ engine, body }: Context): Promise<Reply> {
  const given = Object.values(body)[0];
  if (!Array.isArray(given)) throw new StoreError(14, 'the sessions must be a list of ids');
  const keys = given.map(sessionKey);
  await engine.write((batch) => {
    for (const key of keys) engine.sessions.end(key, batch);
  });
  for (const key of keys) await engine.cursors.killOf(key);
  return { fields: {} };
}

/**
 * Aborts the transactions, closes the cursors and interrupts the commands of all sessions of some users, or of all
 * users. The sessions can be used further.
 */
async function killAll(context: Context): Promise<Reply> {
  const { engine, client, operation, body } = context;
  const users = neededDocs(body, 'killAllSessions');
  const owner = ownerOf(client.login);
  const isMeant = users.length === 0 || users.some(({ user, db }) => `${String(user)}@${String(db)}` === owner);
  if (!isMeant) return { fields: {} };
  for (const other of engine.operations)
    if (other !== operation && other.origin.command['lsid'] !== undefined) other.interrupt();
  for (const session of engine.sessions.all) {
    engine.sessions.abort(session);
    await engine.cursors.killOf(session.key);
  }
  return { fields: {} };
}

function start({ engine }: Context): Reply {
  const id: Doc = { id: new Binary(randomBytes(16), 4) };
  engine.sessions.use(id);
  return { fields: { id, timeoutMinutes: engine.store.limits.sessionMinutes } };
}

function refresh({ engine, body }: Context): Reply {
  const given = body['refreshSessions'];
  if (Array.isArray(given)) for (const lsid of given) engine.sessions.use(lsid);
  return { fields: {} };
}

function numberIn(body: Doc): bigint {
  const number = txnNumberOf(body);
  if (number === undefined) throw new StoreError(72, 'a transaction requires a txnNumber');
  return number;
}

const committed: RetryRecord = { fields: { committed: true } };

/**
 * Commits under the write lock. The transaction is removed from the session under the same lock: a concurrent retry
 * would otherwise conflict with it, and the client would repeat the transaction.
 */
async function commit({ engine, client, session, body }: Context): Promise<Reply> {
  if (session === undefined) throw new StoreError(72, 'a transaction requires an lsid');
  const number = numberIn(body);
  await engine.write((batch) => {
    if (isCommitted(session, number)) return;
    const transaction = engine.sessions.open(session, number);
    engine.sessions.abort(session);
    batch.markTransaction(shownSession(session, ownerOf(client.login)), number);
    transaction.commit(batch);
    if (!batch.empty) engine.sessions.addRetry(session, number, committed, batch);
    else session.answered = committed;
  });
  return { fields: {} };
}

/** Retryable writes have numbers too, and are not transactions. */
const isCommitted = ({ transaction, number, answered }: Session, wanted: bigint): boolean =>
  transaction === undefined && number === wanted && answered?.fields['committed'] === true;

function abort({ engine, session, body }: Context): Reply {
  if (session === undefined) throw new StoreError(72, 'a transaction requires an lsid');
  engine.sessions.open(session, numberIn(body));
  engine.sessions.abort(session);
  return { fields: {} };
}

const other = { kind: 'other', fields: [] } as const;

/** The commands of this file. */
export const sessionCommands: readonly Command[] = [
  { ...other, name: 'startSession', summary: 'Starts a session', run: start },
  { ...other, name: 'refreshSessions', summary: 'Extends the life of sessions', run: refresh },
  { ...other, name: 'endSessions', summary: 'Ends sessions', run: end },
  { ...other, name: 'killSessions', summary: 'Ends sessions', run: end },
  {
    ...other,
    name: 'killAllSessions',
    summary: 'Aborts the transactions and closes the cursors of all sessions',
    run: killAll,
  },
  {
    ...other,
    name: 'commitTransaction',
    summary: 'Commits a transaction',
    fields: ['recoveryToken'],
    inTransaction: true,
    run: commit,
  },
  {
    ...other,
    name: 'abortTransaction',
    summary: 'Aborts a transaction',
    fields: ['recoveryToken'],
    inTransaction: true,
    run: abort,
  },
];
