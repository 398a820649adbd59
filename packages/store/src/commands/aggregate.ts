/** `aggregate`: a pipeline over a collection, a database, or the change events. */
import {
  compilePipeline,
  countAnswer,
  fieldsOfPipeline,
  type PipelineContext,
  splitPushdown,
} from 'dossier-language/aggregate';
import { StoreError, tooLarge } from 'dossier-language/errors';
import type { Batches, Doc, Value } from 'dossier-language/values';
import { encode } from 'dossier-language/values';
import { openChangeStream } from '../engine/changes/stream.ts';
import type { Collection } from '../engine/collection.ts';
import { countFound } from '../engine/counting.ts';
import { type CursorSource, sourceOf } from '../engine/cursors.ts';
import type { Limits } from '../engine/limits.ts';
import { prepareQuery } from '../engine/query.ts';
import { pipelineContext, type QueryContext } from '../engine/query-context.ts';
import { documentsIn, oneGroup, readGroups } from '../engine/read.ts';
import { readerOf } from '../engine/stored-document.ts';
import { writerOf } from '../engine/writing-pipeline.ts';
import type { Reply } from '../protocol.ts';
import { collectionNamed, docOf, flagOf, neededDocs } from './arguments.ts';
import type { Command, CommandKind, Context } from './context.ts';
import { batchSizeOf, firstBatch, firstBatchSize } from './cursor-reply.ts';
import { explainAggregate } from './explain.ts';
import { queryContextOf, requestedCollation, targetOf } from './query-context.ts';
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
    if (typeof context.body['aggregate'] !== 'string') return started(context, queryContext, stages, []);
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
    return started(context, queryContext, stages.slice(1), own(context, name, docOf(first, leading) ?? {}));
  }
  return started(context, queryContext, stages, undefined);
}

/** Starts a pipeline. One that writes runs to completion. */
function started(
  context: Context,
  queryContext: QueryContext,
  stages: readonly Doc[],
  given: readonly Doc[] | undefined,
): CursorSource {
  const inner = { ...pipelineContext(queryContext), write: writerOf(context.store, context.batch, queryContext) };
  const batches =
    given === undefined
      ? overCollection(
          targetOf(context, queryContext.collection),
          { stages, hint: context.body['hint'] },
          queryContext,
          inner,
        )
      : compilePipeline(stages, inner)(oneGroup(given));
  const bytesOf = (doc: Doc): Uint8Array => resultBytes(doc, inner.meter.sizes.bytesOf(doc), context.store.limits);
  return sourceOf(`${context.db}.${queryContext.collection}`, queryContext.work, batches, bytesOf);
}

/** Encodes a result. The estimated size is checked first, because a document may share one large value many times. */
function resultBytes(doc: Doc, estimated: number, { documentBytes }: Limits): Uint8Array {
  const bytes = estimated > documentBytes * 8 ? undefined : encode(doc);
  if (bytes !== undefined && bytes.length <= documentBytes) return bytes;
  throw tooLarge(bytes?.length ?? estimated, documentBytes);
}

/** Plans the leading stages as a query, then runs the remaining stages over its results. */
function overCollection(
  collection: Collection,
  { stages, hint }: { readonly stages: readonly Doc[]; readonly hint: Value },
  queryContext: QueryContext,
  inner: PipelineContext,
): Batches {
  const { filter = {}, sort, skip, limit, rest } = splitPushdown(stages);
  const count = countAnswer(rest);
  if (count !== undefined) return counted(countFound(collection, { filter, skip, limit, hint }, queryContext), count);
  const { readPlan, textScore } = prepareQuery(collection, { filter, sort, skip, limit, hint }, queryContext);
  const run = compilePipeline(rest, textScore === undefined ? inner : { ...inner, textScore });
  return run(documentsIn(readGroups(collection, readPlan), readerOf(fieldsOfPipeline(rest))));
}

/** The result of a driver's count: one document, or none if nothing matches. */
async function* counted(found: Promise<number>, answer: (n: number) => Doc): Batches {
  const n = await found;
  if (n > 0) yield [answer(n)];
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
