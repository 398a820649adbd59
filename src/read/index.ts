/** The reads, each a composition: plan, fetch, shape. */
import type { Shaped } from '../access/shape.ts';
import type { ModelContext } from '../context.ts';
import { deletedDocument, unknownDocument } from '../errors.ts';
import { flagOf } from '../language/tree.ts';
import { castId } from '../registry/cast.ts';
import { countRows, fetchOne, fetchPage } from './fetch.ts';
import { countedAtMost } from './limits.ts';
import { pageUrl } from './next.ts';
import { planCount, planList, planOne, type ListWishes } from './plan.ts';
import type { ListPlan, RowsPlan } from './plan-types.ts';
import { shapeRows } from './shaping.ts';

/** What a list answers with (contract, part 4). */
export interface ListAnswer {
  readonly data: readonly Shaped[];
  readonly limit?: number;
  readonly page?: number;
  readonly limit_capped?: true;
  readonly next?: string;
  readonly prev?: string;
  readonly count?: number;
  readonly page_count?: number;
}

/** A page of a model's documents. */
export async function list(context: ModelContext, wishes?: ListWishes): Promise<ListAnswer> {
  const { services, signal } = context;
  const plan = await planList(context, wishes);
  const { limit, count: counted } = plan.page;
  const [fetched, count] = await Promise.all([
    fetchPage(plan, services.connection, signal),
    counted ? countOf(plan, signal) : undefined,
  ]);
  const rows = limit !== undefined && fetched.length > limit ? fetched.slice(0, limit) : fetched;
  const data = await shapeRows(plan, rows, services.connection, signal);
  return { data, ...envelope(context, plan, fetched.length > rows.length, count) };
}

async function countOf(plan: ListPlan, signal: AbortSignal): Promise<number> {
  return plan.size > countedAtMost ? -1 : countRows(plan, signal);
}

function envelope(
  context: ModelContext,
  plan: ListPlan,
  more: boolean,
  count: number | undefined,
): Omit<ListAnswer, 'data'> {
  const { limit, page, capped } = plan.page;
  const base = context.services.settings.api_url;
  const counts =
    count === undefined
      ? {}
      : { count, ...(limit === undefined ? {} : { page_count: count < 0 ? -1 : Math.ceil(count / limit) }) };
  if (limit === undefined) return counts;
  return {
    limit,
    page,
    ...(capped ? { limit_capped: true } : {}),
    ...(more ? { next: pageUrl(context.url, page + 1, base) } : {}),
    ...(page > 1 ? { prev: pageUrl(context.url, page - 1, base) } : {}),
    ...counts,
  };
}

/** One document. @throws 404 when there is none, or it is deleted and `showDeleted` is not given */
export async function one(context: ModelContext): Promise<Shaped> {
  const { services, signal, model, params, query } = context;
  const id = params['id'] ?? '';
  const plan = planOne(context, castId('id', id));
  const row = await fetchOne(withDeleted(plan), services.connection, signal);
  if (row === undefined) throw unknownDocument(model.name, id);
  if (row['_deleted'] === true && !flagOf(query, 'showDeleted')) throw deletedDocument(model.name, id);
  const [shaped] = await shapeRows(plan, [row], services.connection, signal);
  return shaped as Shaped;
}

/** Whether it is deleted must be known, also when `fields` does not ask for it. */
function withDeleted(plan: RowsPlan): RowsPlan {
  const { projection } = plan;
  if (projection === undefined) return plan;
  if (projection['_deleted'] === 0)
    return {
      ...plan,
      projection: Object.fromEntries(Object.entries(projection).filter(([path]) => path !== '_deleted')),
    };
  return Object.values(projection).includes(1) ? { ...plan, projection: { ...projection, _deleted: 1 } } : plan;
}

/** How many documents the filters match. */
export const count = (context: ModelContext): Promise<number> => countRows(planCount(context), context.signal);
