/** POST: creates one document. */
import type { ModelContext } from '../context.ts';
import { directOf } from '../models/direct.ts';
import { modelOf } from '../models/mongoose.ts';
import { policyFor } from '../policy/policy.ts';
import { refuseFirstUser } from './before-setup.ts';
import { valuesFrom } from './body.ts';
import { linkFaults } from './check-links.ts';
import { commit } from './commit.ts';
import { owned, validDocument } from './document.ts';
import { refuseFaults } from './faults.ts';
import { fromWrite } from './mongoose-errors.ts';
import { guardOf } from './row-guard.ts';
import { writerOf } from './writer.ts';
import { type Written, written } from './written.ts';

export async function create(context: ModelContext): Promise<Written> {
  const { model, principal } = context;
  await refuseFirstUser(context);
  const values = await valuesFrom(context, 'new');
  await refuseFaults(await linkFaults(context, [values]), () => validDocument(context, values));
  const whole = owned(context, values);
  const guard = guardOf(context, 'c');
  try {
    const made = directOf(model).row?.(whole, new Date());
    if (made !== undefined) {
      guard?.(made);
      await commit(writerOf(context), { kind: 'insert', model, rows: [made] });
      return written(policyFor(principal, model), made);
    }
    const document = new (modelOf(model))(whole);
    // `_deleted` has been removed from the body; the default applies
    const row = await commit(writerOf(context), {
      kind: 'save',
      model,
      document,
      event: 'post',
      guard,
    });
    return written(policyFor(principal, model), row);
  } catch (error) {
    throw fromWrite(error);
  }
}
