/** `count` and `distinct`. */
import { StoreError } from '../errors.ts';
import { countFound } from '../engine/counting.ts';
import { DistinctValues } from '../engine/distinct-values.ts';
import { prepareQuery } from '../engine/query.ts';
import { readGroups } from '../engine/read.ts';
import { valuesAt } from '../values/path.ts';
import type { Reply } from '../wire/reply.ts';
import { collectionOf, countOf, docOf, neededText } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { surroundingsOf } from './surroundings.ts';

async function count(context: Context): Promise<Reply> {
  const { body, db, view } = context;
  const collection = view.find(db, collectionOf(context));
  const filter = docOf(body, 'query') ?? {};
  const limit = typeof body['limit'] === 'number' ? Math.abs(body['limit']) : countOf(body, 'limit', 0);
  const skip = countOf(body, 'skip', 0);
  const query = { filter, skip, limit, hint: body['hint'] };
  const n = collection ? await countFound(collection, query, surroundingsOf(context, collection.name)) : 0;
  return { fields: { n } };
}
const longestAnswer = 16 * 1024 * 1024;

async function distinct(context: Context): Promise<Reply> {
  const { body, db, view } = context;
  const path = neededText(body, 'key');
  const collection = view.find(db, collectionOf(context));
  const filter = docOf(body, 'query') ?? {};
  if (collection === undefined) return { fields: { values: [] } };
  const query = { filter, hint: body['hint'] };
  const { reading } = prepareQuery(collection, query, surroundingsOf(context, collection.name));
  const found = new DistinctValues(reading.collation);
  for await (const group of readGroups(collection, reading)) {
    for (const value of group.flatMap((stored) => valuesAt(stored.doc, path))) found.add(value);
    if (found.size > longestAnswer) throw new StoreError(17217, 'distinct too big, 16mb cap');
  }
  return { fields: { values: found.values } };
}

/** The rows of this file. */
export const countCommands: readonly Command[] = [
  {
    name: 'count',
    summary: 'How many documents a filter finds',
    fields: ['query', 'limit', 'skip', 'hint', 'collation', 'fields'],
    kind: 'read',
    run: count,
  },
  {
    name: 'distinct',
    summary: 'The different values of a field',
    fields: ['key', 'query', 'collation', 'hint'],
    inTransaction: true,
    kind: 'read',
    run: distinct,
  },
];
