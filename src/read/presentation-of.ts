/** The presentation of a plan's rows. */
import { hiddenBesideScore, hiddenInStored, type Presentation } from '../policy/presentation.ts';
import type { Hidden } from '../query/schema-view.ts';
import type { ListPlan, RowsPlan } from './plan-types.ts';

/** @param withId false where only an identity is shown */
export function presentationOf(plan: RowsPlan | ListPlan, withId = true): Presentation {
  const { policy, fields } = plan;
  const { view, ownRows } = policy;
  const hiddenIn = hiddenOf(plan);
  return {
    hidden: hiddenIn(view.hidden),
    ownRows: ownRows && { ...ownRows, hidden: hiddenIn(ownRows.hidden) },
    fields,
    withId: withId && !view.schema.hasOwnId,
    withScore: isScored(plan),
  };
}

function hiddenOf(plan: RowsPlan | ListPlan): (hidden: Hidden) => Hidden {
  if (plan.fields?.mode === 'stored') return hiddenInStored;
  return isScored(plan) ? hiddenBesideScore : (hidden) => hidden;
}

/** Whether rows have the `score` of a search. */
export const isScored = (plan: RowsPlan | ListPlan): boolean => 'scored' in plan && plan.scored;
