/** Shapes rows and their linked rows by way of plain objects. */
import { mapInSlices } from '../async/yield.ts';
import type { ModelEntry } from '../models/entry.ts';
import { keyPathsOf } from '../models/fields/declared-names.ts';
import { moreOf } from '../models/loading/reverse-links.ts';
import type { Row } from '../models/mongoose.ts';
import { computedRow } from '../models/mongoose/computed-row.ts';
import { withFields } from '../policy/present.ts';
import { type PopulatedLink, type PopulatedReverse, shape } from '../policy/shape.ts';
import type { ShapedDocument } from '../policy/shaped.ts';
import { scorePath } from '../query/search.ts';
import { idsOf } from './bytes/placed.ts';
import { plainRow } from './bytes/plain.ts';
import { fetchLinked, type Source } from './fetch.ts';
import type { LinkPlan, RowsPlan } from './plan-types.ts';
import { fetchReverseRows } from './reverse-rows.ts';

/** Shapes rows; fetches linked rows by one query per link. */
export async function shapeRows(plan: RowsPlan, rows: readonly Buffer[], source: Source): Promise<ShapedDocument[]> {
  const placed = await Promise.all(
    plan.links.map((link) =>
      link.link.reverseLink === undefined
        ? placedLink(link, rows, source)
        : placedLinking(plan.model, link, rows, source),
    ),
  );
  const also = plan.model.computed ? namesBeside(plan) : [];
  return mapInSlices(rows, (bytes) => {
    const row = plainRow(bytes);
    const whole = plan.model.computed ? computed(plan, row, also) : row;
    return shape(whole, plan.presentation, placed);
  });
}

/** The names that a computed row needs besides those that are asked for: of links, and of what decides the kind of a document. */
const namesBeside = ({ links, model }: RowsPlan): readonly string[] => [
  ...links.map(({ link }) => link.path),
  ...keyPathsOf(model.schema.storedNames),
];

async function placedLink(
  { link, rows: plan }: LinkPlan,
  rows: readonly Buffer[],
  source: Source,
): Promise<PopulatedLink> {
  const ids = idsOf(rows, link.path, plan.model.idType);
  const found = ids.length === 0 ? [] : await fetchLinked(plan, ids, source);
  const shaped = await shapeRows(plan, found, source);
  const byId = new Map(shaped.map((document) => [String(document['_id']), document]));
  return { path: link.path, as: link.as, array: link.array, find: (id) => byId.get(id) };
}

async function placedLinking(
  model: ModelEntry,
  link: LinkPlan,
  rows: readonly Buffer[],
  source: Source,
): Promise<PopulatedReverse> {
  const found = await fetchReverseRows(link, model, idsOf(rows, '_id', model.idType), source);
  const shaped = await shapeRows(
    link.rows,
    [...found.values()].flatMap((linking) => linking.rows),
    source,
  );
  let at = 0;
  const lists = new Map(
    [...found].map(([id, { rows: own, more }]) => [id, { documents: shaped.slice(at, (at += own.length)), more }]),
  );
  const { shape, kinds } = link.link.reverseLink ?? {};
  const value = (id: string): unknown => {
    if (shape === 'count') return found.get(id)?.count ?? 0;
    const documents = lists.get(id)?.documents ?? [];
    return shape === 'one' ? (documents[0] ?? null) : documents;
  };
  return {
    as: link.link.as,
    more: moreOf(link.link.as),
    linking: (id) => ({ value: value(id), more: lists.get(id)?.more === true }),
    kinds,
  };
}

/** The row with the schema's virtuals and getters, reduced to the requested fields. */
function computed(plan: RowsPlan, row: Row, also: readonly string[]): Row {
  const plain = withFields(computedRow(plan.model, row), plan.fields, also);
  // only a search adds one: any other is a field of the model
  return plan.presentation.withScore === true && row[scorePath] !== undefined
    ? { ...plain, [scorePath]: row[scorePath] }
    : plain;
}
