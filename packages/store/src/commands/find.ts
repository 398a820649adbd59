/** `find`: queries one collection. */
import { fieldsOfInclusion } from 'dossier-language/aggregate';
import { noTextScore, notSupported, StoreError } from 'dossier-language/errors';
import { compileProjection } from 'dossier-language/project';
import type { Doc, Value } from 'dossier-language/values';
import { encode, isDoc } from 'dossier-language/values';
import type { Collection } from '../engine/collection.ts';
import { type CursorSource, sourceOf } from '../engine/cursors.ts';
import { type PreparedQuery, prepareQuery } from '../engine/query.ts';
import { chargeOf, exprCompiler, type QueryContext } from '../engine/query-context.ts';
import { readGroups } from '../engine/read.ts';
import { readerOf, type StoredDocument } from '../engine/stored-document.ts';
import { Tailable } from '../engine/tailing.ts';
import { notOnView } from '../engine/view-definition.ts';
import type { Reply } from '../protocol.ts';
import { collectionOf, countOf, docOf, flagOf } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { firstBatch, firstBatchSize } from './cursor-reply.ts';
import { hasLongParts } from './long-steps.ts';
import { viewSource } from './pipeline-source.ts';
import { queryContextOf, targetOf, viewOf } from './query-context.ts';

/** Options that require a MongoDB server; setting them is an error. */
const refused: readonly string[] = ['min', 'max', 'returnKey', 'showRecordId', 'oplogReplay'];

/** The fields of `find`, which `explain` reads too. */
export interface FindArguments {
  readonly filter: Doc;
  readonly sort: Doc | undefined;
  readonly projection: Doc | undefined;
  readonly skip: number;
  readonly limit: number;
  readonly hint: Value;
}

/** Reads the arguments of `find`. */
export function findArguments(body: Doc): FindArguments {
  for (const option of refused) {
    const value = body[option];
    if (value !== undefined && value !== false && value !== null) throw notSupported(`the option '${option}' of find`);
  }
  return {
    filter: docOf(body, 'filter') ?? {},
    sort: docOf(body, 'sort'),
    projection: docOf(body, 'projection'),
    skip: countOf(body, 'skip', 0),
    limit: limitOf(body),
    hint: body['hint'],
  };
}

/** A negative limit means a single batch. */
function limitOf(body: Doc): number {
  const { limit } = body;
  return typeof limit === 'number' && limit < 0 ? -limit : countOf(body, 'limit', 0);
}

/** A query as the stages of a pipeline, for views. */
export const stagesOf = ({ filter, sort, skip, limit, projection }: Partial<FindArguments>): readonly Doc[] => [
  ...(filter && Object.keys(filter).length > 0 ? [{ $match: filter }] : []),
  ...(sort && Object.keys(sort).length > 0 ? [{ $sort: sort }] : []),
  ...(skip === undefined || skip === 0 ? [] : [{ $skip: skip }]),
  ...(limit === undefined || limit === 0 ? [] : [{ $limit: limit }]),
  ...(projection && Object.keys(projection).length > 0 ? [{ $project: projection }] : []),
];

async function run(context: Context): Promise<Reply> {
  const { body } = context;
  const args = findArguments(body);
  const name = collectionOf(context);
  const viewed = viewOf(context, name, body);
  if (viewed) {
    if (flagOf(body, 'tailable')) throw notOnView(context.db, name);
    await context.operation.enter();
  }
  const size = countOf(body, 'batchSize', firstBatchSize);
  const single = flagOf(body, 'singleBatch') || (typeof body['limit'] === 'number' && body['limit'] < 0);
  const source = viewed
    ? viewSource(context, name, viewed, stagesOf(args))
    : findSource(context, targetOf(context, name), args);
  return firstBatch(context, source, { size, single, noTimeout: flagOf(body, 'noCursorTimeout') });
}

function findSource(context: Context, collection: Collection, args: FindArguments): CursorSource {
  const queryContext = queryContextOf(context, collection.name);
  const prepared = prepareQuery(collection, args, queryContext);
  const bytesOf = resultBytes(args, prepared, queryContext);
  if (isTailable(context, collection, args)) {
    const { filterDoc } = prepared.readPlan;
    return new Tailable(context.store, collection, queryContext, {
      awaitsData: flagOf(context.body, 'awaitData'),
      skip: args.skip,
      limit: args.limit,
      matches: (stored) => prepared.matcher.matches(filterDoc(stored)),
      bytesOf,
    });
  }
  return sourceOf(collection.ns, queryContext.work, readGroups(collection, prepared.readPlan), bytesOf);
}

/** Whether the cursor is tailable. @throws StoreError 2, 9 or 263 if it cannot be */
function isTailable({ body, view }: Context, collection: Collection, { sort, hint }: FindArguments): boolean {
  const tailable = flagOf(body, 'tailable');
  if (!tailable) {
    if (flagOf(body, 'awaitData')) throw new StoreError(9, "Cannot set 'awaitData' without also setting 'tailable'");
    return false;
  }
  const isNatural = (order: Value): boolean =>
    isDoc(order) && Object.keys(order)[0] === '$natural' && order['$natural'] === 1;
  if (flagOf(body, 'singleBatch')) throw new StoreError(9, "Cannot use tailable option with 'singleBatch'");
  if (sort !== undefined && Object.keys(sort).length > 0 && !isNatural(sort))
    throw new StoreError(2, 'cannot use tailable option with a sort other than {$natural: 1}');
  if (hint !== undefined && !isNatural(hint))
    throw new StoreError(2, 'cannot use tailable option with a hint other than {$natural: 1}');
  if (view.transaction) throw new StoreError(263, 'a tailable cursor cannot be opened in a transaction');
  if (collection.exists && collection.options.cap === undefined)
    throw new StoreError(2, 'error processing query: tailable cursor requested on non capped collection');
  return collection.exists;
}

/** The encoding of a result: the document, or its projection. */
function resultBytes(
  { projection }: FindArguments,
  prepared: PreparedQuery,
  queryContext: QueryContext,
): (stored: StoredDocument) => Uint8Array {
  if (projection === undefined || Object.keys(projection).length === 0) return ({ bytes }) => bytes;
  if (mentionsScore(projection) && prepared.textScore === undefined) {
    throw noTextScore();
  }
  const readDoc = readerOf(fieldsOfInclusion(projection));
  const project = compileProjection(projection, {
    filter: prepared.matcher,
    expr: exprCompiler(queryContext),
    charge: chargeOf(queryContext),
    ...(prepared.textScore ? { textScore: prepared.textScore } : {}),
  });
  return (stored) => encode(project(readDoc(stored)));
}

const mentionsScore = (projection: Doc): boolean =>
  Object.values(projection).some(
    (value) => typeof value === 'object' && value !== null && '$meta' in value && value.$meta === 'textScore',
  );

/** The command `find`. */
export const find: Command = {
  name: 'find',
  summary: 'Returns the documents that match a filter',
  fields: [
    'filter',
    'sort',
    'projection',
    'hint',
    'skip',
    'limit',
    'batchSize',
    'singleBatch',
    'collation',
    'let',
    'allowDiskUse',
    'noCursorTimeout',
    'allowPartialResults',
    'tailable',
    'awaitData',
    ...refused,
  ],
  inTransaction: true,
  kind: 'read',
  hasLongSteps: ({ filter, projection }) => hasLongParts(filter) || hasLongParts(projection),
  run,
};
