/** The plan of a read as the database explains it (MongoDB's manual, "Explain Results"). Pure. */

/** A stage of a plan, which works on what the stages below it find. */
export interface Stage {
  readonly stage?: string;
  readonly indexName?: string;
  /** Of a `SORT` of the embedded store: by how many of its fields the rows arrive in order. */
  readonly presortedFields?: number;
  /** A text where the stage finds single documents. */
  readonly keyPattern?: Readonly<Record<string, unknown>> | string;
  readonly inputStage?: Stage;
  readonly inputStages?: readonly Stage[];
  /** Where the database runs plans of another kind, this one describes them. */
  readonly queryPlan?: Stage;
  /** Of a sharded cluster: the plans of its shards. */
  readonly shards?: readonly { readonly winningPlan?: Stage }[];
}

/** The parts of an answer to `explain` about one search for documents that are read. */
export interface Search {
  readonly queryPlanner?: { readonly winningPlan?: Stage };
  readonly executionStats?: Statistics;
}
export interface Statistics {
  readonly totalDocsExamined?: unknown;
  readonly nReturned?: unknown;
  readonly executionStages?: CountStage;
}
/** The stage that counts, or those of the shards. */
export interface CountStage {
  readonly nCounted?: unknown;
  readonly shards?: readonly { readonly executionStages?: CountStage }[];
}
/** The answer to `explain`. */
export interface ExplainResult extends Search {
  /** Of a pipeline whose first stage is the search for its documents. */
  readonly stages?: readonly { readonly $cursor?: Search }[];
  /** Of a pipeline on a sharded cluster. */
  readonly shards?: Readonly<Record<string, ExplainResult>>;
}

/** The searches for the documents: one, or one of each shard. */
export function searchesOf({ shards, stages, ...answer }: ExplainResult): readonly Search[] {
  if (shards !== undefined) return Object.values(shards).flatMap(searchesOf);
  return [stages?.[0]?.$cursor ?? answer];
}

export interface ReadPlan {
  /** The stages from the last one to the first, such as `SORT < FETCH < IXSCAN`. */
  readonly plan: string;
  /** The names of the indexes that are read. */
  readonly index: string | undefined;
  /** Whether the rows are sorted after all of them have been found: the embedded store also sorts those alone that are equal so far. */
  readonly sorts: boolean;
  /** The first paths of the indexes that are read; empty for a read of the whole collection. */
  readonly leading: readonly string[];
}

/** @param winning the plan that the database has chosen */
export function planFrom(winning: Stage): ReadPlan {
  const stages = stagesOf(winning);
  const names = [...new Set(stages.flatMap(indexOf))];
  return {
    plan: stages.flatMap(({ stage }) => stage ?? []).join(' < '),
    index: names.length === 0 ? undefined : names.join(', '),
    sorts: stages.some(
      ({ stage, presortedFields }) => stage === 'SORT_MERGE' || (stage === 'SORT' && presortedFields === undefined),
    ),
    leading: stages.flatMap(leadingOf),
  };
}

/** The shards of a collection read it alike: one stands for all. */
const stagesOf = (stage: Stage): readonly Stage[] => {
  const { inputStage, inputStages = [], queryPlan, shards: [shard] = [] } = stage;
  const below = [inputStage, ...inputStages, queryPlan, shard?.winningPlan];
  return [stage, ...below.flatMap((one) => (one === undefined ? [] : stagesOf(one)))];
};

/** MongoDB's stage that finds one document by its id, which does not name the index. */
const byId = 'IDHACK';

const indexOf = ({ stage, indexName }: Stage): readonly string[] =>
  indexName === undefined ? (stage === byId ? ['_id_'] : []) : [indexName];

function leadingOf({ stage, indexName, keyPattern = {} }: Stage): readonly string[] {
  if (stage === byId) return ['_id'];
  if (indexName === undefined) return [];
  if (typeof keyPattern !== 'string') return Object.keys(keyPattern).slice(0, 1);
  return /[^\s{"':,]+/.exec(keyPattern)?.slice(0, 1) ?? [];
}
