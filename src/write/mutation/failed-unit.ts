/** What happens to a unit of work that fails: it runs again, or is undone as far as possible. */
import { withCauses } from '../../failure.ts';
import { mongo } from '../../models/mongoose.ts';
import type { WriteEffects } from '../contract.ts';

/** The error that makes the driver retry a transaction; it may be the cause of a failure. */
export function transientErrorIn(error: unknown): unknown {
  for (const at of withCauses(error))
    if (at instanceof mongo.MongoError && at.hasErrorLabel('TransientTransactionError')) return at;
  return undefined;
}

/** Undoes mutations in reverse order. @returns the effects that remain */
export async function rollBack(effects: readonly WriteEffects[]): Promise<WriteEffects[]> {
  const remaining: WriteEffects[] = [];
  for (const one of [...effects].reverse())
    try {
      if (one.undo === undefined) remaining.unshift(one);
      await one.undo?.();
    } catch {
      remaining.unshift(one);
    }
  return remaining;
}
