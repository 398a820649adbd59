/** Makes an edit by one atomic update. */
import type { ModelActor } from '../context.ts';
import { notDeleted } from '../models/deleted.ts';
import type { Row } from '../models/mongoose.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { pathsOf } from '../query/updates.ts';
import { commit, inUnitOf } from './commit.ts';
import type { ChangeEvent, RowGuard } from './contract.ts';
import { fromWrite, uniqueViolation } from './mutation/mongoose-errors.ts';
import { guardOfUpdate } from './mutation/row-guard.ts';
import { type Writer, writerOf } from './mutation/writer.ts';
import { castByMongoose, directlyCast, runsCode } from './plan/cast-update.ts';
import { type RaisingUpdate, updateOfChange } from './plan/change.ts';
import { type Attempt, type Edit, oneAtATime, prepareEdit } from './plan/edit.ts';
import { restoring } from './restore.ts';
import { comparableBy, discriminatorOf, refuseFieldsOfParts, withoutKeysOfParts } from './rules/discriminator.ts';
import { meetsDemands, pathDemands, unmetDemand } from './rules/positions.ts';
import { protectLastAdmin } from './rules/user-rules.ts';
import { missing, targetFilter } from './target.ts';

/** Makes an edit by one atomic update. @throws 400, 403, 409 */
export async function attemptChange(actor: ModelActor, given: Edit): Promise<Attempt> {
  const { model } = actor;
  const { update: sent, keys } = withoutKeysOfParts(model, given.update, comparableBy(given.grant.policy));
  const edit = sent === given.update ? given : { ...given, update: sent };
  refuseFieldsOfParts(model, pathsOf(sent));
  const required = pathDemands(model.schema, sent, keys);
  const { change, fit, demands } = await prepareEdit(actor, edit);
  const { set, flag } = change;
  const state = allOf([meetsDemands(required), fit]);
  const update = updateOfChange(actor, change);
  const guard = guardOfUpdate(actor, update);
  const event = flag.deletes ? 'del' : 'put';
  const write = (): Promise<Row | null> =>
    protectLastAdmin(actor, edit, set, (alone) =>
      flag.restores
        ? restore(alone, edit, { state, update, guard })
        : send(alone, { edit, state: allOf([flag.filter, state]), update, guard, event }),
    );
  // a judged change is a read and a write, which others must not overtake
  const row = await (guard === undefined ? write() : oneAtATime(actor, edit, write));
  const refusal: Attempt['refusal'] = async () =>
    (await unmetDemand(actor, targetFilter(actor, edit, flag.filter), required)) ?? missing(actor, edit, demands);
  return { update: given.update, row, refusal };
}

/** Restores a deleted document, which subscribers receive as a new one; a document that was not deleted is only changed. */
const restore = async (
  actor: ModelActor,
  edit: Edit,
  { state, ...change }: Pick<Sending, 'state' | 'update' | 'guard'>,
): Promise<Row | null> =>
  (await restoring(actor, edit, (inner) =>
    send(inner, { ...change, edit, state: allOf([{ _deleted: true }, state]), event: 'post' }),
  )) ?? send(actor, { ...change, edit, state: allOf([notDeleted, state]), event: 'put' });

interface Sending {
  readonly edit: Edit;
  /** What must hold for the document before the update, and after it. */
  readonly state: Filter | undefined;
  readonly guard: RowGuard | undefined;
  readonly update: RaisingUpdate;
  readonly event: ChangeEvent;
}

/** @returns the document after the update; null if none is in this state */
async function send(actor: ModelActor, { edit, state, guard, update, event }: Sending): Promise<Row | null> {
  const { model } = actor;
  const filter = targetFilter(actor, edit, state);
  const writer = writerOf(actor, edit);
  const mutation = { kind: 'change', model, event, guard } as const;
  try {
    const by = await discriminatorOf(actor, filter, update);
    const cast = directlyCast(model, by, update);
    if (cast !== undefined) return await commit(writer, { ...mutation, filter, update: cast });
    const sendBy = (inner: Writer): Promise<Row | null> =>
      castByMongoose({ by, filter, update, write: inner }, (one) => commit(inner, { ...mutation, ...one }));
    return await (runsCode(model, by, update)
      ? inUnitOf(writer, { ...mutation, filter, update }, sendBy)
      : sendBy(writer));
  } catch (error) {
    throw (await uniqueViolation(actor, edit, update.$set, error)) ?? fromWrite(error);
  }
}
