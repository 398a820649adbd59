/** How the database would find the rows of a read: `explain` with `queryPlanner`, which runs nothing. */
import type { SeenRead } from '../../read/contract.ts';
import { planFrom, type ReadPlan, type Stage } from '../../read/plan-stages.ts';
import type { Services } from '../../services.ts';

/** @returns undefined where the database explains nothing */
export async function planOf(
  { connection, settings }: Pick<Services, 'connection' | 'settings'>,
  { model, filter, sort, limit }: Omit<SeenRead, 'returned'>,
): Promise<ReadPlan | undefined> {
  const find = {
    find: model.collection,
    filter,
    ...(Object.keys(sort).length === 0 ? {} : { sort }),
    ...(limit === undefined ? {} : { limit }),
  };
  const command = { explain: find, verbosity: 'queryPlanner', maxTimeMS: settings.query_limits.max_time_ms };
  const answer = (await connection.db?.command(command).catch(() => undefined)) as
    { readonly queryPlanner?: { readonly winningPlan?: Stage } } | undefined;
  const winning = answer?.queryPlanner?.winningPlan;
  return winning === undefined ? undefined : planFrom(winning);
}
