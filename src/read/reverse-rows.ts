/** Fetches the documents that link to the documents of a page: one query for all of them. */
import { fromDatabase, tooMuchFrom } from '../models/database-errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { modelOf, ObjectId, type PipelineStage } from '../models/mongoose.ts';
import { maxLinking } from '../models/reverse-links.ts';
import { SizeLimitedRows } from './answer-size.ts';
import { bson, findElement, nameEnd, valueEnd } from './bytes/layout.ts';
import { idAt } from './bytes/placed.ts';
import type { Source } from './fetch.ts';
import type { LinkPlan } from './plan-types.ts';

/** Rows of one message of the database, so that an answer above the size limit is detected early. */
const batchSize = 1000;
const idName = Buffer.from('_id');
const rowName = Buffer.from('row');

/** The linking documents of one document. */
export interface ReverseRows {
  readonly rows: Buffer[];
  /** Whether there are more than are shown. */
  more: boolean;
}

/**
 * The documents that link to documents of a model, in the order of their ids, for each of those.
 * @param ids of the documents @throws 413 when they exceed the size limit of an answer
 */
export async function fetchReverseRows(
  link: LinkPlan,
  model: ModelEntry,
  ids: readonly string[],
  { maxBytes, signal }: Source,
): Promise<ReadonlyMap<string, ReverseRows>> {
  const found = new Map<string, ReverseRows>(ids.map((id) => [id, { rows: [], more: false }]));
  if (ids.length === 0) return found;
  const limited = new SizeLimitedRows(link.rows, maxBytes);
  const options = { maxTimeMS: link.rows.maxTimeMS, signal, raw: true, batchSize };
  const cursor = modelOf(model).collection.aggregate<Buffer>(stagesFor(link, ids), options);
  try {
    for await (const first of cursor)
      limited.add([first, ...cursor.readBufferedDocuments()].flatMap((pair) => shownRow(pair, found)));
    return found;
  } catch (error) {
    throw tooMuchFrom(error) ?? fromDatabase(error);
  } finally {
    await cursor.close().catch(() => undefined);
  }
}

/** Each document with one that links to it: `{ _id, row }`. The database uses the index on the link for each of them. */
function stagesFor({ link, rows: plan }: LinkPlan, ids: readonly string[]): PipelineStage[] {
  const { filter, projection, model } = plan;
  return [
    { $match: { _id: { $in: ids.map((id) => new ObjectId(id)) } } },
    { $project: { _id: 1 } },
    {
      $lookup: {
        from: model.collection,
        localField: '_id',
        foreignField: link.foreignPath ?? '',
        pipeline: [
          { $match: filter },
          { $sort: { _id: 1 } },
          { $limit: maxLinking + 1 },
          ...(projection === undefined ? [] : [{ $project: projection as Record<string, 0 | 1> }]),
        ],
        as: 'row',
      },
    },
    { $unwind: '$row' },
  ];
}

/** Adds the linking document of a pair to its document. @returns it, or nothing if it is beyond those that are shown */
function shownRow(pair: Buffer, found: ReadonlyMap<string, ReverseRows>): readonly Buffer[] {
  const linking = found.get(idAt(pair, findElement(pair, 0, idName)) ?? '');
  const from = nameEnd(pair, findElement(pair, 0, rowName) + 1) + 1;
  if (linking === undefined) return [];
  linking.more = linking.rows.length === maxLinking;
  if (linking.more) return [];
  const row = pair.subarray(from, valueEnd(pair, bson.document, from));
  linking.rows.push(row);
  return [row];
}
