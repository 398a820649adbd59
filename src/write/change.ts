/** PUT: changes the fields given, in one atomic update. */
import type { ModelContext } from '../context.ts';
import { notDeleted } from '../models/deleted.ts';
import type { Row } from '../models/mongoose.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { valuesFrom } from './body.ts';
import { pathsOf } from './bulk/update.ts';
import { commit } from './commit.ts';
import type { ChangeEvent } from './contract.ts';
import { discriminatorOf, refuseFieldsOfParts } from './discriminator.ts';
import { type Attempt, type Edit, oneAtATime, prepareEdit, writtenBy } from './edit.ts';
import { fromWrite, uniqueViolation } from './mongoose-errors.ts';
import { type RaisingUpdate, updateOfChange } from './plan/change.ts';
import { meetsDemands, positionDemands, unmetDemand } from './positions.ts';
import { restoring } from './restore.ts';
import { guardOf } from './row-guard.ts';
import { missing, targetFilter } from './target.ts';
import { protectLastAdmin } from './user-rules.ts';
import { writerOf } from './writer.ts';
import type { Written } from './written.ts';

export async function change(context: ModelContext): Promise<Written> {
  return writtenBy(context, await attemptChange(context, { update: { $set: await valuesFrom(context, 'change') } }));
}

/** Makes an edit by one atomic update. @throws 400, 403, 409 */
export async function attemptChange(context: ModelContext, edit: Edit): Promise<Attempt> {
  const { model, grant } = context;
  refuseFieldsOfParts(model, pathsOf(edit.update));
  const positions = positionDemands(model.schema, edit.update);
  const { change, fit, demands } = await prepareEdit(context, edit);
  const { set, flag } = change;
  const state = allOf([meetsDemands(positions), fit]);
  const update = updateOfChange(context, change);
  const event = flag.deletes ? 'del' : 'put';
  const write = (): Promise<Row | null> =>
    protectLastAdmin(context, set, () =>
      flag.restores ? restore(context, state, update) : send(context, allOf([flag.filter, state]), update, event),
    );
  // a judged change is a read and a write, which others must not overtake
  const row = await (guardOf(context, 'u') === undefined ? write() : oneAtATime(context, edit, write));
  const refusal: Attempt['refusal'] = async () =>
    (await unmetDemand(context, targetFilter(context, grant, flag.filter), positions)) ??
    missing(context, grant, demands);
  return { row, refusal };
}

/** Restores a deleted document, which subscribers receive as a new one; a document that was not deleted is only changed. */
const restore = async (context: ModelContext, fit: Filter, update: RaisingUpdate): Promise<Row | null> =>
  (await restoring(context, (inner) => send(inner, allOf([{ _deleted: true }, fit]), update, 'post'))) ??
  send(context, allOf([notDeleted, fit]), update, 'put');

/** @returns the document after the update; null if none is in this state */
async function send(
  context: ModelContext,
  state: Filter,
  update: RaisingUpdate,
  event: ChangeEvent,
): Promise<Row | null> {
  const { model } = context;
  const filter = targetFilter(context, context.grant, state);
  try {
    const through = await discriminatorOf(context, filter, update);
    return await commit(writerOf(context), {
      kind: 'update',
      model,
      filter,
      update,
      event,
      returns: 'after',
      guard: guardOf(context, 'u'),
      through,
    });
  } catch (error) {
    throw (await uniqueViolation(context, update.$set, error)) ?? fromWrite(error);
  }
}
