/** Sessions: the open transaction and the last retryable write of each. */
import { createHash } from 'node:crypto';
import { Binary } from 'bson';
import { StoreError } from 'dossier-language/errors';
import type { Doc, Value } from 'dossier-language/values';
import { decode } from 'dossier-language/values';
import { encode } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import { toDouble } from 'dossier-language/values';
import type { Store } from './store.ts';
import { Transaction } from './transaction.ts';
import type { WriteBatch } from './write-batch.ts';

/** The reply of a retryable write or its result so far; for a committed transaction, that it was committed. */
export interface RetryRecord {
  readonly fields: Doc;
  /** The next statement to run, if some are left. */
  readonly next?: number | undefined;
}

/** The state of a client's session. */
export interface Session {
  readonly key: string;
  usedAt: number;
  transaction: Transaction | undefined;
  /** The highest number of a retryable write or transaction. */
  number: bigint;
  /** The recorded reply of that number. */
  answered: RetryRecord | undefined;
}

const noSuchTransaction = (number: bigint, session: Session): StoreError =>
  new StoreError(
    251,
    `Given transaction number ${number} does not match any in-progress transactions. The active transaction number is ${session.number}`,
    {
      errorLabels: ['TransientTransactionError'],
    },
  );

/** The sessions of a store. */
export class Sessions {
  readonly #store: Store;
  readonly #sessions = new Map<string, Session>();

  constructor(store: Store) {
    this.#store = store;
    store.onRollback(() => this.#abortAll());
    for (const [key, bytes] of store.retries) {
      const { number, answer, next } = decode(bytes);
      const session = this.#make(key);
      session.number = typeof number === 'bigint' ? number : -1n;
      session.answered = isDoc(answer) ? { fields: answer, next: toDouble(next) } : undefined;
    }
    store.retries.clear();
  }

  #make(key: string): Session {
    const session: Session = { key, usedAt: Date.now(), transaction: undefined, number: -1n, answered: undefined };
    this.#sessions.set(key, session);
    return session;
  }

  /** The session of a command's `lsid`; a new one is created. */
  use(lsid: Value): Session {
    const key = sessionKey(lsid);
    const session = this.#sessions.get(key) ?? this.#make(key);
    session.usedAt = Date.now();
    return session;
  }

  /**
   * The recorded result of a retryable write; undefined if it is new.
   * @throws StoreError 225 if the session has used a newer number
   */
  answered(session: Session, number: bigint): RetryRecord | undefined {
    if (number < session.number) {
      throw new StoreError(
        225,
        `Retryable write with txnNumber ${number} is prohibited on session because a newer one with txnNumber ${session.number} has already started.`,
      );
    }
    return number === session.number ? session.answered : undefined;
  }

  /** Records the result of a retryable write, on disk too. */
  addRetry(session: Session, number: bigint, answered: RetryRecord, batch: WriteBatch): void {
    const { fields: answer, next } = answered;
    const before = { number: session.number, answered: session.answered };
    batch.check();
    session.number = number;
    session.answered = answered;
    batch.addRetry(session.key, encode({ number, answer, ...(next === undefined ? {} : { next }) }), () =>
      Object.assign(session, before),
    );
  }

  /** Begins a transaction and aborts an older one of the session. */
  begin(session: Session, number: bigint): Transaction {
    if (number < session.number)
      throw new StoreError(
        225,
        `Cannot start transaction ${number} because a newer transaction ${session.number} has already started`,
      );
    if (number === session.number)
      throw new StoreError(
        117,
        `Only servers in a sharded cluster can start a new transaction at the active transaction number`,
      );
    this.abort(session);
    session.number = number;
    session.answered = undefined;
    session.transaction = new Transaction(this.#store, number);
    return session.transaction;
  }

  /** @throws StoreError 251 if the transaction is not open */
  open(session: Session, number: bigint): Transaction {
    const { transaction } = session;
    if (transaction?.number !== number) throw noSuchTransaction(number, session);
    return transaction;
  }

  /** Aborts a transaction. */
  abort(session: Session): void {
    session.transaction?.release();
    session.transaction = undefined;
  }

  /** Aborts all transactions: their copies of the store may contain changes that were rolled back. */
  #abortAll(): void {
    for (const session of this.#sessions.values()) session.transaction = undefined;
  }

  /** Ends sessions; the caller closes their cursors. */
  end(key: string, batch: WriteBatch): void {
    const session = this.#sessions.get(key);
    if (session === undefined) return;
    this.abort(session);
    if (session.answered !== undefined) batch.removeRetry(key, () => this.#sessions.set(key, session));
    this.#sessions.delete(key);
  }

  /** Aborts transactions over their time limit, and returns the keys of idle sessions. */
  expired(now: number): readonly string[] {
    const { sessionMinutes, transactionSeconds } = this.#store.limits;
    const old: string[] = [];
    for (const session of this.#sessions.values()) {
      const { transaction } = session;
      if (transaction && now - transaction.startedAt > transactionSeconds * 1000) this.abort(session);
      if (session.transaction === undefined && now - session.usedAt > sessionMinutes * 60_000) old.push(session.key);
    }
    return old;
  }

  get size(): number {
    return this.#sessions.size;
  }

  get all(): readonly Session[] {
    return [...this.#sessions.values()];
  }
}

/**
 * A session as change events report it: its id with the digest of its user. Without authentication that is the digest
 * of an empty name.
 */
export const shownSession = ({ key }: Pick<Session, 'key'>, user: string): Doc => ({
  id: new Binary(Buffer.from(key, 'hex'), Binary.SUBTYPE_UUID),
  uid: new Binary(createHash('sha256').update(user).digest()),
});

/** The canonical key of a session. */
export function sessionKey(lsid: Value): string {
  const id = isDoc(lsid) ? lsid['id'] : undefined;
  if (!(id instanceof Binary) || id.length() !== 16)
    throw new StoreError(14, 'the id of a logical session must be a UUID');
  return Buffer.from(id.buffer.subarray(0, 16)).toString('hex');
}
