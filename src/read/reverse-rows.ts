/** Fetches the documents that link to the documents of a page: one query for all of them. */
import { tooMuchFrom } from '../models/database-errors.ts';
import type { ModelEntry, ReverseLink } from '../models/entry.ts';
import type { IdType } from '../models/fields/id-types.ts';
import { maxLinking } from '../models/loading/reverse-links.ts';
import { modelOf, type PipelineStage } from '../models/mongoose.ts';
import { allOf } from '../query/and.ts';
import { SizeLimitedRows } from './answer-size.ts';
import { bson, findElement, nameEnd, plainRow, valueEnd } from './bytes/layout.ts';
import { idAt } from './bytes/placed.ts';
import type { SeenRead } from './contract.ts';
import type { Source } from './fetch.ts';
import { inSession, placeOptions } from './in-session.ts';
import type { LinkPlan, RowsPlan } from './plan-types.ts';

/** Rows of one message of the database, so that an answer above the size limit is detected early. */
const batchSize = 1000;
const idName = Buffer.from('_id');
const rowName = Buffer.from('row');
/** The field for the text of the id, where documents link by it. */
const textName = 'text';

/** The linking documents of one document. */
export interface ReverseRows {
  /** Without any where only their number is shown. */
  readonly rows: Buffer[];
  /** Their number, where it is shown. */
  count: number;
  /** Whether there are more than are shown. */
  more: boolean;
}

/**
 * The documents that link to documents of a model, in the order of their ids, for each of those.
 * @param ids the texts of the documents' ids @throws 413 when they exceed the size limit of an answer
 */
export async function fetchReverseRows(
  link: LinkPlan,
  model: ModelEntry,
  ids: readonly string[],
  source: Source,
): Promise<ReadonlyMap<string, ReverseRows>> {
  const found = new Map<string, ReverseRows>(ids.map((id) => [id, { rows: [], count: 0, more: false }]));
  if (ids.length === 0) return found;
  const { maxBytes, signal, session } = source;
  const shown = { idType: model.idType, isCounted: link.link.reverseLink?.shape === 'count' };
  const limited = new SizeLimitedRows(link.rows, maxBytes);
  const options = { maxTimeMS: link.rows.maxTimeMS, signal, raw: true, batchSize, ...placeOptions(source) };
  const cursor = modelOf(model).collection.aggregate<Buffer>(stagesFor(link, model, ids), options);
  const begun = performance.now();
  let isCut = true;
  try {
    await inSession(session, async () => {
      for await (const first of cursor)
        limited.add([first, ...cursor.readBufferedDocuments()].flatMap((pair) => shownRow(pair, found, shown)));
    });
    isCut = false;
    return found;
  } catch (error) {
    throw tooMuchFrom(error) ?? error;
  } finally {
    source.watch?.seen({ ...searchFor(link, ids, found), isCut }, performance.now() - begun);
    await cursor.close().catch(() => undefined);
  }
}

/** The search for the linking documents as one, which the database makes for each document. */
function searchFor(
  { link, rows: { model, filter } }: LinkPlan,
  ids: readonly string[],
  found: ReadonlyMap<string, ReverseRows>,
): SeenRead {
  const { local = '_id', path = '', asText = false } = link.reverseLink ?? {};
  const linking = { [path]: { $in: local === '_id' && !asText ? ids.map(model.idType.parse) : ids } };
  const returned = [...found.values()].reduce((sum, { rows, count }) => sum + rows.length + count, 0);
  return { model, filter: allOf([linking, filter]), sort: {}, limit: undefined, returned };
}

/** Each document with one that links to it: `{ _id, row }`. The database uses the index on the link for each of them. */
function stagesFor({ link, rows: plan }: LinkPlan, { idType }: ModelEntry, ids: readonly string[]): PipelineStage[] {
  const { filter, model } = plan;
  const { local = '_id', path = '', asText = false, shape = 'list' } = link.reverseLink ?? {};
  return [
    { $match: { _id: { $in: ids.map(idType.parse) } } },
    { $project: asText ? { [textName]: { $toString: '$_id' } } : { [local]: 1 } },
    // a document without a value links to none, in the database to all without one
    ...(local === '_id' ? [] : [{ $match: { [local]: { $ne: null } } }]),
    {
      $lookup: {
        from: model.collection,
        localField: asText ? textName : local,
        foreignField: path,
        pipeline: [{ $match: filter }, ...rowStages(shape, plan)],
        as: 'row',
      },
    },
    { $unwind: '$row' },
  ];
}

type RowStage = PipelineStage.Count | PipelineStage.Sort | PipelineStage.Limit | PipelineStage.Project;

function rowStages(shape: ReverseLink['shape'], { projection }: RowsPlan): RowStage[] {
  if (shape === 'count') return [{ $count: 'count' }];
  return [
    { $sort: { _id: 1 } },
    { $limit: shape === 'one' ? 1 : maxLinking + 1 },
    ...(projection === undefined ? [] : [{ $project: projection as Record<string, 0 | 1> }]),
  ];
}

/** Adds the linking document of a pair to its document. @returns it, or nothing if it is beyond those that are shown */
function shownRow(
  pair: Buffer,
  found: ReadonlyMap<string, ReverseRows>,
  { idType, isCounted }: { readonly idType: IdType; readonly isCounted: boolean },
): readonly Buffer[] {
  const linking = found.get(idAt(pair, findElement(pair, 0, idName), idType) ?? '');
  const from = nameEnd(pair, findElement(pair, 0, rowName) + 1) + 1;
  if (linking === undefined) return [];
  const row = pair.subarray(from, valueEnd(pair, bson.document, from));
  if (isCounted) {
    linking.count = Number(plainRow(row)['count']);
    return [];
  }
  linking.more = linking.rows.length === maxLinking;
  if (linking.more) return [];
  linking.rows.push(row);
  return [row];
}
