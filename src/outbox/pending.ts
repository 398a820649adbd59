/** The entries of a run that is no unit of work, such as of a function: they are written when it succeeds. */
import type { UnitOfWork } from '../write/contract.ts';
import { record } from '../write/mutation/record.ts';
import type { NewEntry, Outbox, PendingEntries } from './contract.ts';

export class PendingOutbox implements PendingEntries {
  #entries: NewEntry[] | undefined;
  #isInUnit = false;
  #end: 'succeeded' | 'failed' | undefined;

  constructor(private readonly outbox: Outbox) {}

  get entries(): readonly NewEntry[] {
    return this.#entries ?? [];
  }

  async add(entry: NewEntry): Promise<void> {
    if (this.#end === 'failed') throw new TypeError('the run that asks for a job has failed');
    if (this.#end === 'succeeded') await this.outbox.add([entry]);
    else (this.#entries ??= []).push(entry);
  }

  /** Runs work, and writes its entries when it succeeds. @throws what the work throws, 503 */
  async during<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      await this.#succeed();
      return result;
    } catch (error) {
      this.#fail();
      throw error;
    }
  }

  /** Ends the run: writes its entries. What the code of the run adds afterwards is written at once. @throws 503 */
  async #succeed(): Promise<void> {
    this.#end = 'succeeded';
    const entries = this.#isInUnit ? [] : this.entries;
    this.#entries = undefined;
    if (entries.length > 0) await this.outbox.add(entries);
  }

  /** Ends the run without its entries. */
  #fail(): void {
    this.#end = 'failed';
    this.#entries = undefined;
  }

  /**
   * Adds the entries to the unit of work that the run has become, in place of its end. A unit that begins again is another one.
   * @param unit undefined for a run that has become none
   */
  enter(unit: UnitOfWork | undefined): void {
    if (unit === undefined) return;
    for (const entry of this.entries) record(unit, this.outbox, entry);
    this.#isInUnit = true;
  }
}
