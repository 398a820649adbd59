/** Makes what a caller wants to read of a request. Below this folder no read knows a query string, a body or a URL. */
import type { Context, ModelContext } from '../../context.ts';
import { badParameter } from '../../errors/errors.ts';
import { idInPath } from '../../models/fields/document-id.ts';
import type { Policy } from '../../policy/policy.ts';
import { allOf } from '../../query/and.ts';
import { fieldsFrom } from '../../query/fields.ts';
import { type Filter, filterFromQuery } from '../../query/filter.ts';
import { filterFromJson } from '../../query/json-filter.ts';
import type { LinkResolver } from '../../query/link-conditions.ts';
import { exportedPageFrom, pageFrom, type RequestedPage } from '../../query/page.ts';
import { isCredential } from '../../query/parameter-table.ts';
import { flagOf, type ParameterTree, textOf, timeOf, wholeNumberOf } from '../../query/parameter-tree.ts';
import { populationsFrom } from '../../query/populate.ts';
import { type Search, searchFrom } from '../../query/search.ts';
import { sortFrom } from '../../query/sort.ts';
import type { PastIntent } from '../../read/contract.ts';
import type {
  DistinctIntent,
  DocumentIntent,
  LinksIntent,
  ListIntent,
  PipelineIntent,
  RowsIntent,
  ViewIntent,
} from '../../read/intents.ts';
import { linkResolverFor } from '../../read/link-filters.ts';
import { IntentCache } from './kept-intents.ts';

const urlOf = (context: Context): string => context.key ?? context.url;
const urlAndBody = (context: Context): string =>
  `${urlOf(context)} ${context.bodyText ?? JSON.stringify(context.body)}`;
function parametersOf(context: Context): string {
  const text = urlOf(context);
  return context.key === undefined && text.includes('?') ? text.slice(text.indexOf('?')) : (context.key ?? '');
}

const lists = new IntentCache<ListIntent>(urlOf);
const queries = new IntentCache<ListIntent>(urlAndBody);
const pipelines = new IntentCache<PipelineIntent>(urlAndBody);
const shown = new IntentCache<ViewIntent>(parametersOf);

/** A list of the rows that a policy gives. @throws 400, 401, 403 */
export const listIntent = (context: Context, policy: Policy): ListIntent =>
  lists.of(context, policy, () => {
    const { query } = context;
    const rows = searchedRows(context, policy);
    return { ...pageOf(context, rows, linksIn(query), pageFrom(query)), isTagged: true };
  });

/** The same as an export, which has all rows unless a page is named, and no links. @throws 400, 401, 403 */
export const exportIntent = (context: ModelContext): ListIntent =>
  pageOf(context, searchedRows(context, context.grant.policy), noLinks, exportedPageFrom(context.query));

/** Documents or changes in an answer, where the request names no number. */
const standardStep = 100;

/**
 * All documents in the order of their ids, from a cursor on. As in subscriptions, the filter judges single documents.
 * @throws 400, 401, 403
 */
export const walkIntent = (context: ModelContext, cursor?: string): ListIntent => {
  const { grant, query } = context;
  const limit = wholeNumberOf(query, 'limit') ?? standardStep;
  const page = {
    ...stepOf(limit),
    cursor: cursor === undefined ? undefined : { name: 'after' as const, text: cursor },
  };
  return inOrder(context, filterFromQuery(query['filter'], grant.policy.view), page);
};

/** Documents that a subscription begins with are read in steps of this many. */
const subscribedStep = 200;

/** All documents of a subscription, or one of them. @param filter of the subscription, with that of the pre-hooks */
export const documentsIntent = (context: ModelContext, filter: Filter | undefined, id: unknown): ListIntent => {
  const only = id === undefined ? filter : allOf([{ _id: id }, filter]);
  return inOrder(context, only, stepOf(subscribedStep));
};

const stepOf = (limit: number): RequestedPage => ({
  limit,
  page: undefined,
  cursor: undefined,
  count: undefined,
  all: undefined,
});

/** Undeleted documents in the order of their ids, without links. */
function inOrder(context: ModelContext, filter: Filter | undefined, page: RequestedPage): ListIntent {
  const { grant, restrictions } = context;
  const { policy } = grant;
  const rows: RowsIntent = { policy, filter, search: undefined, showDeleted: false, hook: restrictions.hook };
  return { ...pageOf(context, rows, noLinks, page), sort: undefined };
}

/** A list by a filter in the body; full-text search does not apply. @throws 400, 401, 403 */
export const queryIntent = (context: ModelContext): ListIntent => {
  const { services, query, grant } = context;
  const { policy } = grant;
  return queries.of(context, policy, () => {
    let isConstant = true;
    const now = (): Date => {
      isConstant = false;
      return services.clock();
    };
    const fromBody = (links: LinkResolver): Filter => filterFromJson(bodyFilter(context), policy.view, now, links);
    const rows = rowsOf(context, policy, undefined, fromBody);
    return { ...pageOf(context, rows, linksIn(query), pageFrom(query)), isConstant };
  });
};

/** The filter in a body as it is written. */
const bodyFilter = ({ body }: Context): object | undefined => (body as { readonly query?: object } | undefined)?.query;

/** One document. @throws 400, 401, 403 */
export const documentIntent = (context: ModelContext): DocumentIntent => ({
  id: idInPath(context),
  shown: shownIntent(context),
});

/** One document as it was. @throws 400, 401, 403 */
export function pastIntent({ grant, model, params, query, principal }: ModelContext): PastIntent {
  for (const name of ['populate', 'autopopulate'])
    if (query[name] !== undefined) throw badParameter(name, 'must not be given with at: links are those of today');
  return {
    id: params['id'],
    time: timeOf(query, 'at') ?? new Date(NaN),
    fields: fieldsFrom(query['fields'], model, grant.policy.shownView, { caller: principal }),
    showDeleted: flagOf(query, 'showDeleted'),
  };
}

const shownIntent = (context: ModelContext): ViewIntent => {
  const { grant, model, query, principal, restrictions } = context;
  const { policy } = grant;
  return shown.of(context, policy, () => ({
    policy,
    fields: fieldsFrom(query['fields'], model, policy.shownView, { caller: principal }),
    links: linksIn(query),
    showDeleted: flagOf(query, 'showDeleted'),
    hook: restrictions.hook,
  }));
};

/** Rows to be counted; full-text search does not apply. @throws 400, 403 */
export const countIntent = (context: ModelContext): RowsIntent => rowsOf(context, context.grant.policy);

const [standardValues, maxValues] = [100, 1000];

/** The values of the path that is named in the address. @throws 400, 403 */
export const distinctIntent = (context: ModelContext): DistinctIntent => ({
  ...searchedRows(context, context.grant.policy),
  path: context.params['path'] ?? '',
  limit: valuesIn(context.query),
});

function valuesIn(query: ParameterTree): number {
  const text = textOf(query, 'limit');
  if (text === undefined) return standardValues;
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= maxValues) return Number(text);
  throw badParameter(
    'limit',
    `must be a whole number from 1 to ${maxValues}, got ${JSON.stringify(text.slice(0, 40))}`,
  );
}

/** The pipeline of a body, which is the list or has it under `query`, as the operation's row describes. */
export const pipelineIntent = (context: ModelContext): PipelineIntent => {
  const { grant, body, query, restrictions } = context;
  const { policy } = grant;
  return pipelines.of(context, policy, () => ({
    policy,
    pipeline: Array.isArray(body) ? body : bodyFilter(context),
    showDeleted: flagOf(query, 'showDeleted'),
    allowDiskUse: flagOf(query, 'allowDiskUse'),
    hook: restrictions.hook,
  }));
};

/** @param more reads a filter beside that of the query string */
function rowsOf(context: Context, policy: Policy, search?: Search, more?: (links: LinkResolver) => Filter): RowsIntent {
  const { query, restrictions } = context;
  const onlyDeleted = query['showDeleted'] === 'only';
  const showDeleted = onlyDeleted || flagOf(query, 'showDeleted');
  const links = linkResolverFor(context, policy, showDeleted);
  const given = more?.(links);
  const also = onlyDeleted ? allOf([given, { _deleted: true }]) : given;
  const named = filterFromQuery(query['filter'], policy.view, links);
  const filter = also !== undefined && named !== undefined ? allOf([also, named]) : (also ?? named);
  return { policy, filter, search, showDeleted, hook: restrictions.hook };
}

function searchedRows(context: Context, policy: Policy): RowsIntent {
  const { search } = context.query;
  return rowsOf(context, policy, search === undefined ? undefined : searchFrom(search, policy.view));
}

const noLinks: LinksIntent = { named: [], all: false };

const linksIn = (query: ParameterTree): LinksIntent => {
  const { populate, autopopulate } = query;
  if (populate === undefined && autopopulate === undefined) return noLinks;
  return { named: populationsFrom(populate), all: flagOf(query, 'autopopulate') };
};

function pageOf(context: Context, rows: RowsIntent, links: LinksIntent, page: RequestedPage): ListIntent {
  const { query, principal } = context;
  const { model, view, shownView } = rows.policy;
  const scored = rows.search?.text !== undefined;
  const body = bodyFilter(context) ?? {};
  return {
    ...rows,
    sort: sortFrom(query['sort'], view, scored),
    fields: fieldsFrom(query['fields'], model, shownView, { scored, caller: principal }),
    links,
    page,
    written: {
      filter: query['filter'],
      search: query['search'],
      ...(query['showDeleted'] === 'only' ? { deleted: 'only' } : {}),
      body: Object.keys(body).length === 0 ? undefined : body,
    },
    pagesAt: pagesAt(context),
    isTagged: false,
    isConstant: true,
  };
}

/** The parameters that name a page. */
const ofPages: ReadonlySet<string> = new Set(['page', 'after', 'before']);

/** The address of a list's pages up to their number or cursor: that of the request without these and without credentials. */
function pagesAt({ url, services }: Pick<Context, 'url' | 'services'>): string {
  const mark = url.indexOf('?');
  const path = (mark === -1 ? url : url.slice(0, mark)).replace(/^\/+/, '/');
  const parameters = new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1));
  for (const name of [...parameters.keys()]) if (isCredential(name) || ofPages.has(name)) parameters.delete(name);
  const others = parameters.toString();
  return `${services.settings.api_url ?? ''}${path}?${others === '' ? '' : `${others}&`}`;
}
