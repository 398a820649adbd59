/** Runs the work of one subscriber in order, and only while its connection has room. */
import { maxFullMs } from './backpressure.ts';
import type { Transport } from './contract.ts';

export class SubscriberQueue {
  /** The number of unfinished jobs. */
  #jobs = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly transport: Transport,
    private readonly failed: (error: unknown) => void,
  ) {}

  get isEmpty(): boolean {
    return this.#jobs === 0;
  }

  add(work: () => Promise<void> | void): void {
    this.#jobs += 1;
    this.#last = this.#last
      .then(() => this.room())
      .then(work)
      .catch(this.failed)
      .finally(() => (this.#jobs -= 1));
  }

  /** Waits while the connection is full. A subscriber that does not read in time is disconnected. */
  async room(): Promise<void> {
    if (!this.transport.isFull) return;
    const late = setTimeout(() => this.transport.end('too slow'), maxFullMs).unref();
    await this.transport.room();
    clearTimeout(late);
  }
}
