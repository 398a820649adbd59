/** The presentation of a plan's rows. */
import type { Presentation } from '../policy/presentation.ts';
import type { RowsPlan } from './plan-types.ts';

/** @param withId false where only an identity is shown */
export const presentationOf = ({ policy, fields }: RowsPlan, withId = true): Presentation => ({
  hidden: policy.view.hidden,
  ownRows: policy.ownRows,
  fields,
  withId,
});
