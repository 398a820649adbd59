/** POST: creates one document. */
import { policyFor } from '../policy/policy.ts';
import type { ModelContext } from '../context.ts';
import { modelOf, type Row } from '../models/mongoose.ts';
import { valuesFrom } from './body.ts';
import { checkLinks } from './check-links.ts';
import { commit } from './commit.ts';
import { owned } from './document.ts';
import { fromWrite } from './mongoose-errors.ts';
import { checkGroups } from './user-rules.ts';
import { guardOf } from './row-guard.ts';
import { writerOf } from './writer.ts';
import { written, type Written } from './written.ts';

export async function create(context: ModelContext): Promise<Written> {
  const { model, principal } = context;
  const values: Row = await valuesFrom(context, false);
  checkGroups(model, values);
  await checkLinks(context, [values]);
  const whole = owned(context, values);
  try {
    const document = new (modelOf(model))(whole);
    // a body that names `_deleted` has been stripped of it; the default holds
    const row = await commit(writerOf(context), {
      kind: 'save',
      model,
      document,
      event: 'post',
      guard: guardOf(context, 'c'),
    });
    return written(policyFor(principal, model), row);
  } catch (error) {
    throw fromWrite(error);
  }
}
