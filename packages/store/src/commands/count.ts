/** `count` and `distinct`. */
import { StoreError } from 'dossier-language/errors';
import { valuesAt } from 'dossier-language/values';
import { countFound } from '../engine/counting.ts';
import { DistinctValues } from '../engine/distinct-values.ts';
import { prepareQuery } from '../engine/query.ts';
import { readGroups } from '../engine/read.ts';
import type { Reply } from '../protocol.ts';
import { collectionOf, countOf, docOf, neededText } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { queryContextOf, targetOf } from './query-context.ts';

async function count(context: Context): Promise<Reply> {
  const { body } = context;
  const collection = targetOf(context, collectionOf(context));
  const filter = docOf(body, 'query') ?? {};
  const limit = typeof body['limit'] === 'number' ? Math.abs(body['limit']) : countOf(body, 'limit', 0);
  const skip = countOf(body, 'skip', 0);
  const query = { filter, skip, limit, hint: body['hint'] };
  return { fields: { n: await countFound(collection, query, queryContextOf(context, collection.name)) } };
}
const maxAnswerBytes = 16 * 1024 * 1024;

async function distinct(context: Context): Promise<Reply> {
  const { body } = context;
  const path = neededText(body, 'key');
  const collection = targetOf(context, collectionOf(context));
  const filter = docOf(body, 'query') ?? {};
  const query = { filter, hint: body['hint'] };
  const { reading } = prepareQuery(collection, query, queryContextOf(context, collection.name));
  const found = new DistinctValues(reading.collation);
  for await (const group of readGroups(collection, reading)) {
    for (const value of group.flatMap((stored) => valuesAt(stored.doc, path))) found.add(value);
    if (found.size > maxAnswerBytes) throw new StoreError(17217, 'distinct too big, 16mb cap');
  }
  return { fields: { values: found.values } };
}

/** The commands of this file. */
export const countCommands: readonly Command[] = [
  {
    name: 'count',
    summary: 'Counts the documents that match a filter',
    fields: ['query', 'limit', 'skip', 'hint', 'collation', 'fields'],
    kind: 'read',
    run: count,
  },
  {
    name: 'distinct',
    summary: 'Lists the distinct values of a field',
    fields: ['key', 'query', 'collation', 'hint'],
    inTransaction: true,
    kind: 'read',
    run: distinct,
  },
];
