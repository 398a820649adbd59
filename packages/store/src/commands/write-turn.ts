/** How a write command with many statements lets other writers go first, and goes on where it was when it is sent again. */
import type { Engine, Turn } from '../engine/engine.ts';
import type { Operation } from '../engine/operation.ts';
import type { Answered, Session } from '../engine/sessions.ts';
import type { Unit } from '../engine/unit.ts';

/** A retryable write: its session and its number there. */
export interface Retry {
  readonly session: Session;
  readonly number: bigint;
}

/** What the turn of one command is made of. */
export interface TurnParts {
  readonly engine: Engine;
  readonly operation: Operation;
  readonly unit: Unit;
  readonly turn: Turn;
  readonly retry: Retry | undefined;
}

/** The turn of one write command. */
export class WriteTurn {
  /** What was answered already, or done before the command was cut off; undefined when it is new. */
  readonly earlier: Answered | undefined;
  readonly #parts: TurnParts;
  #kept: Answered | undefined;

  /** @throws StoreError 225 when the session has gone on to newer numbers */
  constructor(parts: TurnParts) {
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
  keep(done: Answered): void {
    const { engine, retry, unit } = this.#parts;
    if (retry === undefined || retry.session.answered !== this.#kept) return;
    engine.sessions.remember(retry.session, retry.number, done, unit);
    this.#kept = done;
  }

  /**
   * Lets others write when they have waited long enough; `done` tells what was done so far.
   * @throws StoreError 11601 when the command was ended or sent again meanwhile
   */
  async pass(done: () => Answered): Promise<void> {
    if (!this.#parts.turn.due) return;
    this.keep(done());
    await this.#pass();
  }

  /**
   * The same in the middle of a statement about many documents; not of a command that may be sent again, as what is done of
   * one statement is not kept.
   */
  async passWithin(): Promise<void> {
    const { retry, turn } = this.#parts;
    if (retry === undefined && turn.due) await this.#pass();
  }

  async #pass(): Promise<void> {
    const { operation, retry, turn } = this.#parts;
    await turn.pass();
    if (retry !== undefined && retry.session.answered !== this.#kept) operation.end();
    operation.checkTime();
    operation.resume();
  }
}
