/** `explain`: the plan of a command, and how many documents it examines. */
import { compilePipeline, splitPushdown } from 'dossier-language/aggregate';
import { notSupported, StoreError } from 'dossier-language/errors';
import type { Doc, Value } from 'dossier-language/values';
import type { Plan } from '../engine/planner.ts';
import { type PreparedQuery, prepareQuery, type Query } from '../engine/query.ts';
import { pipelineContext } from '../engine/query-context.ts';
import { isInOrder, readGroups } from '../engine/read.ts';
import type { Reply } from '../protocol.ts';
import { collectionNamed, countOf, docOf, docsOf, textOf } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { findArguments } from './find.ts';
import { version } from './hello.ts';
import { queryContextOf, targetOf } from './query-context.ts';

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

const verbosities: ReadonlySet<string> = new Set(['queryPlanner', 'executionStats', 'allPlansExecution']);

function run(context: Context): Promise<Reply> {
  const inner = docOf(context.body, 'explain') ?? {};
  const name = Object.keys(inner)[0] ?? '';
  const verbosity = textOf(context.body, 'verbosity') ?? 'allPlansExecution';
  if (!verbosities.has(verbosity))
    throw new StoreError(9, `verbosity string must be one of ${[...verbosities].join(', ')}`);
  if (name === 'aggregate') return explainAggregate(context, inner, verbosity);
  const queryOf = queries.get(name);
  if (queryOf === undefined) throw notSupported(`explain of '${name}'`);
  return explainQuery(context, {
    command: inner,
    name: collectionNamed(inner[name]),
    query: queryOf(inner),
    verbosity,
  });
}

interface Explained {
  readonly command: Doc;
  readonly name: string;
  readonly query: Query;
  readonly verbosity: string;
}

async function explainQuery(context: Context, { command, name, query, verbosity }: Explained): Promise<Reply> {
  const collection = targetOf(context, name);
  const prepared = prepareQuery(collection, query, queryContextOf(context, name, collatedPartOf(command)));
  const stage = collection.exists ? winningPlan(prepared, query) : { stage: 'EOF' };
  const planner: Doc = {
    namespace: collection.ns,
    indexFilterSet: false,
    parsedQuery: query.filter,
    ...(prepared.reading.collation ? { collation: prepared.reading.collation.shown } : {}),
    winningPlan: stage,
    rejectedPlans: [],
  };
  const began = performance.now();
  let returned = 0;
  if (verbosity !== 'queryPlanner') {
    for await (const group of readGroups(collection, prepared.reading)) returned += group.length;
  }
  const statistics: Doc = {
    executionSuccess: true,
    nReturned: returned,
    executionTimeMillis: Math.round(performance.now() - began),
    totalKeysExamined: prepared.counts.keys,
    totalDocsExamined: prepared.counts.documents,
    executionStages: { ...stage, nReturned: returned },
  };
  return {
    fields: {
      explainVersion: '1',
      queryPlanner: planner,
      ...(verbosity === 'queryPlanner' ? {} : { executionStats: statistics }),
      command,
      serverInfo: { host: 'embedded', version },
    },
  };
}

function winningPlan({ reading }: PreparedQuery, query: Query): Doc {
  let stage = accessStage(reading.plan, query.filter);
  if (!isInOrder(reading)) {
    stage = { stage: 'SORT', sortPattern: query.sort, inputStage: stage };
  }
  if (reading.skip > 0) stage = { stage: 'SKIP', skipAmount: reading.skip, inputStage: stage };
  if (reading.limit > 0) stage = { stage: 'LIMIT', limitAmount: reading.limit, inputStage: stage };
  return stage;
}

function accessStage(plan: Plan, filter: Doc): Doc {
  if (plan.kind === 'text') return { stage: 'TEXT_MATCH', filter };
  if (plan.kind === 'all') return { stage: 'COLLSCAN', filter, direction: plan.backwards ? 'backward' : 'forward' };
  const { tree, backwards, shown } = plan.use;
  const bounds: Record<string, Value> = {};
  for (const [path, intervals] of shown) bounds[path] = intervals.map(({ low, high }) => [low, high]);
  return {
    stage: 'FETCH',
    filter,
    inputStage: {
      stage: 'IXSCAN',
      keyPattern: tree.spec.key,
      indexName: tree.spec.name,
      ...(tree.spec.collation ? { collation: tree.spec.collation.shown } : {}),
      isMultiKey: tree.multikey,
      isUnique: tree.spec.unique,
      isSparse: tree.spec.sparse,
      isPartial: tree.spec.partial !== undefined,
      direction: backwards ? 'backward' : 'forward',
      indexBounds: bounds,
    },
  };
}

/** The plan of a pipeline's leading stages, and the stages that follow. */
export async function explainAggregate(context: Context, command: Doc, verbosity = 'queryPlanner'): Promise<Reply> {
  const name = collectionNamed(command['aggregate']);
  const { filter = {}, sort, skip, limit, rest } = splitPushdown(docsOf(command, 'pipeline') ?? []);
  compilePipeline(rest, { ...pipelineContext(queryContextOf(context, name, command)), write: () => Promise.resolve() });
  const query = { filter, sort, skip, limit, hint: command['hint'] };
  const { fields } = await explainQuery(context, { command, name, query, verbosity });
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
