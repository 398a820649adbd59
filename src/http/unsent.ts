/**
 * Bounds the memory of answers that their clients have not read yet. Large reads wait for room before they begin, so
 * that a thousand of them at once do not hold a thousand answers.
 */
import type { EventEmitter } from 'node:events';
import { type Departure, departureOf, type WaitOptions } from '../async/semaphore.ts';
import { busy } from '../errors/errors.ts';
import type { Room } from '../services.ts';

export const unsentLimits = {
  /** Maximum bytes of unread answers with which a further read begins. */
  bytes: 64 * 1024 * 1024,
  /** Answers below this size are not counted. */
  leastBytes: 16 * 1024,
  /** While others wait for room, an answer must be read within these milliseconds, and at this rate. */
  graceMs: 5_000,
  bytesPerMs: 256,
  /** Milliseconds between two looks for answers that are read too slowly. */
  lookMs: 1_000,
} as const;

/** What an answer is written to. */
type Sink = Pick<EventEmitter, 'once'> & { destroy(): unknown };

interface Unsent {
  readonly sink: Sink;
  readonly bytes: number;
  readonly since: number;
}

export class UnsentAnswers implements Room {
  readonly #limits: { readonly [Name in keyof typeof unsentLimits]: number };
  readonly #answers = new Set<Unsent>();
  readonly #waiting = new Set<() => void>();
  #bytes = 0;
  #look: NodeJS.Timeout | undefined;

  constructor(limits: Partial<Record<keyof typeof unsentLimits, number>> = {}) {
    this.#limits = { ...unsentLimits, ...limits };
  }

  /** Bytes of the answers that have not been read. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts an answer until it has been sent, or its connection has ended. */
  add(sink: Sink, bytes: number): void {
    if (bytes < this.#limits.leastBytes) return;
    const answer: Unsent = { sink, bytes, since: performance.now() };
    this.#answers.add(answer);
    this.#bytes += bytes;
    const end = (): void => this.#remove(answer);
    sink.once('finish', end);
    sink.once('close', end);
  }

  enter(caller: WaitOptions | undefined, maxWaitMs: number): Promise<void> | undefined {
    return this.#bytes < this.#limits.bytes ? undefined : this.#wait(departureOf(caller), maxWaitMs);
  }

  async #wait(departure: Departure | undefined, maxWaitMs: number): Promise<void> {
    const until = performance.now() + maxWaitMs;
    while (this.#bytes >= this.#limits.bytes) {
      const left = until - performance.now();
      if (departure?.aborted === true || left <= 0) throw busy();
      await this.#change(departure, left);
    }
  }

  #remove(answer: Unsent): void {
    if (!this.#answers.delete(answer)) return;
    this.#bytes -= answer.bytes;
    for (const wake of this.#waiting) wake();
  }

  /** Waits until an answer has been sent, the caller is gone or the time is over. */
  #change(departure: Departure | undefined, milliseconds: number): Promise<void> {
    this.#look ??= setInterval(() => this.#cutSlow(), this.#limits.lookMs);
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        departure?.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        if (this.#waiting.size === 0) {
          clearInterval(this.#look);
          this.#look = undefined;
        }
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      departure?.addEventListener('abort', wake);
      this.#waiting.add(wake);
    });
  }

  /** Ends the connections that hold others up. */
  #cutSlow(): void {
    const { graceMs, bytesPerMs } = this.#limits;
    const now = performance.now();
    for (const { sink, bytes, since } of this.#answers) if (now - since > graceMs + bytes / bytesPerMs) sink.destroy();
  }
}
