/** Entries of recorders that no mutation causes, such as a login or a job; and how the entries of a unit of work are written. */
import type { ClientSession } from 'mongoose';
import type { NewEntry, Outbox, PendingEntries } from '../../outbox/contract.ts';
import type { Recorder, UnitOfWork, WriteEffects } from '../contract.ts';

/** The entry is written by the unit's commit, and not at all if the unit fails. */
export const record = <Entry>({ effects }: UnitOfWork, recorder: Recorder<Entry>, entry: Entry): void =>
  void effects.push({ changes: [], recordings: [{ recorder, entries: [entry] }], undo: () => Promise.resolve() });

/** Writes what is recorded of a unit: the entries of one recorder by one call. */
export async function writeEntries(
  effects: readonly WriteEffects[],
  session: ClientSession | undefined,
): Promise<void> {
  const all = new Map<Recorder, unknown[]>();
  for (const { recorder, entries } of effects.flatMap(({ recordings = [] }) => recordings)) {
    const known = all.get(recorder) ?? [];
    all.set(recorder, known);
    known.push(...entries);
  }
  for (const [recorder, entries] of all) if (entries.length > 0) await recorder.write?.(entries, session);
}

/** The entries of a run that is no unit of work, such as of a function: they are written when it succeeds. */
export class PendingOutbox implements PendingEntries {
  #entries: NewEntry[] | undefined;
  #isInUnit = false;
  #end: 'succeeded' | 'failed' | undefined;

  /** @param unit that encloses the run, which writes its entries */
  constructor(
    private readonly outbox: Outbox,
    private readonly unit?: UnitOfWork,
  ) {}

  get entries(): readonly NewEntry[] {
    return this.#entries ?? [];
  }

  async add(entry: NewEntry): Promise<void> {
    if (this.#end === 'failed') throw new TypeError('the run that asks for a job has failed');
    if (this.#end === 'succeeded') await this.#write([entry]);
    else (this.#entries ??= []).push(entry);
  }

  /** Runs work, and writes its entries when it succeeds. @throws what the work throws, 503 */
  async during<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      const written = this.succeed();
      if (written !== undefined) await written;
      return result;
    } catch (error) {
      this.drop();
      throw error;
    }
  }

  /**
   * Ends the run, once: writes its entries. What the code of the run adds afterwards is written at once.
   * @returns undefined where nothing is written, which most requests need not wait for @throws 503
   */
  succeed(): Promise<void> | undefined {
    if (this.#end !== undefined) return undefined;
    this.#end = 'succeeded';
    const entries = this.#isInUnit ? [] : this.entries;
    this.#entries = undefined;
    return entries.length > 0 ? this.#write(entries) : undefined;
  }

  drop(): void {
    this.#end ??= 'failed';
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

  async #write(entries: readonly NewEntry[]): Promise<void> {
    if (this.unit === undefined) await this.outbox.add(entries);
    else for (const entry of entries) record(this.unit, this.outbox, entry);
  }
}
