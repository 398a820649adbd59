/** `delete`: takes documents away. */
import { StoreError } from 'dossier-language/errors';
import { toDouble } from 'dossier-language/values';
import { oneByOne, targetsOf } from '../engine/targets.ts';
import type { Doc } from 'dossier-language/values';
import type { Reply } from '../wire/reply.ts';
import { collectionOf, docOf, statementOf, statementsOf } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { surroundingsOf, targetOf } from './surroundings.ts';
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
  const surroundings = surroundingsOf(context, name, statement);
  const targets = await targetsOf(collection, { filter, limit, hint: statement['hint'] }, surroundings);
  let removed = 0;
  for await (const stored of oneByOne(collection, targets, surroundings)) {
    view.remove(collection, stored);
    removed += 1;
  }
  return removed;
}

/** The row of `delete`. */
export const remove: Command = {
  name: 'delete',
  summary: 'Takes documents away',
  fields: ['deletes', 'ordered', 'let'],
  inTransaction: true,
  kind: 'write',
  run,
};
