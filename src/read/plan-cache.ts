/** Plans of lists that were created before: creating one costs as much as a small list. */
import type { ModelContext } from '../context.ts';
import { isTimed } from './cached.ts';
import { linkedPlans } from './link-filters.ts';
import { type ListPlanOptions, planList } from './plan.ts';
import type { ListPlan, RowsPlan } from './plan-types.ts';
import { PolicyCache, requestKey } from './policy-cache.ts';

const plans = new PolicyCache<ListPlan>(50);

/**
 * The plan of a list: the one of an equal query string of the same caller, or a new one. It is created again when the estimated size of the
 * collection changes, which decides about limits.
 */
export async function cachedPlan(context: ModelContext, options?: ListPlanOptions): Promise<ListPlan> {
  const { policy } = context.grant;
  // bodies may hold what their JSON does not show, such as dates of hooks
  const text = context.body === undefined ? requestKey(context) : undefined;
  if (text === undefined || options !== undefined) return planList(context, options);
  const known = plans.get(policy, text);
  if (known !== undefined && known.size === (await context.services.sizes.of(context.model))) return known;
  const plan = await planList(context);
  if (isConstant(plan)) plans.set(policy, text, plan);
  return plan;
}

/** Whether a plan depends on the caller and the query string alone. */
const isConstant = (plan: RowsPlan): boolean =>
  !isTimed(plan) && linkedPlans(plan.filter).length === 0 && plan.links.every(({ rows }) => isConstant(rows));
