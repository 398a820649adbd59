/**
 * The unit of work: its writes are stored together, and its changes are published when the database has stored them permanently, never of
 * what was rolled back.
 */
import { isOutcomeUnknown } from '../models/database-errors.ts';
import type { UnitOfWork, WriteEffects, WriteProgress } from './contract.ts';
import { rollBack, transientErrorIn } from './mutation/failed-unit.ts';
import { writeEntries } from './mutation/record.ts';
import type { Writer } from './mutation/writer.ts';

/**
 * Runs work as one unit: in a transaction where the database has them, or as a part of the enclosing unit. Its changes are
 * published after the commit. Without transactions, a failure undoes the mutations that have an `undo`, and publishes the others.
 * @param work is run again when the transaction conflicts with another one
 * @param isExclusive whether no other such unit runs (`write/unit.ts`)
 * @throws what the work throws, and the driver's errors
 */
export async function transaction<C extends Pick<Writer, 'services' | 'unit' | 'progress'>, T>(
  actor: C,
  work: (inner: C & { readonly unit: UnitOfWork }) => Promise<T>,
  isExclusive = false,
): Promise<T> {
  const { services, progress, unit: outer } = actor;
  if (outer !== undefined) return work({ ...actor, unit: outer });
  let unit: UnitOfWork = { session: undefined, effects: [] };
  const committing = new Committing(progress);
  try {
    const result = await services.inTransaction(async (session) => {
      committing.again();
      unit = { session, effects: [], isExclusive };
      try {
        const result = await work({ ...actor, unit });
        await writeEntries(unit.effects, session);
        if (session !== undefined) committing.begin();
        return result;
      } catch (error) {
        throw transientErrorIn(error) ?? error;
      }
    });
    committing.end(true);
    publish(services, unit.effects);
    return result;
  } catch (error) {
    committing.end(isOutcomeUnknown(error));
    if (unit.session === undefined) await publishRemaining(services, unit.effects);
    throw error;
  }
}

/** The commits of a transaction, which may run several times. */
class Committing {
  #ended: ((remains: boolean) => void) | undefined;

  constructor(private readonly progress: WriteProgress | undefined) {}

  /** Called before the work, also after a commit that has been refused. @throws 503 when the time of the request is over */
  again(): void {
    this.end(false);
    this.progress?.check();
  }

  /** @throws 503 when the time of the request is over, so that nothing is committed */
  begin(): void {
    this.#ended = this.progress?.begin();
  }

  end(remains: boolean): void {
    this.#ended?.(remains);
    this.#ended = undefined;
  }
}

/** Without a transaction, undoes what can be undone of a failed unit, and records and publishes the rest. */
async function publishRemaining(services: Writer['services'], effects: readonly WriteEffects[]): Promise<void> {
  const remaining = await rollBack(effects);
  // the failure of the unit is the one to report
  await writeEntries(remaining, undefined).catch(() => undefined);
  publish(services, remaining);
}

/** Publishes what is stored. */
export function publish({ bus }: Writer['services'], effects: readonly WriteEffects[]): void {
  const changes = effects.flatMap((one) => one.changes);
  if (changes.length > 0) bus.publish(changes);
  for (const { invalidated, recordings = [] } of effects) {
    if (invalidated !== undefined) bus.invalidate(invalidated);
    for (const { recorder, entries } of recordings) if (entries.length > 0) recorder.committed?.(entries);
  }
}
