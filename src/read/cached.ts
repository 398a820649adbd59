/**
 * Caches reads. The key is the plan, which includes the caller's rights, so that only callers who may see the same rows share an
 * answer.
 */
import { hash } from 'node:crypto';
import type { ModelContext } from '../context.ts';
import type { ModelEntry } from '../models/entry.ts';
import { mongo } from '../models/mongoose.ts';
import { baseUrl } from '../settings/public-url.ts';
import type { AnswerCache, EncodedAnswer } from './contract.ts';
import { linkedPlans } from './link-filters.ts';
import { pageUrl } from './page-links.ts';
import type { ListPlan, RowsPlan } from './plan-types.ts';
import { PolicyCache, requestKey } from './policy-cache.ts';

/** The keys of cached answers by the text of the request. */
const keys = new PolicyCache<string>(1000);

/** The cached answer of an equal request of the same caller, which needs no plan. */
export function cachedAnswer(context: ModelContext): EncodedAnswer | undefined {
  const { cache } = context.services;
  if (isInTransaction(context)) return undefined;
  const text = cache === undefined ? undefined : requestKey(context);
  const key = text === undefined ? undefined : keys.get(context.grant.policy, text);
  return key === undefined ? undefined : cache?.known(key);
}

/** A read of rows, cached by its plan. */
export function cachedRows(
  context: ModelContext,
  plan: RowsPlan | ListPlan,
  make: () => Promise<EncodedAnswer>,
): Promise<EncodedAnswer> {
  if (context.services.cache === undefined || isTimed(plan)) return make();
  const models = modelsOf(plan);
  if (!isCached(context, models)) return make();
  const list =
    'page' in plan ? { order: plan.order, page: plan.page, start: plan.cursors.start, scored: plan.scored } : {};
  const key = keyOf(context, { ...canonical(plan), ...list });
  const text = requestKey(context);
  if (text !== undefined) keys.set(context.grant.policy, text, key);
  return context.services.cache.through(key, models, make);
}

/** Any read, cached by its parts. @param models whose changes invalidate it */
export function cached(
  context: ModelContext,
  models: readonly ModelEntry[],
  of: () => object,
  make: () => Promise<EncodedAnswer>,
): Promise<EncodedAnswer> {
  return isCached(context, models) ? context.services.cache.through(keyOf(context, of()), models, make) : make();
}

type CachedContext = ModelContext & { readonly services: { readonly cache: AnswerCache } };

/** Others may not see what a transaction has written before it is committed. */
const isInTransaction = ({ unit }: ModelContext): boolean => unit?.session !== undefined;

const isCached = (context: ModelContext, models: readonly ModelEntry[]): context is CachedContext =>
  context.services.cache !== undefined && !isInTransaction(context) && models.every(({ options }) => options.cache);

function keyOf({ url, services }: ModelContext, of: object): string {
  // answers contain the addresses of other pages
  const own = pageUrl(url, { page: 1 }, baseUrl(services.settings));
  // BSON distinguishes values with the same JSON, such as an id and its text
  const bytes = mongo.BSON.serialize({ url: own, ...of });
  return hash('sha256', bytes, 'base64');
}

const canonical = ({ model, policy, filter, fields, links }: RowsPlan): object => ({
  model: model.name,
  policy: policy.key,
  filter,
  fields,
  links: links.map(({ link, rows, identityOnly }) => ({ as: link.as, identityOnly, rows: canonical(rows) })),
});

/** Whether a rule compares the rows, or rows that they link to, with the time. */
export const isTimed = (plan: RowsPlan): boolean => plan.policy.isTimed || linkedTo(plan).some(isTimed);

const modelsOf = (plan: RowsPlan): ModelEntry[] => [...new Set([plan.model, ...linkedTo(plan).flatMap(modelsOf)])];

/** The reads of linked documents: those that are shown, and those that the filter depends on. */
const linkedTo = ({ links, filter }: RowsPlan): readonly RowsPlan[] => [
  ...links.map(({ rows }) => rows),
  ...linkedPlans(filter),
];
