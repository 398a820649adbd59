/** `findAndModify`: changes or removes one document and returns it. */
import { StoreError } from 'dossier-language/errors';
import { compileProjection } from 'dossier-language/project';
import { compileFilter } from 'dossier-language/query';
import type { Doc } from 'dossier-language/values';
import type { Collection } from '../engine/collection.ts';
import { findMatched } from '../engine/matched-documents.ts';
import type { Query } from '../engine/query.ts';
import { chargeOf, exprCompiler, filterOptions } from '../engine/query-context.ts';
import { applyUpdate, type Updated } from '../engine/updating.ts';
import type { Reply } from '../protocol.ts';
import { collectionOf, docOf, docsOf, flagOf } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { queryContextOf, targetOf } from './query-context.ts';
import { changeOf } from './update.ts';

async function run(context: Context): Promise<Reply> {
  const { body } = context;
  const name = collectionOf(context);
  const removing = flagOf(body, 'remove');
  const upsert = flagOf(body, 'upsert');
  checkOptions(body, removing, upsert);
  const query: Query = { filter: docOf(body, 'query') ?? {}, sort: docOf(body, 'sort'), hint: body['hint'], limit: 1 };
  const collection = targetOf(context, name);
  return removing ? removeOne(context, collection, query) : updateOne(context, collection, query, upsert);
}

function checkOptions(body: Doc, removing: boolean, upsert: boolean): void {
  const hasUpdate = body['update'] !== undefined && body['update'] !== null;
  if (removing && hasUpdate) throw new StoreError(9, 'Cannot specify both an update and remove=true');
  if (removing && upsert) throw new StoreError(9, 'Cannot specify both upsert=true and remove=true');
  if (removing && flagOf(body, 'new')) {
    throw new StoreError(
      9,
      "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
    );
  }
  if (!removing && !hasUpdate) throw new StoreError(9, 'Either an update or remove=true must be specified');
}

async function removeOne(context: Context, collection: Collection, query: Query): Promise<Reply> {
  const project = projectionOf(context, collection);
  const { first: stored, count } = await findMatched(collection, query, queryContextOf(context, collection.name));
  if (stored !== undefined) context.view.remove(collection, stored);
  return {
    fields: { lastErrorObject: { n: count }, value: stored ? project(stored.doc) : null },
  };
}

async function updateOne(context: Context, collection: Collection, query: Query, upsert: boolean): Promise<Reply> {
  const { body } = context;
  const project = projectionOf(context, collection);
  const result = await applyUpdate(
    collection,
    {
      query,
      change: changeOf(body['update']),
      multi: false,
      upsert,
      arrayFilters: docsOf(body, 'arrayFilters'),
      constants: undefined,
    },
    queryContextOf(context, collection.name),
  );
  const shown = flagOf(body, 'new') ? (result.upserted ?? result.after) : result.before;
  return {
    fields: { lastErrorObject: lastError(result), value: shown ? project(shown.doc) : null },
  };
}

const lastError = ({ matched, upserted }: Updated): Doc =>
  upserted
    ? { n: 1, updatedExisting: false, upserted: upserted.doc['_id'] }
    : { n: matched, updatedExisting: matched > 0 };

/**
 * Compiles the projection of the reply. It is compiled before the write, so that an invalid projection changes nothing.
 */
function projectionOf(context: Context, collection: Collection): (doc: Doc) => Doc {
  const { body } = context;
  const fields = docOf(body, 'fields') ?? docOf(body, 'projection');
  if (fields === undefined || Object.keys(fields).length === 0) return (doc) => doc;
  const queryContext = queryContextOf(context, collection.name);
  const filter = compileFilter(docOf(body, 'query') ?? {}, filterOptions(queryContext));
  return compileProjection(fields, { filter, expr: exprCompiler(queryContext), charge: chargeOf(queryContext) });
}

/** The command `findAndModify`. */
export const findAndModify: Command = {
  name: 'findAndModify',
  aliases: ['findandmodify'],
  summary: 'Changes or removes one document and returns it',
  fields: [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'projection',
    'upsert',
    'bypassDocumentValidation',
    'collation',
    'arrayFilters',
    'hint',
    'let',
  ],
  inTransaction: true,
  kind: 'retryable write',
  run,
};
