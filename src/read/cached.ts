/**
 * Caches reads. The key is the plan, which includes the caller's rights, so that only callers who may see the same rows share an
 * answer.
 */
import { createHash } from 'node:crypto';
import type { ModelContext } from '../context.ts';
import type { ModelEntry } from '../models/entry.ts';
import { mongo } from '../models/mongoose.ts';
import { baseUrl } from '../settings/public-url.ts';
import type { Reading } from './contract.ts';
import { linkedPlans } from './linked.ts';
import { pageUrl } from './next.ts';
import type { ListPlan, RowsPlan } from './plan-types.ts';

/** A read of rows, cached by its plan. */
export function cachedRows(
  context: ModelContext,
  plan: RowsPlan | ListPlan,
  make: () => Promise<Reading>,
): Promise<Reading> {
  if (isTimed(plan)) return make();
  const list =
    'page' in plan ? { order: plan.order, page: plan.page, start: plan.cursors.start, scored: plan.scored } : {};
  return cached(context, modelsOf(plan), () => ({ ...canonical(plan), ...list }), make);
}

/** Any read, cached by its parts. @param models whose changes invalidate it */
export function cached(
  context: ModelContext,
  models: readonly ModelEntry[],
  of: () => object,
  make: () => Promise<Reading>,
): Promise<Reading> {
  const { cache, settings } = context.services;
  if (cache === undefined || models.some(({ options }) => !options.cache)) return make();
  // answers contain the addresses of other pages
  const url = pageUrl(context.url, { page: 1 }, baseUrl(settings));
  // BSON distinguishes values with the same JSON, such as an id and its text
  const bytes = mongo.BSON.serialize({ url, ...of() });
  return cache.through(createHash('sha256').update(bytes).digest('base64'), models, make);
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
