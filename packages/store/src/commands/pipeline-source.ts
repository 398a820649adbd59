/** The source of a cursor that a pipeline fills: over a collection, over a view, or over given documents. */
import {
  compilePipeline,
  countAnswer,
  fieldsOfPipeline,
  type PipelineContext,
  splitPushdown,
} from 'dossier-language/aggregate';
import { tooLarge } from 'dossier-language/errors';
import type { Batches, Doc, Value } from 'dossier-language/values';
import { decode, encode } from 'dossier-language/values';
import type { Collection } from '../engine/collection.ts';
import { countFound } from '../engine/counting.ts';
import { type CursorSource, sourceOf } from '../engine/cursors.ts';
import type { Limits } from '../engine/limits.ts';
import { prepareQuery } from '../engine/query.ts';
import { pipelineContext, type QueryContext } from '../engine/query-context.ts';
import { documentsIn, oneGroup, readGroups } from '../engine/read.ts';
import { readerOf } from '../engine/stored-document.ts';
import { notOnView, type ResolvedView } from '../engine/view-definition.ts';
import { writerOf } from '../engine/writing-pipeline.ts';
import type { Context } from './context.ts';
import { queryContextOf, targetOf } from './query-context.ts';
import { sourceStages } from './source-stages.ts';

/** A pipeline over a collection. One that writes runs to completion. */
export function pipelineOn(
  context: Context,
  queryContext: QueryContext,
  collection: string,
  stages: readonly Doc[],
): CursorSource {
  const inner = innerOf(context, queryContext);
  const query = { stages, hint: context.body['hint'] };
  return sourceFrom(
    context,
    queryContext,
    inner,
    overCollection(targetOf(context, collection), query, queryContext, inner),
  );
}

/** A pipeline over given documents. */
export function pipelineOver(
  context: Context,
  queryContext: QueryContext,
  stages: readonly Doc[],
  given: readonly Doc[],
): CursorSource {
  const inner = innerOf(context, queryContext);
  return sourceFrom(context, queryContext, inner, compilePipeline(stages, inner)(oneGroup(given)));
}

/** Stages that a view cannot be read by. */
const notOverViews: ReadonlySet<string> = new Set(['$changeStream', ...sourceStages.keys()]);

/** A pipeline over a view. @throws StoreError 166 for a stage that needs a collection */
export function viewSource(context: Context, name: string, view: ResolvedView, stages: readonly Doc[]): CursorSource {
  const [leading = ''] = Object.keys(stages[0] ?? {});
  if (notOverViews.has(leading)) throw notOnView(context.db, name);
  const queryContext = { ...queryContextOf(context, name, {}), collation: view.collation };
  return pipelineOn(context, queryContext, view.on, [...view.stages, ...stages]);
}

/** The results of a source, read to its end. */
export async function* resultsOf(source: CursorSource): AsyncGenerator<Doc> {
  try {
    for (let group = await source.next(); group !== undefined; group = await source.next())
      for (const bytesOf of group) yield decode(bytesOf());
  } finally {
    await source.close();
  }
}

type Inner = PipelineContext & Required<Pick<PipelineContext, 'write'>>;

const innerOf = (context: Context, queryContext: QueryContext): Inner => ({
  ...pipelineContext(queryContext),
  write: writerOf(context.store, context.batch, queryContext),
});

function sourceFrom(context: Context, queryContext: QueryContext, inner: Inner, batches: Batches): CursorSource {
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
