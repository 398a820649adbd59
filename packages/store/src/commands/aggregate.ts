/** `aggregate`: a pipeline over a collection, a database, or the change events. */
import { compilePipeline } from 'dossier-language/aggregate';
import { StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import { openChangeStream } from '../engine/changes/stream.ts';
import type { CursorSource } from '../engine/cursors.ts';
import { pipelineContext } from '../engine/query-context.ts';
import type { Reply } from '../protocol.ts';
import { collectionNamed, docOf, flagOf, neededDocs } from './arguments.ts';
import type { Command, CommandKind, Context } from './context.ts';
import { batchSizeOf, firstBatch, firstBatchSize } from './cursor-reply.ts';
import { explainAggregate } from './explain.ts';
import { pipelineOn, pipelineOver, viewSource } from './pipeline-source.ts';
import { queryContextOf, requestedCollation, viewOf } from './query-context.ts';
import { sourceStages } from './source-stages.ts';

async function run(context: Context): Promise<Reply> {
  const { body } = context;
  const stages = neededDocs(body, 'pipeline');
  if (flagOf(body, 'explain')) return explainAggregate(context, body);
  const cursor = docOf(body, 'cursor');
  if (cursor === undefined) {
    throw new StoreError(9, "The 'cursor' option is required, except for aggregate with the explain argument");
  }
  const size = batchSizeOf(cursor, firstBatchSize);
  return firstBatch(context, await pipelineSource(context, stages), { size });
}

/** The collection of the command; `$cmd.aggregate` for a pipeline on the whole database. */
const nameOf = ({ body }: Context): string =>
  typeof body['aggregate'] === 'string' ? collectionNamed(body['aggregate']) : '$cmd.aggregate';

async function pipelineSource(context: Context, stages: readonly Doc[]): Promise<CursorSource> {
  const name = nameOf(context);
  const viewed = viewOf(context, name, context.body);
  if (viewed !== undefined) return viewSource(context, name, viewed, stages);
  const [first] = stages;
  const leading = first === undefined ? undefined : Object.keys(first)[0];
  if (first !== undefined && leading === '$changeStream') {
    // unlike a query, a change stream does not inherit the collection's collation
    return openChangeStream(
      context.store,
      { ...queryContextOf(context, name), collation: requestedCollation(context.body) },
      docOf(first, '$changeStream') ?? {},
      stages.slice(1),
    );
  }
  const own = leading === undefined ? undefined : sourceStages.get(leading);
  const queryContext = queryContextOf(context, name);
  if (leading === '$documents') {
    if (typeof context.body['aggregate'] !== 'string') return pipelineOver(context, queryContext, stages, []);
    throw new StoreError(73, `'$documents' can only be run with {aggregate: 1}`);
  }
  if (own === undefined && typeof context.body['aggregate'] !== 'string') {
    compilePipeline(stages, pipelineContext(queryContext));
    throw new StoreError(
      73,
      `{aggregate: 1} is not valid for '${leading ?? 'an empty pipeline'}'; a collection is required.`,
    );
  }
  if (first !== undefined && leading !== undefined && own !== undefined) {
    return pipelineOver(context, queryContext, stages.slice(1), own(context, name, docOf(first, leading) ?? {}));
  }
  return pipelineOn(context, queryContext, name, stages);
}

/** A pipeline that ends in `$out` or `$merge` is a write. */
function kindOf(body: Doc): CommandKind {
  const { pipeline } = body;
  const last = Array.isArray(pipeline) ? pipeline.at(-1) : undefined;
  const writes = typeof last === 'object' && last !== null && ('$out' in last || '$merge' in last);
  return writes ? 'write' : 'read';
}

/** The row of `aggregate`. */
export const aggregate: Command = {
  name: 'aggregate',
  summary: 'Runs a pipeline over documents',
  fields: [
    'pipeline',
    'cursor',
    'explain',
    'allowDiskUse',
    'bypassDocumentValidation',
    'collation',
    'hint',
    'let',
    'batchSize',
  ],
  inTransaction: true,
  kind: kindOf,
  hasLongSteps: () => true,
  run,
};
