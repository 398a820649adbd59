/** How the database would find the rows of a read: `explain` with `queryPlanner`, which runs nothing. */
import type { SeenRead } from '../../read/contract.ts';
import type { Services } from '../../services.ts';

export interface ReadPlan {
  /** The stages from the last one to the first, such as `SORT < FETCH < IXSCAN`. */
  readonly plan: string;
  /** The names of the indexes that are read. */
  readonly index: string | undefined;
  /** Whether the rows are sorted after they have been found. */
  readonly sorts: boolean;
  /** The first paths of the indexes that are read; empty for a read of the whole collection. */
  readonly leading: readonly string[];
}

interface Stage {
  readonly stage?: string;
  readonly indexName?: string;
  readonly keyPattern?: Readonly<Record<string, unknown>>;
  readonly inputStage?: Stage;
  readonly inputStages?: readonly Stage[];
  readonly queryPlan?: Stage;
}

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
  return winning === undefined ? undefined : planFrom(winning.queryPlan ?? winning);
}

function planFrom(winning: Stage): ReadPlan {
  const stages = stagesOf(winning);
  const indexed = stages.filter(({ indexName }) => indexName !== undefined);
  const names = [...new Set(indexed.map(({ indexName }) => indexName))];
  return {
    plan: stages.map(({ stage }) => stage).join(' < '),
    index: names.length === 0 ? undefined : names.join(', '),
    sorts: stages.some(({ stage }) => stage === 'SORT' || stage === 'SORT_MERGE'),
    leading: indexed.flatMap(({ keyPattern = {} }) => Object.keys(keyPattern).slice(0, 1)),
  };
}

const stagesOf = (stage: Stage): readonly Stage[] => [
  stage,
  ...(stage.inputStage === undefined ? [] : stagesOf(stage.inputStage)),
  ...(stage.inputStages ?? []).flatMap(stagesOf),
];
