/** `find`: queries one collection. */
import { fieldsOfInclusion } from 'dossier-language/aggregate';
import { noTextScore, notSupported } from 'dossier-language/errors';
import { compileProjection } from 'dossier-language/project';
import type { Doc, Value } from 'dossier-language/values';
import { encode } from 'dossier-language/values';
import type { Collection } from '../engine/collection.ts';
import { type CursorSource, sourceOf } from '../engine/cursors.ts';
import { prepareQuery } from '../engine/query.ts';
import { chargeOf, exprCompiler } from '../engine/query-context.ts';
import { readGroups } from '../engine/read.ts';
import { readerOf } from '../engine/stored-document.ts';
import type { Reply } from '../protocol.ts';
import { collectionOf, countOf, docOf, flagOf } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { firstBatch, firstBatchSize } from './cursor-reply.ts';
import { hasLongParts } from './long-steps.ts';
import { queryContextOf, targetOf } from './query-context.ts';

/** Options that require a MongoDB server; setting them is an error. */
const refused: readonly string[] = ['tailable', 'awaitData', 'min', 'max', 'returnKey', 'showRecordId', 'oplogReplay'];

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

function run(context: Context): Promise<Reply> {
  const { body } = context;
  const args = findArguments(body);
  const size = countOf(body, 'batchSize', firstBatchSize);
  const single = flagOf(body, 'singleBatch') || (typeof body['limit'] === 'number' && body['limit'] < 0);
  const source = findSource(context, targetOf(context, collectionOf(context)), args);
  return firstBatch(context, source, { size, single, noTimeout: flagOf(body, 'noCursorTimeout') });
}

function findSource(context: Context, collection: Collection, args: FindArguments): CursorSource {
  const queryContext = queryContextOf(context, collection.name);
  const prepared = prepareQuery(collection, args, queryContext);
  const groups = readGroups(collection, prepared.readPlan);
  const { projection } = args;
  if (projection === undefined || Object.keys(projection).length === 0) {
    return sourceOf(collection.ns, queryContext.work, groups, ({ bytes }) => bytes);
  }
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
  return sourceOf(collection.ns, queryContext.work, groups, (stored) => encode(project(readDoc(stored))));
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
    ...refused,
  ],
  inTransaction: true,
  kind: 'read',
  hasLongSteps: ({ filter, projection }) => hasLongParts(filter) || hasLongParts(projection),
  run,
};
