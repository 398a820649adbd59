/** PUT: changes the fields given, in one atomic update. */
import { policyFor } from '../policy/policy.ts';
import { present } from '../policy/present.ts';
import type { ModelContext } from '../context.ts';
import type { Filter } from '../language/filter.ts';
import { allOf } from '../language/merge.ts';
import { castId } from '../registry/cast.ts';
import { notDeleted } from '../registry/deleted.ts';
import { ownWrite } from '../registry/model-writes.ts';
import type { ClientSession, Row } from '../registry/mongoose.ts';
import { valuesFrom } from './body.ts';
import { changedBy } from './changer.ts';
import { changed, type Written } from './changed.ts';
import { rowBefore } from './before.ts';
import { checkLinks } from './check-links.ts';
import { deletedFlag } from './deleted-flag.ts';
import { clashOf } from './clash.ts';
import { checkGroups } from './groups.ts';
import { keepAnAdmin } from './last-admin.ts';
import { kindOf } from './kind.ts';
import { fromWrite } from './mongoose-errors.ts';
import { refuseReferenced } from './referenced.ts';
import { restoring } from './restore.ts';
import { listFault, noLists, numberedKeys } from './positions.ts';
import { missing, targetFilter } from './target.ts';

export async function change(context: ModelContext): Promise<Written> {
  const { model, principal, grant } = context;
  const values: Row = await valuesFrom(context, true);
  checkGroups(model, values);
  await checkLinks(context, [values]);
  if (typeof values['_owner_id'] === 'string') values['_owner_id'] = castId('_owner_id', values['_owner_id']);
  const keys = numberedKeys(model.schema, Object.keys(values));
  const flag = deletedFlag(context, values);
  if (flag.deletes) await refuseReferenced(context, targetFilter(context, grant, flag.filter), { forGood: false });
  Object.assign(values, changedBy(principal));
  const done = await keepAnAdmin(context, values, () =>
    flag.restores
      ? restore(context, noLists(keys), values)
      : update(context, allOf([flag.filter, noLists(keys)]), values, 'put'),
  );
  if (done === null)
    throw (await listFault(model, targetFilter(context, grant, flag.filter), keys)) ?? (await missing(context, grant));
  const id = String(done.after['_id']);
  changed(context, [{ event: flag.deletes ? 'del' : done.event, model, id, before: done.before, after: done.after }]);
  return { id, data: present(policyFor(principal, model), done.after) };
}

interface Updated {
  readonly before: Row | undefined;
  readonly after: Row;
  /** What subscribers hear: a restored document appears, any other is changed. */
  readonly event: 'post' | 'put';
}

/** A deleted document comes back; one that was not deleted is only changed. */
const restore = async (context: ModelContext, fit: Filter | undefined, values: Row): Promise<Updated | null> =>
  (await restoring(context, (session) => update(context, allOf([{ _deleted: true }, fit]), values, 'post', session))) ??
  update(context, allOf([notDeleted, fit]), values, 'put');

async function update(
  context: ModelContext,
  state: Filter,
  values: Row,
  event: 'post' | 'put',
  session?: ClientSession,
): Promise<Updated | null> {
  const filter = targetFilter(context, context.grant, state);
  const before = await rowBefore(context, filter);
  try {
    const kind = await kindOf(context.model, filter);
    const query = kind.findOneAndUpdate(
      filter,
      { $set: values, $inc: { __v: 1 } },
      { returnDocument: 'after', runValidators: true, lean: true, context: 'query' },
    );
    const after = await ownWrite(query)
      .session(session ?? null)
      .exec();
    return after === null ? null : { before, after, event };
  } catch (error) {
    // whoever runs the transaction may try it again
    if (session !== undefined) throw error;
    throw (await clashOf(context, values, error)) ?? fromWrite(error);
  }
}
