/** Entries of recorders that no mutation causes, such as a login; and how the entries of a unit of work are written. */
import type { ClientSession } from 'mongoose';
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
