/** `/aggregate`: converts a caller's stages to a pipeline and reads its rows one at a time, up to the size limit of an answer. */
import type { ModelContext } from '../context.ts';
import { answerTooLarge, badPipeline, forbidden } from '../errors.ts';
import { notDeleted } from '../models/deleted.ts';
import type { ModelEntry } from '../models/entry.ts';
import { modelOf, type PipelineStage } from '../models/mongoose.ts';
import { type Policy, policyFor } from '../policy/policy.ts';
import { callerKey } from '../policy/principal.ts';
import { modelSuggestion } from '../policy/served-models.ts';
import type { EncodedJson } from '../policy/shaped.ts';
import { flagOf } from '../query/parameter-tree.ts';
import { readPipeline } from '../query/pipeline.ts';
import type { Reach, Source } from '../query/pipeline-walk.ts';
import { writeTarget } from './aggregate-target.ts';
import { DocumentEncoder } from './bytes/document-encoder.ts';
import { JsonBytes } from './bytes/json-bytes.ts';
import { cached } from './cached.ts';
import type { EncodedAnswer } from './contract.ts';
import { sourceOf } from './fetch.ts';
import { sessionOption } from './in-session.ts';
import { readAtOnce } from './one-message.ts';
import { checkedOnce, type CheckedPipeline } from './pipeline-cache.ts';
import { fromPipeline } from './pipeline-failure.ts';

/** A pipeline as it is run. */
export interface AggregatePlan {
  readonly model: ModelEntry;
  readonly policy: Policy;
  readonly pipeline: CheckedPipeline;
  readonly allowDiskUse: boolean;
  /** The models whose documents it reads. */
  readonly reads: ReadonlySet<ModelEntry>;
  /** Whether it ends in a stage that writes, and the model that it writes to, if any. */
  readonly writes: boolean;
  readonly written: ModelEntry | undefined;
}

/** @throws 400 for stages that are not allowed, 401 or 403 for missing rights */
export function planAggregate(context: ModelContext): AggregatePlan {
  const { model, grant, query } = context;
  const showDeleted = flagOf(query, 'showDeleted');
  const allowDiskUse = flagOf(query, 'allowDiskUse');
  const reach = { reads: new Set([model]), writes: false, written: undefined as ModelEntry | undefined };
  const source: Source = {
    collection: model.collection,
    view: grant.policy.view,
    filter: grant.policy.filter('r', context.restrictions.hook, showDeleted ? undefined : notDeleted),
  };
  const pipeline = checkedOnce(context, showDeleted, () => {
    const read = readPipeline(stagesIn(context.body), source, reachOf(context, showDeleted, reach));
    // joined models and targets have rights of their own
    return { stages: read, isConstant: reach.reads.size === 1 && !reach.writes };
  });
  return { model, policy: grant.policy, pipeline, allowDiskUse, ...reach };
}

/** What the stages of a pipeline may reach, and what they do reach. @param reached is added to */
function reachOf(
  context: ModelContext,
  showDeleted: boolean,
  reached: { readonly reads: Set<ModelEntry>; writes: boolean; written: ModelEntry | undefined },
): Reach {
  const { principal, services } = context;
  return {
    caller: principal,
    now: services.clock(),
    join: (name) => {
      const joined = joinedModel(context, name);
      reached.reads.add(joined);
      const policy = policyFor(principal, joined);
      const filter = policy.filter('r', showDeleted ? undefined : notDeleted);
      return { collection: joined.collection, view: policy.view, filter };
    },
    target: (stage, name) => {
      const target = writeTarget(context, stage, name);
      reached.writes = true;
      reached.written = target.model;
      return { collection: target.collection, view: target.model && policyFor(principal, target.model).view };
    },
  };
}

/** The stages of a body, which is the list or has it under `query`, as the operation's row describes. */
const stagesIn = (body: unknown): unknown => (Array.isArray(body) ? body : (body as { readonly query: unknown }).query);

/** The model of a join, by its name or the name of its collection. */
function joinedModel({ services, principal }: ModelContext, name: string): ModelEntry {
  const { served } = services.registry;
  const found = served.find(({ collection }) => collection === name) ?? served.find((entry) => entry.name === name);
  if (found === undefined) {
    const hint = modelSuggestion(services.registry, name, principal);
    throw badPipeline(`there is no model ${JSON.stringify(name.slice(0, 60))} to join${hint}`);
  }
  const policy = policyFor(principal, found);
  if (policy.rows('r') !== 'all' && !policy.hasRules('r')) throw forbidden(`you may not read all of ${found.name}`);
  return found;
}

/** The answer of a pipeline as JSON. @throws 413 as soon as its rows exceed the size limit of an answer */
export function aggregate(context: ModelContext, plan: AggregatePlan): Promise<EncodedAnswer> {
  const { pipeline, writes, reads, model, allowDiskUse } = plan;
  const { services, signal, principal } = context;
  const by = callerKey(context);
  const make = (): Promise<EncodedAnswer> =>
    services.shares.pipelines(by, signal, async () => ({ body: await rowsOf(context, plan), headers: {} }));
  const isTimed = [...reads].some((one) => policyFor(principal, one).isTimed);
  if (services.cache === undefined || writes || isTimed || changing.test(JSON.stringify(context.body))) return make();
  return cached(context, [...reads], () => ({ model: model.name, stages: pipeline.stages, allowDiskUse }), make);
}

/** Stages and operators whose results differ each time. */
const changing = /\$sample|\$rand|\$function|\$accumulator|\$\$NOW|\$\$CLUSTER_TIME/;

async function rowsOf(context: ModelContext, plan: AggregatePlan): Promise<EncodedJson> {
  const { max_response_size } = context.services.settings.query_limits;
  const out = new JsonBytes(roomAtFirst, max_response_size);
  // rows of a pipeline are shown unchanged, except for keys that are hidden everywhere
  const encoder = new DocumentEncoder(out, {
    hidden: plan.policy.view.free.hidden,
    fields: undefined,
    withId: false,
  });
  const write = (rows: readonly Buffer[]): void => {
    for (const row of rows) {
      encoder.row(row);
      out.comma();
      if (out.length > max_response_size) throw answerTooLarge(max_response_size);
    }
  };
  out.ascii('{"data":[');
  try {
    const whole = plan.pipeline.isSmall ? await batchAtOnce(context, plan) : undefined;
    if (whole === undefined) await readByCursor(context, plan, write);
    else write(whole);
  } catch (error) {
    throw fromPipeline(error, context.body);
  } finally {
    if (plan.written !== undefined) context.services.bus.invalidate(plan.written);
  }
  out.close(closingBracket);
  out.ascii('}');
  return out.written;
}

/** @returns undefined when the rows do not fit into one message */
async function batchAtOnce(
  context: ModelContext,
  { model, pipeline, allowDiskUse }: AggregatePlan,
): Promise<Buffer[] | undefined> {
  const { max_time_ms } = context.services.settings.query_limits;
  const { collection: aggregate } = model;
  const command = { aggregate, pipeline: pipeline.stages, cursor: {}, allowDiskUse, maxTimeMS: max_time_ms };
  const { rows, isWhole } = await readAtOnce(sourceOf(context), aggregate, command, context.signal);
  pipeline.isSmall = isWhole;
  return isWhole ? rows : undefined;
}

async function readByCursor(
  context: ModelContext,
  plan: AggregatePlan,
  write: (rows: readonly Buffer[]) => void,
): Promise<void> {
  const { pipeline, allowDiskUse, model, writes } = plan;
  const cursor = modelOf(model).collection.aggregate<Buffer>(pipeline.stages as unknown as PipelineStage[], {
    maxTimeMS: context.services.settings.query_limits.max_time_ms,
    allowDiskUse,
    signal: context.signal,
    raw: true,
    ...sessionOption(context.unit?.session),
  });
  let batches = 0;
  try {
    for await (const first of cursor) {
      batches += 1;
      write([first, ...cursor.readBufferedDocuments()]);
    }
    pipeline.isSmall = batches <= 1 && !writes;
  } finally {
    await cursor.close().catch(() => undefined);
  }
}

/** The initial capacity of an answer in bytes. */
const roomAtFirst = 4096;
const closingBracket = 0x5d;
