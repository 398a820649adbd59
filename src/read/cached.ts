/**
 * Caches answers. The key is the plan: what the caller wants, with their rights, so that callers share an answer only if they may see
 * the same rows.
 */
import { hash } from 'node:crypto';
import type { Actor } from '../context.ts';
import type { ModelEntry } from '../models/entry.ts';
import { mongo } from '../models/mongoose.ts';
import type { EncodedAnswer } from './contract.ts';
import type { ListPlan, RowsPlan, ViewPlan } from './plan-types.ts';
import { linkedPlans } from './rows-plan.ts';

/** What is read, and what the answer depends on. */
interface Read {
  readonly plan: object;
  /** The document, where the plan is one of any document. */
  readonly id?: unknown;
  /** Is called once for a plan. */
  readonly dependencies: () => Dependencies;
}

interface Dependencies {
  /** All that decides about it, except the documents, as values of BSON. */
  readonly parts: object;
  /** The models whose changes invalidate it. */
  readonly models: readonly ModelEntry[];
}

interface Identity {
  readonly key: string;
  readonly models: readonly ModelEntry[];
  readonly isCached: boolean;
}

/** By plans. */
const identities = new WeakMap<object, Identity>();

/** @param isKept whether the answer may be cached, and must therefore be current */
type Make = (isKept: boolean) => Promise<EncodedAnswer>;

/** The answer of a read from the cache, or the one that `make` returns. */
export function cachedAnswer(
  {
    services: {
      reads: { cache },
    },
    unit,
  }: Actor,
  { plan, id, dependencies }: Read,
  make: Make,
): Promise<EncodedAnswer> {
  // others may not see what a transaction has written before it is committed
  if (cache === undefined || unit?.session !== undefined) return make(false);
  const { key, models, isCached } = identities.get(plan) ?? identify(plan, dependencies());
  const whole = id === undefined ? key : `${key} ${String(id)}`;
  return isCached ? cache.through(whole, models, () => make(true)) : make(false);
}

function identify(plan: object, { parts, models }: Dependencies): Identity {
  const identity = {
    // BSON distinguishes values with the same JSON, such as an id and its text
    key: hash('sha256', mongo.BSON.serialize(parts), 'base64'),
    models,
    isCached: models.every(({ options }) => options.cache),
  };
  identities.set(plan, identity);
  return identity;
}

/** A read of rows, cached unless they depend on the time. @param id of the document that is read, where it is one */
export function cachedRows(actor: Actor, plan: ListPlan | ViewPlan, make: Make, id?: unknown): Promise<EncodedAnswer> {
  if (!plan.isConstant) return make(false);
  const dependencies = (): Dependencies => ({
    parts: { ...canonical(plan), ...detailsOf(plan) },
    models: modelsOf(plan),
  });
  return cachedAnswer(actor, { plan, id, dependencies }, make);
}

function detailsOf(plan: ListPlan | ViewPlan): object {
  if ('showDeleted' in plan) return { showDeleted: plan.showDeleted };
  const { order, page, cursors, scored, pagesAt, isTagged } = plan;
  return { order, page, start: cursors.start, scored, pagesAt, isTagged };
}

const canonical = ({ model, policy, filter, fields, links }: RowsPlan): object => ({
  model: model.name,
  policy: policy.key,
  filter,
  fields,
  links: links.map(({ link, rows, identityOnly }) => ({ as: link.as, identityOnly, rows: canonical(rows) })),
});

const modelsOf = (plan: RowsPlan): ModelEntry[] => [...new Set([plan.model, ...linkedPlans(plan).flatMap(modelsOf)])];
