/** How the database would find the documents of a search: `explain` with `queryPlanner`, which runs nothing. */
import type { SeenRead } from '../../read/contract.ts';
import { type Answered, planFrom, type ReadPlan, searchesOf } from '../../read/plan-stages.ts';
import type { Services } from '../../services.ts';

/** @returns undefined where the database explains nothing */
export async function planOf(
  { connection, settings }: Pick<Services, 'connection' | 'settings'>,
  seen: Omit<SeenRead, 'returned'>,
): Promise<ReadPlan | undefined> {
  const command = {
    explain: commandOf(seen),
    verbosity: 'queryPlanner',
    maxTimeMS: settings.query_limits.max_time_ms,
  };
  const answer = (await connection.db?.command(command).catch(() => undefined)) as Answered | undefined;
  const winning = answer && searchesOf(answer)[0]?.queryPlanner?.winningPlan;
  return winning === undefined ? undefined : planFrom(winning);
}

/** The documents of a write are found as those of a read with its filter. */
function commandOf({ model, filter, sort, limit, pipeline }: Omit<SeenRead, 'returned'>): object {
  if (pipeline !== undefined) return { aggregate: model.collection, pipeline: pipeline.stages, cursor: {} };
  return {
    find: model.collection,
    filter,
    ...(Object.keys(sort).length === 0 ? {} : { sort }),
    ...(limit === undefined ? {} : { limit }),
  };
}
