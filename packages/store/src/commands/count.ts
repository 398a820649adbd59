/** `count` and `distinct`. */
import { countFound } from '../engine/counting.ts';
import { distinctIn, distinctValues } from '../engine/distinct.ts';
import type { Reply } from '../protocol.ts';
import { collectionOf, countOf, docOf, neededText } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { stagesOf } from './find.ts';
import { hasLongParts } from './long-steps.ts';
import { resultsOf, viewSource } from './pipeline-source.ts';
import { queryContextOf, targetOf, viewOf } from './query-context.ts';

async function count(context: Context): Promise<Reply> {
  const { body } = context;
  const name = collectionOf(context);
  const filter = docOf(body, 'query') ?? {};
  const limit = typeof body['limit'] === 'number' ? Math.abs(body['limit']) : countOf(body, 'limit', 0);
  const skip = countOf(body, 'skip', 0);
  const viewed = viewOf(context, name, body);
  if (viewed !== undefined) {
    await context.operation.enter();
    const source = viewSource(context, name, viewed, [...stagesOf({ filter, skip, limit }), { $count: 'n' }]);
    for await (const { n } of resultsOf(source)) return { fields: { n } };
    return { fields: { n: 0 } };
  }
  const collection = targetOf(context, name);
  const query = { filter, skip, limit, hint: body['hint'] };
  return { fields: { n: await countFound(collection, query, queryContextOf(context, collection.name)) } };
}

async function distinct(context: Context): Promise<Reply> {
  const { body } = context;
  const path = neededText(body, 'key');
  const name = collectionOf(context);
  const filter = docOf(body, 'query') ?? {};
  const viewed = viewOf(context, name, body);
  if (viewed !== undefined) {
    await context.operation.enter();
    const found = resultsOf(viewSource(context, name, viewed, stagesOf({ filter })));
    return { fields: { values: [...(await distinctIn(found, path, viewed.collation, context.operation))] } };
  }
  const collection = targetOf(context, name);
  const query = { filter, hint: body['hint'] };
  const values = await distinctValues(collection, path, query, queryContextOf(context, collection.name));
  return { fields: { values: [...values] } };
}

/** The commands of this file. */
export const countCommands: readonly Command[] = [
  {
    name: 'count',
    summary: 'Counts the documents that match a filter',
    fields: ['query', 'limit', 'skip', 'hint', 'collation', 'fields'],
    kind: 'read',
    hasLongSteps: ({ query }) => hasLongParts(query),
    run: count,
  },
  {
    name: 'distinct',
    summary: 'Lists the distinct values of a field',
    fields: ['key', 'query', 'collation', 'hint'],
    inTransaction: true,
    kind: 'read',
    hasLongSteps: ({ query }) => hasLongParts(query),
    run: distinct,
  },
];
