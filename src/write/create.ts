/** POST: creates one document. */
import type { ModelContext } from '../context.ts';
import { policyFor } from '../policy/policy.ts';
import { refuseFirstUser } from './before-setup.ts';
import { valuesFrom } from './body.ts';
import { linkFaults } from './check-links.ts';
import { fromWrite } from './mongoose-errors.ts';
import { commitNew, planNew } from './plan/new-document.ts';
import { type Written, written } from './written.ts';

export async function create(context: ModelContext): Promise<Written> {
  const { model, principal } = context;
  await refuseFirstUser(context);
  const values = await valuesFrom(context, 'new');
  const made = await planNew(context, values, await linkFaults(context, [values]));
  try {
    return written(policyFor(principal, model), await commitNew(context, made));
  } catch (error) {
    throw fromWrite(error);
  }
}
