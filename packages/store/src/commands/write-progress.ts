/**
 * The progress of a write command: yields the write lock between statements, and resumes a retried command where it
 * stopped.
 */
import type { Engine, LockHolder } from '../engine/engine.ts';
import type { Operation } from '../engine/operation.ts';
import type { RetryRecord, Session } from '../engine/sessions.ts';
import type { WriteBatch } from '../engine/write-batch.ts';

/** A retryable write: its session and its number. */
interface Retry {
  readonly session: Session;
  readonly number: bigint;
}

/** The parts of a command's progress. */
export interface ProgressParts {
  readonly engine: Engine;
  readonly operation: Operation;
  readonly batch: WriteBatch;
  readonly lock: LockHolder;
  readonly retry: Retry | undefined;
}

/** The progress of one write command. */
export class WriteProgress {
  /** The recorded reply or partial result of an earlier attempt; undefined for a new command. */
  readonly earlier: RetryRecord | undefined;
  readonly #parts: ProgressParts;
  #lastRecord: RetryRecord | undefined;

  /** @throws StoreError 225 if the session has used a newer number */
  constructor(parts: ProgressParts) {
    const { engine, retry } = parts;
    this.#parts = parts;
    this.#lastRecord = retry?.session.answered;
    this.earlier = retry && engine.sessions.answered(retry.session, retry.number);
    if (this.earlier?.next !== undefined) this.keep({ ...this.earlier });
  }

  /** Whether part of the result has been recorded. */
  get begun(): boolean {
    const { retry } = this.#parts;
    return retry !== undefined && retry.session.number === retry.number;
  }

  /** Records a result, on disk too, unless a retry of the same command has taken over. */
  keep(done: RetryRecord): void {
    const { engine, retry, batch } = this.#parts;
    if (retry === undefined || retry.session.answered !== this.#lastRecord) return;
    engine.sessions.addRetry(retry.session, retry.number, done, batch);
    this.#lastRecord = done;
  }

  /**
   * Yields the write lock if others have waited long enough; `done` returns the result so far.
   * @throws StoreError 11601 if the command was killed or retried meanwhile
   */
  async yieldLock(done: () => RetryRecord): Promise<void> {
    if (!this.#parts.lock.due) return;
    this.keep(done());
    await this.#yieldLock();
  }

  /**
   * Yields within a statement that writes many documents. A retryable command does not yield there, because partial
   * results of a statement are not recorded.
   */
  async yieldLockWithin(): Promise<void> {
    const { retry, lock } = this.#parts;
    if (retry === undefined && lock.due) await this.#yieldLock();
  }

  /** Runs `work` while other commands write. It takes as long as it needs. */
  beside<T>(work: () => Promise<T>): Promise<T> {
    return this.#parts.lock.beside(work);
  }

  async #yieldLock(): Promise<void> {
    const { operation, retry, lock } = this.#parts;
    await lock.yield();
    if (retry !== undefined && retry.session.answered !== this.#lastRecord) operation.interrupt();
    operation.checkTime();
    operation.resume();
  }
}
