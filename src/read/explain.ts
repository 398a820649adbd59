/**
 * Explains reads in place of running them: the database plans the read, runs it once and counts, and sends none of its documents. What a
 * caller may read, the limits of a list and the queues are those of the read itself.
 */
import type { Actor } from '../context.ts';
import { badPipeline, notImplemented } from '../errors/errors.ts';
import { mongo } from '../models/mongoose.ts';
import { callerKey } from '../policy/principal.ts';
import { allOf } from '../query/and.ts';
import type { AggregatePlan } from './aggregate.ts';
import { pipelineOf } from './by-pipeline.ts';
import { membersForLists } from './fetch.ts';
import { placeOptions } from './in-session.ts';
import type { ListIntent, RowsIntent } from './intents.ts';
import { checkedSize } from './limits.ts';
import { withLinkedIds } from './link-filters.ts';
import { fromPipeline } from './pipeline-failure.ts';
import { planList, planRows } from './plan.ts';
import { type CountStage, type ExplainResult, planFrom, searchesOf, type Statistics } from './plan-stages.ts';
import type { ListPlan } from './plan-types.ts';

/** How a read finds its documents. */
export interface ReadExplanation {
  /** The stages from the last one to the first, such as `SORT < FETCH < IXSCAN`. */
  readonly plan: string;
  /** The names of the indexes that were read; null for none. */
  readonly index: string | null;
  /** How many documents were read. */
  readonly examined: number;
  /** How many documents the plan found: those of the page, those that are counted, or those that the stages of a pipeline receive. */
  readonly returned: number;
}

/** The page of a list, without its linked documents and its count. @throws 400 as the list does, 501 where the database explains nothing */
export async function explainList(actor: Actor, intent: ListIntent): Promise<ReadExplanation> {
  const planned = planList(actor, intent);
  await checkedSize(actor, intent);
  const plan = await withLinkedIds(actor, planned, membersForLists(actor));
  return listExplained(actor, commandOf(plan));
}

/** @throws 501 where the database explains nothing */
export async function explainCount(actor: Actor, intent: RowsIntent): Promise<ReadExplanation> {
  const { model, filter } = await withLinkedIds(actor, planRows(actor, intent), membersForLists(actor));
  return listExplained(actor, { count: model.collection, query: filter });
}

/** A pipeline, or a list of distinct values. @throws 400 for a pipeline that writes, 501 where the database explains nothing */
export async function explainPipeline(actor: Actor, plan: AggregatePlan): Promise<ReadExplanation> {
  const { policy, pipeline, allowDiskUse, writes, source } = plan;
  if (writes) throw badPipeline('a pipeline that writes is not explained: remove its last stage');
  const command = { aggregate: policy.model.collection, pipeline: pipeline.stages, cursor: {}, allowDiskUse };
  try {
    return await actor.services.shares.pipelines(callerKey(actor), actor, () => explained(actor, command));
  } catch (error) {
    throw fromPipeline(error, source);
  }
}

async function listExplained(actor: Actor, command: object): Promise<ReadExplanation> {
  return await actor.services.shares.lists(actor, () => explained(actor, command));
}

/** The command that reads the page of a plan. */
function commandOf(plan: ListPlan): object {
  const { model, filter, projection, cursors, page, sorts } = plan;
  const { limit, skip } = page;
  const range = cursors.start?.range;
  const isReversed = cursors.start?.isBefore === true;
  const slice = { range, isReversed, skip, limit };
  if (plan.isByPipeline) return { aggregate: model.collection, pipeline: pipelineOf(plan, slice), cursor: {} };
  return {
    find: model.collection,
    filter: range === undefined ? filter : allOf([filter, range]),
    sort: isReversed ? sorts.reversed : sorts.forward,
    ...(projection === undefined ? {} : { projection }),
    ...(skip > 0 ? { skip } : {}),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** MongoDB's CommandNotFound, CommandNotSupported and NotImplemented. */
const unsupported: ReadonlySet<unknown> = new Set([59, 115, 238]);

/** @throws 501 and the errors of the driver */
async function explained(actor: Actor, command: object): Promise<ReadExplanation> {
  const { connection, settings } = actor.services;
  const { max_time_ms: maxTimeMS } = settings.query_limits;
  const explain = { explain: command, verbosity: 'executionStats', maxTimeMS };
  // a database explains nothing within a transaction
  const options = { signal: actor.signal, ...placeOptions({ session: undefined, from: membersForLists(actor) }) };
  const run = async (): Promise<ExplainResult> => {
    try {
      return (await connection.db?.command(explain, options)) ?? {};
    } catch (error) {
      if (error instanceof mongo.MongoServerError && unsupported.has(error.code)) return {};
      throw error;
    }
  };
  const parts = searchesOf(await run());
  const winning = parts[0]?.queryPlanner?.winningPlan;
  if (winning === undefined || parts.some(({ executionStats }) => executionStats === undefined))
    throw notImplemented('this database does not explain this read');
  const { plan, index = null } = planFrom(winning);
  const sum = (of: (one: Statistics) => number): number =>
    parts.reduce((total, { executionStats = {} }) => total + of(executionStats), 0);
  return {
    plan,
    index,
    examined: sum(({ totalDocsExamined }) => Number(totalDocsExamined ?? 0)),
    returned: sum(({ nReturned, executionStages }) => countedBy(executionStages) ?? Number(nReturned ?? 0)),
  };
}

/** The number that a count has found; undefined for any other read. */
function countedBy({ nCounted, shards = [] }: CountStage = {}): number | undefined {
  if (nCounted !== undefined) return Number(nCounted);
  const counts = shards.flatMap(({ executionStages }) => countedBy(executionStages) ?? []);
  return counts.length === 0 ? undefined : counts.reduce((sum, one) => sum + one, 0);
}
