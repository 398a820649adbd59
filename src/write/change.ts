/** PUT: changes the fields given, in one atomic update. */
import type { ModelContext } from '../context.ts';
import { castId } from '../models/cast.ts';
import { notDeleted } from '../models/deleted.ts';
import type { Row } from '../models/mongoose.ts';
import { ownOnly } from '../policy/field-writes.ts';
import { policyFor } from '../policy/policy.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { valuesFrom } from './body.ts';
import { checkLinks } from './check-links.ts';
import { commit } from './commit.ts';
import { deletedFlag } from './deleted-flag.ts';
import { discriminatorOf } from './discriminator.ts';
import { fromWrite, uniqueViolation } from './mongoose-errors.ts';
import type { ChangeEvent } from './mutation.ts';
import { listFault, noLists, numberedKeys } from './positions.ts';
import { refuseReferenced } from './referenced.ts';
import { restoring } from './restore.ts';
import { guardOf } from './row-guard.ts';
import { updatedBy } from './stamps.ts';
import { missing, targetFilter } from './target.ts';
import { checkGroups, keepAnAdmin } from './user-rules.ts';
import { writerOf } from './writer.ts';
import { type Written, written } from './written.ts';

export async function change(context: ModelContext): Promise<Written> {
  const { model, principal, grant } = context;
  const values: Row = await valuesFrom(context, true);
  checkGroups(model, values);
  await checkLinks(context, [values]);
  if (typeof values['_owner_id'] === 'string') values['_owner_id'] = castId('_owner_id', values['_owner_id']);
  const keys = numberedKeys(model.schema, Object.keys(values));
  const own = ownOnly(grant.policy, principal, values);
  const flag = deletedFlag(context, values);
  if (flag.deletes) await refuseReferenced(context, targetFilter(context, grant, flag.filter), { forGood: false });
  Object.assign(values, updatedBy(principal));
  const event = flag.deletes ? 'del' : 'put';
  const after = await keepAnAdmin(context, values, () =>
    flag.restores
      ? restore(context, allOf([noLists(keys), own?.filter]), values)
      : update(context, allOf([flag.filter, noLists(keys), own?.filter]), values, event),
  );
  if (after === null)
    throw (
      (await listFault(context, targetFilter(context, grant, flag.filter), keys)) ??
      (await missing(context, grant, { own, deletion: flag.deletion }))
    );
  return written(policyFor(principal, model), after);
}

/** Restores a deleted document, which subscribers receive as a new one; a document that was not deleted is only changed. */
const restore = async (context: ModelContext, fit: Filter, values: Row): Promise<Row | null> =>
  (await restoring(context, (inner) => update(inner, allOf([{ _deleted: true }, fit]), values, 'post'))) ??
  update(context, allOf([notDeleted, fit]), values, 'put');

/** @returns the document after the update; null if none is in this state */
async function update(context: ModelContext, state: Filter, values: Row, event: ChangeEvent): Promise<Row | null> {
  const { model } = context;
  const filter = targetFilter(context, context.grant, state);
  const change = { $set: values, $inc: { __v: 1 } };
  try {
    const through = await discriminatorOf(context, filter);
    return await commit(writerOf(context), {
      kind: 'update',
      model,
      filter,
      update: change,
      event,
      returns: 'after',
      guard: guardOf(context, 'u'),
      through,
    });
  } catch (error) {
    throw (await uniqueViolation(context, values, error)) ?? fromWrite(error);
  }
}
