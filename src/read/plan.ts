/** Creates the plan of a list, a count or one document from what is wanted. */
import { attributeNames, runInSpan } from '../adapters/tracing.ts';
import { noTextIndex, searchesHidden } from '../errors/errors.ts';
import { messageName } from '../models/entry.ts';
import type { Filter } from '../query/filter.ts';
import type { SchemaView } from '../query/schema-view.ts';
import { scorePath } from '../query/search.ts';
import type { Sort } from '../query/sort.ts';
import { type Cursors, cursorsOf } from './cursors/cursors.ts';
import type { ListIntent, RowsIntent, ViewIntent } from './intents.ts';
import { mayBeTooLarge, pageOf } from './limits.ts';
import { linkPlans } from './link-plans.ts';
import { orderKeys, sortsOf } from './order.ts';
import type { ListPlan, PageLinks, PageRows, Planner, RowsPlan, ViewPlan } from './plan-types.ts';
import { rowsPlan } from './rows-plan.ts';

/** The constant plans by what they are made of: creating one costs as much as a small read. */
const plans = new WeakMap<ListIntent | ViewIntent, ListPlan | ViewPlan>();

/** The plan of an intent: the one of before, or a new one. */
function planned<Plan extends ListPlan | ViewPlan>(intent: ListIntent | ViewIntent, make: () => Plan): Plan {
  const known = plans.get(intent) as Plan | undefined;
  if (known !== undefined) return known;
  const plan = runInSpan(() => spanOf(intent), make);
  if (plan.isConstant) plans.set(intent, plan);
  return plan;
}

const spanOf = ({ policy: { model } }: RowsIntent | ListIntent | ViewIntent) => ({
  name: `plan ${model.name}`,
  attributes: { [attributeNames.collection]: model.collection },
});

export const planList = (planner: Planner, intent: ListIntent): ListPlan =>
  planned(intent, () => newListPlan(planner, intent));

function newListPlan(planner: Planner, intent: ListIntent): ListPlan {
  const { policy, page, pagesAt, isTagged } = intent;
  const { model } = policy;
  const {
    reads: { cursors: sealer },
    settings,
  } = planner.services;
  const scored = intent.search?.text !== undefined;
  const sort = intent.sort ?? (scored ? byScore : byId);
  const order = orderKeys(model, sort, scored);
  const rows = rowsPlan(planner, {
    policy,
    filters: filtersOf(planner, intent),
    fields: intent.fields,
    links: linksShown(planner, model, intent),
    showDeleted: intent.showDeleted,
    scored,
    needed: order
      .filter(({ path }) => path !== '_id' && !(scored && path === scorePath))
      .map(({ path }) => storedPath(path)),
  });
  const cursors = cursorsOf(sealer, intent, { order, byScore: scored && scorePath in sort });
  const limited = pageOf(page, model, settings.query_limits);
  const pageLinks = pageLinksOf(pagesAt, limited.page, cursors);
  return {
    ...rows,
    ...{ order, sorts: sortsOf(order), scored, isByPipeline: scored || order.some(({ isFree }) => isFree) },
    ...{ cursors, page: limited, pageLinks, pagesAt, isTagged },
    needsSize: limited.count !== undefined || mayBeTooLarge(page, model, settings.query_limits),
  };
}

const byId: Sort = { _id: 1 };
const byScore: Sort = { [scorePath]: -1, _id: 1 };

/** A path up to its first position in a list, which a projection does not take. */
const storedPath = (path: string): string => path.replace(/\.\d+(?:\.|$).*/, '');

/** The plans of the links that a request shows; most show none. */
const linksShown: typeof linkPlans = (planner, model, requested) =>
  requested.links.all || requested.links.named.length > 0 ? linkPlans(planner, model, requested) : [];

/** The plan of rows of which only the number or values are read. */
export const planRows = (planner: Planner, intent: RowsIntent): RowsPlan =>
  runInSpan(
    () => spanOf(intent),
    () =>
      rowsPlan(planner, {
        policy: intent.policy,
        filters: filtersOf(planner, intent),
        fields: undefined,
        links: [],
        showDeleted: intent.showDeleted,
      }),
  );

/** The plan of one document, whichever it is. It also finds deleted documents, because the answer reports that they are deleted. */
export const planShown = (planner: Planner, intent: ViewIntent): ViewPlan =>
  planned(intent, () => {
    const { policy, fields, hook, showDeleted } = intent;
    const links = linksShown(planner, policy.model, intent);
    const rows = rowsPlan(planner, { policy, filters: [hook], fields, links, showDeleted: true, needed: ['_deleted'] });
    return { ...rows, showDeleted };
  });

function filtersOf(
  { principal }: Planner,
  { policy, search, filter, hook }: RowsIntent,
): readonly (Filter | undefined)[] {
  if (search === undefined) return [filter, hook];
  const { text, filters } = search;
  if (text === undefined) return [filter, ...filters, hook];
  const { model, view } = policy;
  if (model.textPaths.length === 0) throw noTextIndex(messageName(model));
  if (!model.textPaths.every((path) => coversOnlyShown(path, view, principal.admin)))
    throw searchesHidden(messageName(model));
  return [{ $text: { $search: text } }, filter, ...filters, hook];
}

/** A text index over `$**` covers every stored path, also those that have left the schema, which admins may see. */
const coversOnlyShown = (path: string, { hidden, shows }: SchemaView, isAdmin: boolean): boolean =>
  path === '$**'
    ? hidden.paths.length === 0 && (isAdmin || hidden.names === 'any')
    : shows(path) && !hidden.paths.some((one) => one.startsWith(`${path}.`));

/**
 * The links of a page whose rows have been read. A page that a number names has links with numbers, one that a cursor names has
 * links with cursors.
 * @param pagesAt the address of the list up to the name of a parameter @param page the number of the page
 */
function pageLinksOf(pagesAt: string, page: number | undefined, { of }: Cursors): (fetched: PageRows) => PageLinks {
  const address = (cursor: 'after' | 'before', text: string | undefined, number: number): string | undefined =>
    page === undefined ? text && `${pagesAt}${cursor}=${encodeURIComponent(text)}` : `${pagesAt}page=${number}`;
  return ({ rows, hasNext, hasPrevious }) => {
    const nextCursor = hasNext ? of?.(rows.at(-1)) : undefined;
    const prevCursor = hasPrevious ? of?.(rows[0]) : undefined;
    const next = hasNext ? address('after', nextCursor, (page ?? 0) + 1) : undefined;
    const prev = hasPrevious ? address('before', prevCursor, (page ?? 0) - 1) : undefined;
    return {
      ...(next === undefined ? {} : { next }),
      ...(prev === undefined ? {} : { prev }),
      ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }),
      ...(prevCursor === undefined ? {} : { prev_cursor: prevCursor }),
    };
  };
}
