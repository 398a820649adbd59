/** `/aggregate`: converts a caller's stages to a pipeline and reads its rows one at a time, up to the size limit of an answer. */
import type { Actor } from '../context.ts';
import { answerTooLarge, badPipeline, forbidden } from '../errors/errors.ts';
import { activeFilter } from '../models/deleted.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { Letter } from '../models/letters.ts';
import { modelOf } from '../models/mongoose.ts';
import { type Policy, policyFor } from '../policy/policy.ts';
import { callerKey } from '../policy/principal.ts';
import { modelSuggestion } from '../policy/served-models.ts';
import type { EncodedJson } from '../policy/shaped.ts';
import { readPipeline } from '../query/pipeline.ts';
import type { Stage } from '../query/pipeline-secrets.ts';
import type { Reach } from '../query/pipeline-walk.ts';
import { DocumentEncoder } from './bytes/document-encoder.ts';
import { JsonBytes } from './bytes/json-bytes.ts';
import { cachedAnswer } from './cached.ts';
import type { EncodedAnswer } from './contract.ts';
import { membersForLists, quickMs, type Source, sourceOf } from './fetch.ts';
import { placeOptions } from './in-session.ts';
import type { PipelineIntent } from './intents.ts';
import { readAtOnce } from './one-message.ts';
import { fromPipeline } from './pipeline-failure.ts';
import type { Planner } from './plan-types.ts';
import { type Search, searchOf, seenPipeline } from './seen-pipeline.ts';

/** A pipeline as it is run. */
export interface AggregatePlan {
  readonly policy: Policy;
  readonly pipeline: {
    readonly stages: readonly Stage[];
    readonly search: Search;
    /** Whether its rows came in one message the last time, and sooner than a command could be ended. */
    isSmall: boolean;
    isQuick: boolean;
  };
  readonly allowDiskUse: boolean;
  /** The models whose documents it reads. */
  readonly reads: ReadonlySet<ModelEntry>;
  /** Whether it ends in a stage that writes, and the model that it writes to, if any. */
  readonly writes: boolean;
  readonly written: ModelEntry | undefined;
  /** Whether it gives the same rows until a document changes. */
  readonly isRepeatable: boolean;
  /** The pipeline as the caller has written it, whose operators are named when it fails. */
  readonly source?: unknown;
}

/** A pipeline before it has run. */
export const newPipeline = (stages: readonly Stage[]): AggregatePlan['pipeline'] => ({
  stages,
  search: searchOf(stages),
  isSmall: false,
  isQuick: false,
});

/** What the stages of a pipeline reach, and depend on. */
interface Reached {
  readonly reads: Set<ModelEntry>;
  writes: boolean;
  written: ModelEntry | undefined;
  /** Whether the stages have a date that is relative to the time of the request. */
  isTimed: boolean;
  varies: boolean;
}

/** The constant plans: checking a pipeline costs as much as a small one. */
const plans = new WeakMap<PipelineIntent, AggregatePlan>();

/** @throws 400 for stages that are not allowed, 401 or 403 for missing rights */
export function planAggregate(planner: Planner, intent: PipelineIntent): AggregatePlan {
  const known = plans.get(intent);
  if (known !== undefined) return known;
  const { policy, pipeline: source, showDeleted, allowDiskUse, hook } = intent;
  const reads = new Set([policy.model]);
  const reached: Reached = { reads, writes: false, written: undefined, isTimed: false, varies: false };
  const filter = policy.filter('r', hook, showDeleted ? undefined : activeFilter);
  const collection = { collection: policy.model.collection, view: policy.view, filter };
  const stages = readPipeline(source, collection, reachOf(planner, showDeleted, reached));
  const hasTimedRows = [...reads].some((one) => policyFor(planner.principal, one).isTimed);
  const { writes, written, isTimed, varies } = reached;
  const plan = {
    policy,
    source,
    pipeline: newPipeline(stages),
    allowDiskUse,
    reads,
    writes,
    written,
    isRepeatable: !hasTimedRows && !writes && !varies,
  };
  if (!hasTimedRows && !isTimed) plans.set(intent, plan);
  return plan;
}

/** What the stages of a pipeline may reach. @param reached is changed to what they do reach */
function reachOf({ principal, services }: Planner, showDeleted: boolean, reached: Reached): Reach {
  return {
    caller: principal,
    now: () => {
      reached.isTimed = true;
      return services.clock();
    },
    varies: () => {
      reached.varies = true;
    },
    join: (name) => {
      const joined = joinedModel({ principal, services }, name);
      reached.reads.add(joined);
      const policy = policyFor(principal, joined);
      const filter = policy.filter('r', showDeleted ? undefined : activeFilter);
      return { collection: joined.collection, view: policy.view, filter };
    },
    target: (stage, name) => {
      const target = writeTarget({ principal, services }, stage, name);
      reached.writes = true;
      reached.written = target.model;
      return { collection: target.collection, view: target.model && policyFor(principal, target.model).view };
    },
  };
}

/** The model of a join, by its name or the name of its collection. */
function joinedModel({ services, principal }: Planner, name: string): ModelEntry {
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
export function aggregate(actor: Actor, plan: AggregatePlan): Promise<EncodedAnswer> {
  const { pipeline, reads, policy, allowDiskUse, isRepeatable } = plan;
  const { services } = actor;
  const make = (isKept: boolean): Promise<EncodedAnswer> => {
    const source = sourceOf(actor, plan.writes ? undefined : membersForLists(actor, isKept));
    const run = async (): Promise<EncodedAnswer> => ({ body: await rowsOf(actor, plan, source), headers: {} });
    const { pipelines, quickPipelines } = services.shares;
    return (pipeline.isQuick ? quickPipelines : pipelines)(callerKey(actor), actor, run);
  };
  if (!isRepeatable) return make(false);
  const parts = { model: policy.model.name, stages: pipeline.stages, allowDiskUse };
  return cachedAnswer(actor, { plan, dependencies: () => ({ parts, models: [...reads] }) }, make);
}

async function rowsOf(actor: Actor, plan: AggregatePlan, source: Source): Promise<EncodedJson> {
  const { max_response_size } = actor.services.settings.query_limits;
  const out = new JsonBytes(roomAtFirst, max_response_size);
  // rows of a pipeline are shown unchanged, except for keys that are hidden everywhere
  const encoder = new DocumentEncoder(out, {
    hidden: plan.policy.view.free.hidden,
    fields: undefined,
    withId: false,
  });
  const begun = performance.now();
  let returned = 0;
  let isCut = true;
  const write = (rows: readonly Buffer[]): void => {
    returned += rows.length;
    for (const row of rows) {
      encoder.row(row);
      out.comma();
      if (out.length > max_response_size) throw answerTooLarge(max_response_size);
    }
  };
  out.ascii('{"data":[');
  try {
    const whole = plan.pipeline.isSmall ? await batchAtOnce(actor, plan, source) : undefined;
    if (whole === undefined) await readByCursor(actor, plan, { source, write });
    else write(whole);
    isCut = false;
  } catch (error) {
    throw fromPipeline(error, plan.source);
  } finally {
    // those that fail are seen too, such as those that took too long
    const seen = seenPipeline(plan.policy.model, plan.pipeline.search, { returned, isCut });
    source.watch?.seen(seen, performance.now() - begun);
    if (plan.written !== undefined) actor.services.bus.invalidate(plan.written);
  }
  out.close(closingBracket);
  out.ascii('}');
  return out.written;
}

/** @returns undefined when the rows do not fit into one message */
async function batchAtOnce(
  actor: Actor,
  { policy: { model }, pipeline, allowDiskUse }: AggregatePlan,
  source: Source,
): Promise<Buffer[] | undefined> {
  const { max_time_ms } = actor.services.settings.query_limits;
  const { collection: aggregate } = model;
  const command = { aggregate, pipeline: pipeline.stages, cursor: {}, allowDiskUse, maxTimeMS: max_time_ms };
  const begun = performance.now();
  try {
    const { rows, isWhole } = await readAtOnce(source, aggregate, command, pipeline.isQuick ? undefined : actor.signal);
    pipeline.isSmall = isWhole;
    return isWhole ? rows : undefined;
  } finally {
    pipeline.isQuick = performance.now() - begun < quickMs;
  }
}

async function readByCursor(
  actor: Actor,
  plan: AggregatePlan,
  { source, write }: { readonly source: Source; readonly write: (rows: readonly Buffer[]) => void },
): Promise<void> {
  const { pipeline, allowDiskUse, policy, writes } = plan;
  const cursor = modelOf(policy.model).collection.aggregate<Buffer>([...pipeline.stages], {
    maxTimeMS: actor.services.settings.query_limits.max_time_ms,
    allowDiskUse,
    signal: actor.signal,
    raw: true,
    ...placeOptions(source),
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

/** The initial capacity of an answer in bytes: just below that of buffers which share memory (`Buffer.poolSize`). */
const roomAtFirst = 4000;
const closingBracket = 0x5d;

interface WriteTarget {
  readonly collection: string;
  /** Undefined for a collection without a model. */
  readonly model: ModelEntry | undefined;
}

const needs: Readonly<Record<'$out' | '$merge', readonly Letter[]>> = { $out: ['c', 'd'], $merge: ['c', 'u'] };
/** Names of collections in which servers store credentials, this one or another one with the same database. */
const reserved: ReadonlySet<string> = new Set([
  'users',
  'tokens',
  'refreshtokens',
  'sessions',
  'apikeys',
  'usergroups',
]);
const plainName = /^[A-Za-z][\w-]{0,99}$/;

/** @throws 400 for an invalid name, 403 for a collection that may not be written */
function writeTarget({ services, principal }: Planner, stage: '$out' | '$merge', given: unknown): WriteTarget {
  const name = nameOf(stage, given);
  const { all } = services.registry;
  const model = all.find((entry) => entry.collection === name) ?? all.find((entry) => entry.name === name);
  if (reserved.has(name)) throw forbidden(`${stage} may not write ${name}`);
  if (model === undefined && principal.scopes !== undefined)
    throw forbidden('a key with scopes may not write a collection that belongs to no model');
  if (model === undefined) return { collection: name, model };
  const policy = policyFor(principal, model);
  // only the writers hash or check hidden values, and judge the letters of fields
  const hasFieldLetters = model.fieldPerms.size > 0;
  if (model.name === 'user' || model.options.internal || policy.view.declaresHidden || hasFieldLetters)
    throw forbidden(`${stage} may not write ${model.name}`);
  for (const letter of needs[stage])
    if (policy.rows(letter) !== 'all') throw forbidden(`you may not write ${model.name} by ${stage}`);
  return { collection: model.collection, model };
}

function nameOf(stage: string, given: unknown): string {
  if (typeof given === 'object' && given !== null) throw forbidden(`${stage} may not write other databases`);
  if (typeof given !== 'string' || !plainName.test(given))
    throw badPipeline(`${stage} needs the name of a collection: letters, digits, _ and -`);
  return given;
}
