/** What happens to a unit of work that fails: it runs again, or is undone as far as possible. */
import { withCauses } from '../../errors/failure.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { mongo } from '../../models/mongoose.ts';
import type { Filter } from '../../query/filter.ts';
import type { Change } from '../../realtime/changes/contract.ts';
import type { ListedMutation, MutationList, WriteEffects } from '../contract.ts';

/** The error that makes the driver retry a transaction; it may be the cause of a failure. */
export function transientErrorIn(error: unknown): unknown {
  for (const at of withCauses(error))
    if (at instanceof mongo.MongoError && at.hasErrorLabel('TransientTransactionError')) return at;
  return undefined;
}

/** Undoes mutations in reverse order. @returns the effects that remain; of what is undone, that others may have read it */
export async function rollBack(effects: readonly WriteEffects[]): Promise<WriteEffects[]> {
  const remaining: WriteEffects[] = [];
  for (const one of [...effects].reverse()) {
    const isUndone = one.undo !== undefined && (await one.undo().then(isDone, isNotDone));
    const [change] = one.changes;
    if (!isUndone) remaining.unshift(one);
    else if (change !== undefined) remaining.unshift({ changes: [], invalidated: change.model });
  }
  return remaining;
}

const isDone = (): boolean => true;
const isNotDone = (): boolean => false;

/** Takes back changes of which both images are known, unless others have changed the documents since. */
export const reversal = (model: ModelEntry, changes: readonly Change[]): MutationList => ({
  model,
  mutations: [...changes].reverse().flatMap(({ before, after }): ListedMutation[] => {
    if (after === undefined) return before === undefined ? [] : [{ kind: 'insert', model, rows: [before] }];
    const filter = { _id: after['_id'], __v: after['__v'] ?? null } as Filter;
    return [before === undefined ? { kind: 'remove', model, filter } : { kind: 'change', model, filter, row: before }];
  }),
});
