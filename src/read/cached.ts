/**
 * Caches reads. The key is the plan, which includes the caller's rights, so that only callers who may see the same rows share an
 * answer.
 */
import { hash } from 'node:crypto';
import type { ModelContext } from '../context.ts';
import type { ModelEntry } from '../models/entry.ts';
import { mongo } from '../models/mongoose.ts';
import type { Policy } from '../policy/policy.ts';
import { baseUrl } from '../settings/public-url.ts';
import type { AnswerCache, Reading } from './contract.ts';
import { linkedPlans } from './linked.ts';
import { pageUrl } from './next.ts';
import type { ListPlan, RowsPlan } from './plan-types.ts';

/** The keys of cached answers by the text of the request, for each caller. */
const keys = new WeakMap<Policy, Map<string, string>>();
/** Per caller and model; beyond it they are forgotten. */
const maxKeys = 1000;
/** Characters of a request whose key is remembered. */
const maxLength = 2000;

/** The text of a request whose plan depends on nothing but the caller and the text; undefined for any other. */
function textOf({ url, body, restrictions, services }: ModelContext): string | undefined {
  if (services.cache === undefined || restrictions.hook !== undefined) return undefined;
  const text = body === undefined ? url : `${url} ${JSON.stringify(body)}`;
  return text.length > maxLength || relative.test(text) ? undefined : text;
}

/** What is a date relative to the present time, or may be where letters are percent-encoded. */
const relative = /relative|%[467]|%5[^bd]/i;

/** The cached answer of an equal request of the same caller, which needs no plan. */
export function cachedBefore(context: ModelContext): Reading | undefined {
  const text = textOf(context);
  const key = text === undefined ? undefined : keys.get(context.grant.policy)?.get(text);
  return key === undefined ? undefined : context.services.cache?.known(key);
}

function remember(context: ModelContext, key: string): void {
  const text = textOf(context);
  if (text === undefined) return;
  const { policy } = context.grant;
  const known = keys.get(policy) ?? new Map<string, string>();
  if (known.size >= maxKeys) known.clear();
  keys.set(policy, known.set(text, key));
}

/** A read of rows, cached by its plan. */
export function cachedRows(
  context: ModelContext,
  plan: RowsPlan | ListPlan,
  make: () => Promise<Reading>,
): Promise<Reading> {
  if (context.services.cache === undefined || isTimed(plan)) return make();
  const models = modelsOf(plan);
  if (!isCached(context, models)) return make();
  const list =
    'page' in plan ? { order: plan.order, page: plan.page, start: plan.cursors.start, scored: plan.scored } : {};
  const key = keyOf(context, { ...canonical(plan), ...list });
  remember(context, key);
  return context.services.cache.through(key, models, make);
}

/** Any read, cached by its parts. @param models whose changes invalidate it */
export function cached(
  context: ModelContext,
  models: readonly ModelEntry[],
  of: () => object,
  make: () => Promise<Reading>,
): Promise<Reading> {
  return isCached(context, models) ? context.services.cache.through(keyOf(context, of()), models, make) : make();
}

type CachedContext = ModelContext & { readonly services: { readonly cache: AnswerCache } };

const isCached = (context: ModelContext, models: readonly ModelEntry[]): context is CachedContext =>
  context.services.cache !== undefined && models.every(({ options }) => options.cache);

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
const isTimed = (plan: RowsPlan): boolean => plan.policy.isTimed || linkedTo(plan).some(isTimed);

const modelsOf = (plan: RowsPlan): ModelEntry[] => [...new Set([plan.model, ...linkedTo(plan).flatMap(modelsOf)])];

/** The reads of linked documents: those that are shown, and those that the filter depends on. */
const linkedTo = ({ links, filter }: RowsPlan): readonly RowsPlan[] => [
  ...links.map(({ rows }) => rows),
  ...linkedPlans(filter),
];
