/** `insert`: inserts documents. */
import { tooLarge } from 'dossier-language/errors';
import { decode } from 'dossier-language/values';
import type { Reply } from '../protocol.ts';
import { withIdFirst } from '../raw-bson.ts';
import { collectionOf, statementsOf } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { eachStatement } from './statements.ts';

async function run(context: Context): Promise<Reply> {
  const { db, view, check } = context;
  const name = collectionOf(context);
  const documents = statementsOf(context, 'documents');
  view.ensure(db, name);
  return eachStatement(context, documents, (given) => {
    if (given.length > context.store.limits.documentBytes)
      throw tooLarge(given.length, context.store.limits.documentBytes);
    const bytes = withIdFirst(given);
    const doc = decode(bytes ?? given);
    const collection = view.ensure(db, name);
    check.check(collection, doc);
    view.insert(collection, doc, bytes);
    return { n: 1 };
  });
}

/** The command `insert`. */
export const insert: Command = {
  name: 'insert',
  summary: 'Inserts documents',
  fields: ['documents', 'ordered', 'bypassDocumentValidation'],
  inTransaction: true,
  kind: 'retryable write',
  run,
};
