/** Stable API V1: what a client with `apiStrict` may use (MongoDB's manual, "Stable API"). */
import { StoreError, unknownName } from 'dossier-language/errors';
import type { Doc, Value } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import { flagOf } from './arguments.ts';
import type { Command } from './context.ts';

/** The commands of API V1 that the store implements. */
export const stableCommands: ReadonlySet<string> = new Set([
  'abortTransaction',
  'aggregate',
  'collMod',
  'commitTransaction',
  'count',
  'create',
  'createIndexes',
  'delete',
  'drop',
  'dropDatabase',
  'dropIndexes',
  'endSessions',
  'explain',
  'find',
  'findAndModify',
  'getMore',
  'hello',
  'insert',
  'killCursors',
  'listCollections',
  'listDatabases',
  'listIndexes',
  'ping',
  'refreshSessions',
  'saslContinue',
  'saslStart',
  'update',
]);

/** Unstable fields of stable commands. */
const unstableFields: ReadonlyMap<string, readonly string[]> = new Map([
  ['aggregate', ['explain']],
  ['create', ['autoIndexId', 'capped', 'indexOptionDefaults', 'max', 'size', 'storageEngine']],
  ['find', ['awaitData', 'max', 'min', 'noCursorTimeout', 'oplogReplay', 'returnKey', 'showRecordId', 'tailable']],
]);

const unstableIndexFields = ['background', 'bucketSize', 'sparse', 'storageEngine'];

const unstableStages: ReadonlySet<string> = new Set([
  '$currentOp',
  '$indexStats',
  '$listLocalSessions',
  '$listSearchIndexes',
  '$listSessions',
  '$planCacheStats',
  '$search',
  '$searchMeta',
  '$vectorSearch',
]);

const strictError = (message: string): StoreError => new StoreError(323, message);

/**
 * Checks `apiVersion`, `apiStrict` and `apiDeprecationErrors`; V1 has no deprecated parts.
 * @throws StoreError 322 for another version, 4886600 without a version, 323 for a part outside of V1
 */
export function checkStableApi({ name }: Command, body: Doc): void {
  const { apiVersion } = body;
  if (apiVersion === undefined) {
    if (body['apiStrict'] === undefined && body['apiDeprecationErrors'] === undefined) return;
    throw new StoreError(4886600, 'Provided apiStrict and/or apiDeprecationErrors without passing apiVersion');
  }
  if (apiVersion !== '1') throw unknownName(322, 'API version must be "1"');
  if (flagOf(body, 'apiStrict')) checkStrict(name, body);
}

function checkStrict(name: string, body: Doc): void {
  if (!stableCommands.has(name))
    throw strictError(
      `Provided apiStrict:true, but the command ${name} is not in API Version 1. Information on supported commands and migrations in API Version 1 can be found at https://dochub.mongodb.org/core/manual-versioned-api.`,
    );
  for (const field of unstableFields.get(name) ?? []) if (Object.hasOwn(body, field)) throw unstableField(name, field);
  if (name === 'aggregate') checkPipeline(body['pipeline']);
  if (name === 'createIndexes') for (const index of docsIn(body['indexes'])) checkIndex(index);
  const { explain: explained } = body;
  if (name === 'explain' && isDoc(explained)) checkStrict(Object.keys(explained)[0] ?? '', explained);
}

const unstableField = (name: string, field: string): StoreError =>
  strictError(`BSON field '${name}.${field}' is not allowed with apiStrict:true.`);

const docsIn = (value: Value): readonly Doc[] => (Array.isArray(value) ? value.filter(isDoc) : []);

function checkIndex(index: Doc): void {
  for (const field of unstableIndexFields) {
    if (Object.hasOwn(index, field)) throw unstableField('createIndexes.indexes', field);
  }
  const { key } = index;
  if (isDoc(key) && Object.values(key).includes('text'))
    throw strictError('The index type text is not allowed with apiStrict:true.');
}

/** Checks the pipelines inside of stages too. */
function checkPipeline(pipeline: Value): void {
  for (const stage of docsIn(pipeline)) {
    for (const [name, operand] of Object.entries(stage)) checkStage(name, operand);
  }
}

function checkStage(name: string, operand: Value): void {
  const partly = name === '$collStats' && isDoc(operand) && Object.keys(operand).some((field) => field !== 'count');
  if (partly || unstableStages.has(name))
    throw strictError(`${name} is not allowed with 'apiStrict: true' in API Version 1`);
  if (!isDoc(operand)) return;
  if (name === '$facet') Object.values(operand).forEach(checkPipeline);
  else if (name === '$lookup' || name === '$unionWith') checkPipeline(operand['pipeline']);
}
