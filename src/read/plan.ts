/** Creates the plan of a list, a count or one document from a request. */
import type { ModelContext } from '../context.ts';
import { noTextIndex, searchesHidden } from '../errors.ts';
import { fieldsFrom } from '../query/fields.ts';
import { type Filter, filterFromQuery } from '../query/filter.ts';
import { flagOf } from '../query/parameter-tree.ts';
import { populationsFrom } from '../query/populate.ts';
import type { SchemaView } from '../query/schema-view.ts';
import { scorePath, type Search, searchFrom } from '../query/search.ts';
import { type Sort, sortFrom } from '../query/sort.ts';
import { baseUrl } from '../settings/public-url.ts';
import { cursorsOf } from './cursors/cursors.ts';
import { exportPage, pageFor } from './limits.ts';
import { linkResolverFor } from './link-filters.ts';
import { linkPlans } from './link-plans.ts';
import { orderKeys } from './order.ts';
import { pageLinksOf } from './page-links.ts';
import type { ListPlan, RowsPlan } from './plan-types.ts';
import { rowsPlan } from './rows-plan.ts';

/** The parts of a list besides the query string: the filter of a `/query` body, and whether search applies. */
export interface ListPlanOptions {
  readonly bodyFilter?: Filter;
  readonly search?: boolean;
  readonly populate?: boolean;
  /** Whether all rows are read if neither `limit` nor `page` is given. */
  readonly exports?: boolean;
}

export async function planList(context: ModelContext, options: ListPlanOptions = {}): Promise<ListPlan> {
  const { model, query, services, grant } = context;
  const { view } = grant.policy;
  const search = options.search === false ? undefined : checkedSearch(context);
  const scored = search?.text !== undefined;
  const sort = sortFrom(query['sort'], view, scored) ?? (scored ? byScore : byId);
  const order = orderKeys(model, sort, scored);
  const showDeleted = flagOf(query, 'showDeleted');
  const rows = rowsPlan(context, {
    policy: grant.policy,
    filters: [
      textFilter(search),
      options.bodyFilter,
      filterFromQuery(query['filter'], view, linkResolverFor(context, grant.policy, showDeleted)),
      ...(search?.filters ?? []),
      context.restrictions.hook,
    ],
    fields: fieldsFrom(query['fields'], model, grant.policy.shownView, { scored, caller: context.principal }),
    links: options.populate === false ? [] : linksOf(context, showDeleted),
    showDeleted,
    needed: order
      .filter(({ path }) => path !== '_id' && !(scored && path === scorePath))
      .map(({ path }) => storedPath(path)),
  });
  const cursors = cursorsOf(context, { model, order, byScore: scored && scorePath in sort });
  const size = await services.sizes.of(model);
  const page = (options.exports === true ? exportPage : pageFor)(query, model, size, services.settings.query_limits);
  const pageLinks = pageLinksOf(context.url, baseUrl(services.settings), page.page, cursors);
  return { ...rows, order, scored, cursors, page, pageLinks, size };
}

const byId: Sort = { _id: 1 };
const byScore: Sort = { [scorePath]: -1, _id: 1 };

/** A path up to its first position in a list, which a projection does not take. */
const storedPath = (path: string): string => path.replace(/\.\d+(?:\.|$).*/, '');

/** The plan of a count: filters apply, full-text search does not. */
export const planCount = (context: ModelContext): RowsPlan => planFiltered(context);

/** The plan of the values of a path: filters and search apply. */
export const planValues = (context: ModelContext): RowsPlan => planFiltered(context, checkedSearch(context));

function planFiltered(context: ModelContext, search?: Search): RowsPlan {
  const { query, grant } = context;
  const showDeleted = flagOf(query, 'showDeleted');
  const filter = filterFromQuery(
    query['filter'],
    grant.policy.view,
    linkResolverFor(context, grant.policy, showDeleted),
  );
  return rowsPlan(context, {
    policy: grant.policy,
    filters: [textFilter(search), filter, ...(search?.filters ?? []), context.restrictions.hook],
    fields: undefined,
    links: [],
    showDeleted,
  });
}

/** The plan of one document. It also finds deleted documents, because the answer reports that they are deleted. */
export function planOne(context: ModelContext, id: unknown): RowsPlan {
  const { model, query, grant } = context;
  return rowsPlan(context, {
    policy: grant.policy,
    filters: [{ _id: id }, context.restrictions.hook],
    fields: fieldsFrom(query['fields'], model, grant.policy.shownView, { caller: context.principal }),
    links: linksOf(context, flagOf(query, 'showDeleted')),
    showDeleted: true,
  });
}

const linksOf = (context: ModelContext, showDeleted: boolean): ListPlan['links'] =>
  linkPlans(context, context.model, {
    named: populationsFrom(context.query['populate']),
    all: flagOf(context.query, 'autopopulate'),
    showDeleted,
  });

function checkedSearch({ query, model, grant, principal }: ModelContext): Search | undefined {
  const search = searchFrom(query['search'], grant.policy.view);
  if (search?.text !== undefined && model.textPaths.length === 0) throw noTextIndex(model.name);
  const isCovered = (path: string): boolean => coversOnlyShown(path, grant.policy.view, principal.admin);
  if (search?.text !== undefined && !model.textPaths.every(isCovered)) throw searchesHidden(model.name);
  return search;
}

/** A text index over `$**` covers every stored path, also those that have left the schema, which admins may see. */
const coversOnlyShown = (path: string, { hidden, shows }: SchemaView, isAdmin: boolean): boolean =>
  path === '$**'
    ? hidden.paths.length === 0 && (isAdmin || hidden.names === 'any')
    : shows(path) && !hidden.paths.some((one) => one.startsWith(`${path}.`));

const textFilter = (search: Search | undefined): Filter | undefined =>
  search?.text === undefined ? undefined : { $text: { $search: search.text } };
