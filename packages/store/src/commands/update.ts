/** `update`: updates documents, or inserts one if an upsert matches none. */
import { StoreError } from 'dossier-language/errors';
import type { Doc, Value } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import { applyUpdate, type Update, type Updated } from '../engine/updating.ts';
import type { Reply } from '../protocol.ts';
import { collectionOf, docOf, docsOf, flagOf, statementOf, statementsOf } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { queryContextOf, targetOf } from './query-context.ts';
import { eachStatement } from './statements.ts';

const statementFields: ReadonlySet<string> = new Set([
  'q',
  'u',
  'c',
  'upsert',
  'multi',
  'collation',
  'arrayFilters',
  'hint',
  'sort',
]);

async function run(context: Context): Promise<Reply> {
  const name = collectionOf(context);
  const statements = statementsOf(context, 'updates').map((bytes) =>
    statementOf(bytes, statementFields, 'update.updates'),
  );
  const { fields } = await eachStatement(context, statements, async (statement) => {
    const { matched, modified, upserted } = await runOne(context, name, statement);
    return { n: upserted ? 1 : matched, nModified: modified, upserted: upserted?.doc };
  });
  return { fields: { n: 0, nModified: 0, ...fields } };
}

const runOne = (context: Context, name: string, statement: Doc): Promise<Updated> =>
  applyUpdate(targetOf(context, name), updateOf(statement), queryContextOf(context, name, statement));

function updateOf(statement: Doc): Update {
  const filter = docOf(statement, 'q');
  if (filter === undefined)
    throw new StoreError(40414, "BSON field 'update.updates.q' is missing but a required field");
  const multi = flagOf(statement, 'multi');
  const sort = docOf(statement, 'sort');
  if (multi && sort !== undefined) throw new StoreError(9, 'Cannot specify sort with multi=true');
  return {
    query: { filter, sort, hint: statement['hint'] },
    change: changeOf(statement['u']),
    multi,
    upsert: flagOf(statement, 'upsert'),
    arrayFilters: docsOf(statement, 'arrayFilters'),
    constants: docOf(statement, 'c'),
  };
}

/** An update is a document of operators, a replacement document, or a pipeline. */
export function changeOf(value: Value): Doc | readonly Doc[] {
  if (isDoc(value)) return value;
  if (Array.isArray(value) && value.every(isDoc)) return value;
  throw new StoreError(9, 'Update argument must be either an object or an array');
}

/** The command `update`. */
export const update: Command = {
  name: 'update',
  summary: 'Changes documents',
  fields: ['updates', 'ordered', 'let', 'bypassDocumentValidation'],
  inTransaction: true,
  kind: 'retryable write',
  run,
};
