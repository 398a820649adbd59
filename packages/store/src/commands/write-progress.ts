/** How a write command with many statements lets other writers go first, and goes on where it was when it is sent again. */
import type { Engine, LockHolder } from '../engine/engine.ts';
import type { Operation } from '../engine/operation.ts';
import type { RetryRecord, Session } from '../engine/sessions.ts';
import type { WriteBatch } from '../engine/write-batch.ts';

/** A retryable write: its session and its number there. */
export interface Retry {
  readonly session: Session;
  readonly number: bigint;
}

/** What the progress of one command is made of. */
export interface ProgressParts {
  readonly engine: Engine;
  readonly operation: Operation;
  readonly batch: WriteBatch;
  readonly lock: LockHolder;
  readonly retry: Retry | undefined;
}

/** The progress of one write command. */
export class WriteProgress {
  /** What was answered already, or done before the command was cut off; undefined when it is new. */
  readonly earlier: RetryRecord | undefined;
  readonly #parts: ProgressParts;
  #kept: RetryRecord | undefined;

  /** @throws StoreError 225 when the session has gone on to newer numbers */
  constructor(parts: ProgressParts) {
    const { engine, retry } = parts;
    this.#parts = parts;
    this.#kept = retry?.session.answered;
    this.earlier = retry && engine.sessions.answered(retry.session, retry.number);
    if (this.earlier?.next !== undefined) this.keep({ ...this.earlier });
  }

  /** Some of what it did has been kept. */
  get begun(): boolean {
    const { retry } = this.#parts;
    return retry !== undefined && retry.session.number === retry.number;
  }

  /** Keeps what was done, on disk too, unless the same command was sent again meanwhile and has taken over. */
  keep(done: RetryRecord): void {
    const { engine, retry, batch } = this.#parts;
    if (retry === undefined || retry.session.answered !== this.#kept) return;
    engine.sessions.remember(retry.session, retry.number, done, batch);
    this.#kept = done;
  }

  /**
   * Lets others write when they have waited long enough; `done` tells what was done so far.
   * @throws StoreError 11601 when the command was ended or sent again meanwhile
   */
  async yieldLock(done: () => RetryRecord): Promise<void> {
    if (!this.#parts.lock.due) return;
    this.keep(done());
    await this.#yieldLock();
  }

  /**
   * The same in the middle of a statement about many documents; not of a command that may be sent again, as what is done of
   * one statement is not kept.
   */
  async yieldLockWithin(): Promise<void> {
    const { retry, lock } = this.#parts;
    if (retry === undefined && lock.due) await this.#yieldLock();
  }

  async #yieldLock(): Promise<void> {
    const { operation, retry, lock } = this.#parts;
    await lock.yield();
    if (retry !== undefined && retry.session.answered !== this.#kept) operation.end();
    operation.checkTime();
    operation.resume();
  }
}
