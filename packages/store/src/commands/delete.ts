/** `delete`: removes documents. */
import { StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import { toDouble } from 'dossier-language/values';
import { findMatched, oneByOne } from '../engine/matched-documents.ts';
import type { Reply } from '../protocol.ts';
import { collectionOf, docOf, statementOf, statementsOf } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { queryContextOf, targetOf } from './query-context.ts';
import { eachStatement } from './statements.ts';

const statementFields: ReadonlySet<string> = new Set(['q', 'limit', 'collation', 'hint']);

async function run(context: Context): Promise<Reply> {
  const name = collectionOf(context);
  const statements = statementsOf(context, 'deletes').map((bytes) =>
    statementOf(bytes, statementFields, 'delete.deletes'),
  );
  return eachStatement(context, statements, async (statement) => ({ n: await runOne(context, name, statement) }));
}

async function runOne(context: Context, name: string, statement: Doc): Promise<number> {
  const { view } = context;
  const filter = docOf(statement, 'q');
  const limit = toDouble(statement['limit']);
  if (filter === undefined)
    throw new StoreError(40414, "BSON field 'delete.deletes.q' is missing but a required field");
  if (limit !== 0 && limit !== 1) throw new StoreError(9, 'The limit field in delete objects must be 0 or 1');
  const collection = targetOf(context, name);
  const queryContext = queryContextOf(context, name, statement);
  const targets = await findMatched(collection, { filter, limit, hint: statement['hint'] }, queryContext);
  let removed = 0;
  for await (const stored of oneByOne(collection, targets, queryContext)) {
    view.remove(collection, stored);
    removed += 1;
  }
  return removed;
}

/** The command `delete`. */
export const remove: Command = {
  name: 'delete',
  summary: 'Removes documents',
  fields: ['deletes', 'ordered', 'let'],
  inTransaction: true,
  kind: 'retryable write',
  run,
};
