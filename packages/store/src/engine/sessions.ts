/** Sessions: which transaction each has open, and what its last retryable write answered. */
import { createHash } from 'node:crypto';
import { Binary } from 'bson';
import { StoreError } from 'dossier-language/errors';
import { decode } from 'dossier-language/values';
import { encode } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import { toDouble } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import type { Store } from './store.ts';
import { Transaction } from './transaction.ts';
import type { Unit } from './unit.ts';

/** What a retryable write answered, or what it has done so far; for a committed transaction, that it was. */
export interface Answered {
  readonly fields: Doc;
  /** The statement to go on with, when not all are done. */
  readonly next?: number | undefined;
}

/** What is known of a client's session. */
export interface Session {
  readonly key: string;
  usedAt: number;
  transaction: Transaction | undefined;
  /** The newest number that a retryable write or a transaction had. */
  number: bigint;
  /** What was answered under that number. */
  answered: Answered | undefined;
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
    store.onTakenBack(() => this.#abortAll());
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

  /** The session that a command's `lsid` names, made when it is new. */
  use(lsid: Value): Session {
    const key = sessionKey(lsid);
    const session = this.#sessions.get(key) ?? this.#make(key);
    session.usedAt = Date.now();
    return session;
  }

  /**
   * What a retryable write has got as an answer, or has done already; undefined when it has to be begun.
   * @throws StoreError 225 when the session has gone on to newer numbers
   */
  answered(session: Session, number: bigint): Answered | undefined {
    if (number < session.number) {
      throw new StoreError(
        225,
        `Retryable write with txnNumber ${number} is prohibited on session because a newer one with txnNumber ${session.number} has already started.`,
      );
    }
    return number === session.number ? session.answered : undefined;
  }

  /** Keeps what a retryable write answered or has done, on disk too. */
  remember(session: Session, number: bigint, answered: Answered, unit: Unit): void {
    const { fields: answer, next } = answered;
    const before = { number: session.number, answered: session.answered };
    unit.check();
    session.number = number;
    session.answered = answered;
    unit.remember(session.key, encode({ number, answer, ...(next === undefined ? {} : { next }) }), () =>
      Object.assign(session, before),
    );
  }

  /** Begins a transaction; an older one of the session is given up. */
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

  /** @throws StoreError 251 when the transaction is not open (any more) */
  open(session: Session, number: bigint): Transaction {
    const { transaction } = session;
    if (transaction?.number !== number) throw noSuchTransaction(number, session);
    return transaction;
  }

  /** Gives a transaction up. */
  abort(session: Session): void {
    session.transaction?.release();
    session.transaction = undefined;
  }

  /** Gives all transactions up: their copies of the store may have changes in them that were taken back. */
  #abortAll(): void {
    for (const session of this.#sessions.values()) session.transaction = undefined;
  }

  /** Ends sessions; their cursors are for the caller to end. */
  end(key: string, unit: Unit): void {
    const session = this.#sessions.get(key);
    if (session === undefined) return;
    this.abort(session);
    if (session.answered !== undefined) unit.forget(key, () => this.#sessions.set(key, session));
    this.#sessions.delete(key);
  }

  /** Gives up transactions that have been open for too long, and names sessions that nobody has used for some time. */
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

  /** Number of sessions. */
  get size(): number {
    return this.#sessions.size;
  }
}

/** A session as change events show it: the digest of its user comes with the id, that of no name where nobody signs in. */
export const shownSession = ({ key }: Session, user: string): Doc => ({
  id: new Binary(Buffer.from(key, 'hex'), Binary.SUBTYPE_UUID),
  uid: new Binary(createHash('sha256').update(user).digest()),
});

/** The canonical name of a session. */
export function sessionKey(lsid: Value): string {
  const id = isDoc(lsid) ? lsid['id'] : undefined;
  if (!(id instanceof Binary) || id.length() !== 16)
    throw new StoreError(14, 'the id of a logical session must be a UUID');
  return Buffer.from(id.buffer.subarray(0, 16)).toString('hex');
}
