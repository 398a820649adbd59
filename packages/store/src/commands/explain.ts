/** `explain`: the plan of a command, and how many documents it examines. */
import { compilePipeline, countAnswer, splitPushdown } from 'dossier-language/aggregate';
import { notSupported, StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import type { Collection } from '../engine/collection.ts';
import { type PreparedQuery, prepareQuery, type Query } from '../engine/query.ts';
import { pipelineContext, type QueryContext } from '../engine/query-context.ts';
import { isInOrder, readGroups } from '../engine/read.ts';
import type { Reply } from '../protocol.ts';
import { collectionNamed, countOf, docOf, docsOf, neededText, textOf } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { accessStage } from './explain-index.ts';
import { explainedCount, explainedDistinct, type KeyPlan } from './explain-keys.ts';
import { findArguments, stagesOf } from './find.ts';
import { version } from './hello.ts';
import { queryContextOf, targetOf, viewOf } from './query-context.ts';

type QueryOf = (body: Doc) => Query;

const statement =
  (list: string, filter: string): QueryOf =>
  (body) => {
    const [first = {}] = docsOf(body, list) ?? [];
    return { filter: docOf(first, filter) ?? {}, hint: first['hint'] };
  };

/** The query of each command that supports `explain`. */
const queries: ReadonlyMap<string, QueryOf> = new Map<string, QueryOf>([
  ['find', findArguments],
  [
    'count',
    (body) => ({
      filter: docOf(body, 'query') ?? {},
      limit: countOf(body, 'limit', 0),
      skip: countOf(body, 'skip', 0),
      hint: body['hint'],
    }),
  ],
  ['distinct', (body) => ({ filter: docOf(body, 'query') ?? {}, hint: body['hint'] })],
  [
    'findAndModify',
    (body) => ({ filter: docOf(body, 'query') ?? {}, sort: docOf(body, 'sort'), hint: body['hint'], limit: 1 }),
  ],
  ['update', statement('updates', 'q')],
  ['delete', statement('deletes', 'q')],
]);

/** Where a command has its collation: at the top level, or in its first statement. */
function collatedPartOf(command: Doc): Doc {
  const [first] = docsOf(command, 'updates') ?? docsOf(command, 'deletes') ?? [];
  return first ?? command;
}

/** The commands that can read views. */
const readers: ReadonlySet<string> = new Set(['find', 'count', 'distinct', 'aggregate']);

const verbosities: ReadonlySet<string> = new Set(['queryPlanner', 'executionStats', 'allPlansExecution']);

function run(context: Context): Promise<Reply> {
  const inner = docOf(context.body, 'explain') ?? {};
  const name = Object.keys(inner)[0] ?? '';
  const verbosity = textOf(context.body, 'verbosity') ?? 'allPlansExecution';
  if (!verbosities.has(verbosity))
    throw new StoreError(9, `verbosity string must be one of ${[...verbosities].join(', ')}`);
  const queryOf = queries.get(name);
  if (queryOf === undefined && name !== 'aggregate') throw notSupported(`explain of '${name}'`);
  const viewed = readers.has(name) ? viewOf(context, collectionNamed(inner[name]), inner) : undefined;
  if (viewed !== undefined) {
    const stages = queryOf === undefined ? (docsOf(inner, 'pipeline') ?? []) : stagesOf(queryOf(inner));
    const collation = viewed.collation?.shown ?? { locale: 'simple' };
    const pipeline = [...viewed.stages, ...stages];
    return explainAggregate(context, { aggregate: viewed.on, pipeline, collation, $db: context.db }, verbosity);
  }
  if (queryOf === undefined) return explainAggregate(context, inner, verbosity);
  const query = queryOf(inner);
  const keyPlan = keyPlanOf(name, inner, query);
  return explainQuery(context, { command: inner, name: collectionNamed(inner[name]), query, verbosity, keyPlan });
}

interface Explained {
  readonly command: Doc;
  readonly name: string;
  readonly query: Query;
  readonly verbosity: string;
  /** The plan by keys alone, if the command has one. */
  readonly keyPlan?: KeyPlanOf | undefined;
}

type KeyPlanOf = (collection: Collection, queryContext: QueryContext) => KeyPlan | undefined;

/** The plan by keys alone of a `count` or `distinct`. */
function keyPlanOf(name: string, body: Doc, query: Query): KeyPlanOf | undefined {
  if (name === 'count') return (collection, queryContext) => explainedCount(collection, query, queryContext);
  if (name !== 'distinct') return undefined;
  const path = neededText(body, 'key');
  return (collection, queryContext) => explainedDistinct(collection, path, query, queryContext);
}

async function explainQuery(context: Context, explained: Explained): Promise<Reply> {
  const { command, name, query, verbosity, keyPlan } = explained;
  const collection = targetOf(context, name);
  const queryContext = { ...queryContextOf(context, name, collatedPartOf(command)), isExplained: true } as const;
  const prepared = prepareQuery(collection, query, queryContext);
  const byKeys = collection.exists ? keyPlan?.(collection, queryContext) : undefined;
  const stage = collection.exists ? (byKeys?.stage ?? winningPlan(prepared, query)) : { stage: 'EOF' };
  const planner: Doc = {
    namespace: collection.ns,
    indexFilterSet: false,
    parsedQuery: query.filter,
    ...(prepared.readPlan.collation ? { collation: prepared.readPlan.collation.shown } : {}),
    winningPlan: stage,
    rejectedPlans: [],
  };
  const statistics =
    verbosity === 'queryPlanner' ? undefined : await statisticsOf(collection, prepared, { stage, byKeys });
  return {
    fields: {
      explainVersion: '1',
      queryPlanner: planner,
      ...(statistics ? { executionStats: statistics } : {}),
      command,
      serverInfo: { host: 'embedded', version },
    },
  };
}

/** Runs the plan. */
async function statisticsOf(
  collection: Collection,
  prepared: PreparedQuery,
  { stage, byKeys }: { readonly stage: Doc; readonly byKeys: KeyPlan | undefined },
): Promise<Doc> {
  const began = performance.now();
  const found = await byKeys?.run();
  let returned = found?.returned ?? 0;
  if (byKeys === undefined)
    for await (const group of readGroups(collection, prepared.readPlan)) returned += group.length;
  return {
    executionSuccess: true,
    nReturned: returned,
    executionTimeMillis: Math.round(performance.now() - began),
    totalKeysExamined: found?.keys ?? prepared.counts.keys,
    totalDocsExamined: found?.documents ?? prepared.counts.documents,
    executionStages: { ...stage, nReturned: returned, ...found?.more },
  };
}

function winningPlan({ readPlan }: PreparedQuery, query: Query): Doc {
  let stage = accessStage(readPlan.plan, query.filter);
  if (!isInOrder(readPlan)) {
    const { plan } = readPlan;
    // documents that are equal in the fields before are sorted among themselves
    const presorted = plan.kind === 'scan' || plan.kind === 'text' ? 0 : plan.use.sortedFields;
    stage = {
      stage: 'SORT',
      sortPattern: query.sort,
      ...(presorted > 0 && { presortedFields: presorted }),
      inputStage: stage,
    };
  }
  if (readPlan.skip > 0) stage = { stage: 'SKIP', skipAmount: readPlan.skip, inputStage: stage };
  if (readPlan.limit > 0) stage = { stage: 'LIMIT', limitAmount: readPlan.limit, inputStage: stage };
  return stage;
}

/** The plan of a pipeline's leading stages, and the stages that follow. */
export async function explainAggregate(context: Context, command: Doc, verbosity = 'queryPlanner'): Promise<Reply> {
  const name = collectionNamed(command['aggregate']);
  const { filter = {}, sort, skip, limit, rest } = splitPushdown(docsOf(command, 'pipeline') ?? []);
  compilePipeline(rest, { ...pipelineContext(queryContextOf(context, name, command)), write: () => Promise.resolve() });
  const query = { filter, sort, skip, limit, hint: command['hint'] };
  const keyPlan = countAnswer(rest) && keyPlanOf('count', command, query);
  const { fields } = await explainQuery(context, { command, name, query, verbosity, keyPlan });
  if (rest.length === 0) return { fields };
  const { queryPlanner, executionStats, ...others } = fields;
  const cursor: Doc = { queryPlanner, ...(executionStats === undefined ? {} : { executionStats }) };
  return { fields: { ...others, stages: [{ $cursor: cursor }, ...rest] } };
}

/** The command `explain`. */
export const explain: Command = {
  name: 'explain',
  summary: 'Describes how a command finds its documents',
  fields: ['verbosity'],
  kind: 'read',
  run,
};
