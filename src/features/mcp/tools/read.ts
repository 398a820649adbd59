/** The tools that read. */
import { badBody, badFilter, isPlainObject, shapes } from '../../../core.ts';
import type { ArgumentRow } from './arguments.ts';
import type { Call, Hints, ToolRow } from './contract.ts';
import { checkSize, countedPage, pageWithin, rowsFor } from './pages.ts';

const reads: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const model: ArgumentRow = { name: 'model', kind: 'text', isRequired: true, meaning: 'The name of the model' };
const id: ArgumentRow = { name: 'id', kind: 'id', isRequired: true, meaning: 'The _id of the document' };
const filter: ArgumentRow = {
  name: 'filter',
  kind: 'object',
  meaning:
    'Selects documents: {"year": 1999}, {"year": {"$gte": 1990, "$lt": 2000}}, {"title": {"$regex": "^The", "$options": "i"}}, {"tag": {"$in": ["a", "b"]}}, {"$or": [{…}, {…}]}. Also $eq, $ne, $gt, $lte, $nin, $all, $size, $exists, $and, $nor. null finds missing values, too. Nested fields are dotted: "address.city". Dates are ISO 8601 texts in UTC, such as "2024-05-31T00:00:00Z". Links are compared by _id',
};
const search: ArgumentRow = {
  name: 'search',
  kind: 'search',
  meaning: 'Words for the text index of the model, or {"title": "part of it"} for text within a field',
};
const showDeleted: ArgumentRow = { name: 'showDeleted', kind: 'flag', meaning: 'Shows soft-deleted documents, too' };
const fields: ArgumentRow = {
  name: 'fields',
  kind: 'texts',
  meaning: 'The fields to show, which makes the result small: ["title", "year"]; ["-body"] leaves fields out',
};
const populate: ArgumentRow = {
  name: 'populate',
  kind: 'texts',
  meaning: 'The links whose documents are shown beside their ids, such as ["director_id"]',
};
const limit: ArgumentRow = { name: 'limit', kind: 'whole', meaning: 'Rows of the result: 20 by default, at most 100' };
const after: ArgumentRow = {
  name: 'after',
  kind: 'text',
  meaning: 'next_cursor of the result before, to continue it; the other arguments stay the same',
};
const paged = { limit: shapes.integer, next_cursor: shapes.text };

/** The arguments with these names, which are options of the client. */
function options({ given }: Call, ...names: readonly string[]): Readonly<Record<string, never>> {
  const found = names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]);
  return Object.fromEntries(found) as Record<string, never>;
}

const idOf = ({ given }: Call): string => given['id'] as string;

export const readTools: readonly ToolRow[] = [
  {
    name: 'list_models',
    title: 'List models',
    description:
      'Lists the models (kinds of documents) that you may use, with their fields, types, links, indexes and callable functions. Start here.',
    operations: ['models.list'],
    hints: reads,
    arguments: [limit, after],
    shows: ['data'],
    adds: paged,
    run: ({ given, sender }) => countedPage(given, async (skip, rows) => (await list(sender)).slice(skip, skip + rows)),
  },
  {
    name: 'describe_model',
    title: 'Describe a model',
    description:
      'Describes one model: each field with its type, whether it is required, its enum values and the model that it links to; the advanced_queries that are on, and what may be called.',
    operations: ['models.get'],
    hints: reads,
    arguments: [model],
    shows: ['data'],
    run: async ({ given, sender }) =>
      checkSize(await sender.json<object>({ ...read('models.get'), params: { name: String(given['model']) } })),
  },
  {
    name: 'find',
    title: 'Find documents',
    description:
      'Lists documents of a model. Use fields to keep it small, sort for the order ("-year" downwards), count for numbers and aggregate for sums and groups. Where the result has next_cursor there are more: call again with it as after.',
    operations: ['documents.list'],
    hints: reads,
    arguments: [
      model,
      filter,
      search,
      { name: 'sort', kind: 'sort', meaning: 'Order: "-year", ["-year", "title"] or {"year": -1}' },
      fields,
      populate,
      limit,
      after,
      showDeleted,
    ],
    shows: ['data', 'limit', 'next_cursor'],
    run: (call) =>
      pageWithin(rowsFor(call.given['limit']), (rows) =>
        call.model.list({
          ...options(call, 'filter', 'search', 'sort', 'fields', 'populate', 'after', 'showDeleted'),
          limit: rows,
        }),
      ),
  },
  {
    name: 'get',
    title: 'Get a document',
    description: 'Reads one document by its _id.',
    operations: ['documents.get'],
    hints: reads,
    arguments: [model, id, fields, populate, showDeleted],
    shows: ['data'],
    run: async (call) =>
      checkSize({ data: await call.model.one(idOf(call), options(call, 'fields', 'populate', 'showDeleted')) }),
  },
  {
    name: 'count',
    title: 'Count documents',
    description: 'Counts the documents of a model that match a filter; -1 where there are too many to be counted.',
    operations: ['documents.count'],
    hints: reads,
    arguments: [model, filter, showDeleted],
    shows: ['count'],
    run: async (call) => ({ count: await call.model.count(options(call, 'filter', 'showDeleted')) }),
  },
  {
    name: 'distinct',
    title: 'List the values of a field',
    description: 'Lists the different values of a field with their counts, the most frequent first.',
    operations: ['documents.distinct'],
    hints: reads,
    arguments: [
      model,
      { name: 'path', kind: 'text', isRequired: true, meaning: 'The field, such as "genre" or "address.city"' },
      filter,
      search,
      limit,
      after,
      showDeleted,
    ],
    shows: ['data'],
    adds: paged,
    run: (call) => countedPage(call.given, (skip, rows) => valuesOf(call, skip, rows)),
  },
  {
    name: 'aggregate',
    title: 'Aggregate documents',
    description:
      'Runs a pipeline of MongoDB over a model, for sums, averages, groups and joins: [{"$match": {"year": {"$gte": 1990}}}, {"$group": {"_id": "$genre", "n": {"$sum": 1}}}, {"$sort": {"n": -1}}]. In $match, ids and dates are {"$oid": "…"} and {"$date": "2024-05-31T00:00:00Z"}. Sort the pipeline to page through it. It only reads: $out and $merge are refused.',
    operations: ['documents.aggregate'],
    hints: reads,
    arguments: [
      model,
      { name: 'pipeline', kind: 'objects', isRequired: true, meaning: 'The stages, an object with one name each' },
      limit,
      after,
      { name: 'allowDiskUse', kind: 'flag', meaning: 'Lets large sorts and groups use the disk' },
    ],
    shows: ['data'],
    adds: paged,
    run: (call) => {
      const stages = call.given['pipeline'] as readonly Readonly<Record<string, unknown>>[];
      refuseWrites(stages);
      return countedPage(call.given, (skip, rows) =>
        call.model.aggregate(
          [...stages, ...(skip === 0 ? [] : [{ $skip: skip }]), { $limit: rows }],
          options(call, 'allowDiskUse'),
        ),
      );
    },
  },
  {
    name: 'history',
    title: 'Show the history of a document',
    description:
      'Lists what happened to a document, the newest first: who (a user id) did what (op), when, and the value of each path before and after.',
    operations: ['history.list'],
    hints: reads,
    arguments: [model, id, limit, after],
    shows: ['data', 'limit', 'next_cursor'],
    run: (call) =>
      pageWithin(
        rowsFor(call.given['limit']),
        (rows) => {
          const { model, after } = call.given;
          const params = { model: String(model), id: String(idOf(call)) };
          const pages = after === undefined ? [] : [[['after'], String(after)] as const];
          return call.sender.json({
            ...read('history.list'),
            params,
            parameters: [[['limit'], String(rows)], ...pages],
          });
        },
        'GET /history of the API shows it',
      ),
  },
];

const read = (operation: string) => ({ operation, params: {}, repeat: 'safe' }) as const;

const list = async (sender: Call['sender']): Promise<readonly unknown[]> =>
  (await sender.json<{ readonly data: readonly unknown[] }>(read('models.list'))).data;

/** Maximum values that the operation lists, from the first one on. */
const maxValues = 1000;

async function valuesOf(call: Call, skip: number, rows: number): Promise<readonly unknown[]> {
  const { model, given } = call;
  const selected = options(call, 'filter', 'search', 'showDeleted');
  try {
    const limit = Math.min(skip + rows, maxValues);
    return (await model.distinct(String(given['path']), { ...selected, limit })).slice(skip);
  } catch (error) {
    // of the client: a filter that no address can express
    if (error instanceof TypeError) throw badFilter(error.message);
    throw error;
  }
}

/** The hints of the tool say that it changes nothing. @throws 400 for a stage that writes, at any depth */
function refuseWrites(value: unknown): void {
  if (Array.isArray(value)) return value.forEach(refuseWrites);
  if (!isPlainObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === '$out' || name === '$merge') throw badBody(`${name} writes: this tool only reads`);
    refuseWrites(inner);
  }
}
