/** Makes an edit by one atomic update. */
import type { ModelActor } from '../context.ts';
import { notDeleted } from '../models/deleted.ts';
import type { Row } from '../models/mongoose.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { pathsOf } from './bulk/update.ts';
import { commit } from './commit.ts';
import type { ChangeEvent } from './contract.ts';
import { discriminatorOf, refuseFieldsOfParts } from './discriminator.ts';
import { type Attempt, type Edit, oneAtATime, prepareEdit } from './edit.ts';
import { fromWrite, uniqueViolation } from './mongoose-errors.ts';
import { type RaisingUpdate, updateOfChange } from './plan/change.ts';
import { meetsDemands, positionDemands, unmetDemand } from './positions.ts';
import { restoring } from './restore.ts';
import { guardOf } from './row-guard.ts';
import { missing, targetFilter } from './target.ts';
import { protectLastAdmin } from './user-rules.ts';
import { writerOf } from './writer.ts';

/** Makes an edit by one atomic update. @throws 400, 403, 409 */
export async function attemptChange(actor: ModelActor, edit: Edit): Promise<Attempt> {
  const { model } = actor;
  refuseFieldsOfParts(model, pathsOf(edit.update));
  const positions = positionDemands(model.schema, edit.update);
  const { change, fit, demands } = await prepareEdit(actor, edit);
  const { set, flag } = change;
  const state = allOf([meetsDemands(positions), fit]);
  const update = updateOfChange(actor, change);
  const event = flag.deletes ? 'del' : 'put';
  const write = (): Promise<Row | null> =>
    protectLastAdmin(actor, edit, set, () =>
      flag.restores
        ? restore(actor, edit, state, update)
        : send(actor, { edit, state: allOf([flag.filter, state]), update, event }),
    );
  // a judged change is a read and a write, which others must not overtake
  const row = await (guardOf(actor, 'u') === undefined ? write() : oneAtATime(actor, edit, write));
  const refusal: Attempt['refusal'] = async () =>
    (await unmetDemand(actor, targetFilter(actor, edit, flag.filter), positions)) ?? missing(actor, edit, demands);
  return { row, refusal };
}

/** Restores a deleted document, which subscribers receive as a new one; a document that was not deleted is only changed. */
const restore = async (actor: ModelActor, edit: Edit, fit: Filter, update: RaisingUpdate): Promise<Row | null> =>
  (await restoring(actor, edit, (inner) =>
    send(inner, { edit, state: allOf([{ _deleted: true }, fit]), update, event: 'post' }),
  )) ?? send(actor, { edit, state: allOf([notDeleted, fit]), update, event: 'put' });

interface Sending {
  readonly edit: Edit;
  /** What must hold for the document. */
  readonly state: Filter;
  readonly update: RaisingUpdate;
  readonly event: ChangeEvent;
}

/** @returns the document after the update; null if none is in this state */
async function send(actor: ModelActor, { edit, state, update, event }: Sending): Promise<Row | null> {
  const { model } = actor;
  const filter = targetFilter(actor, edit, state);
  try {
    const through = await discriminatorOf(actor, filter, update);
    return await commit(writerOf(actor, edit), {
      kind: 'update',
      model,
      filter,
      update,
      event,
      returns: 'after',
      guard: guardOf(actor, 'u'),
      through,
    });
  } catch (error) {
    throw (await uniqueViolation(actor, edit, update.$set, error)) ?? fromWrite(error);
  }
}
