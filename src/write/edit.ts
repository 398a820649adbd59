/** Makes edits: by one update, or by loading and saving the document where the model's rules or middleware need it. */
import type { ModelActor } from '../context.ts';
import { activeFilter } from '../models/deleted.ts';
import { modelOf, type Row } from '../models/mongoose.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { pathsOf } from '../query/updates.ts';
import type { ChangeEvent, RowGuard } from './contract.ts';
import { attemptSave } from './edit-by-save.ts';
import type { Assignments, ChangeIntent } from './intents.ts';
import { fromWrite, uniqueViolation } from './mutation/mongoose-errors.ts';
import { guardOfUpdate } from './mutation/row-guard.ts';
import { perform, performWithin, type WriteAnswer } from './perform.ts';
import { assignedChange, withAssignedValues } from './plan/assigned.ts';
import { castByMongoose, directlyCast, runsCode } from './plan/cast-update.ts';
import { type RaisingUpdate, updateOfChange } from './plan/change.ts';
import { answerEdit, type Attempt, type Edit, ofDottedPaths, oneAtATime, prepareEdit } from './plan/edit.ts';
import { restoreCascade } from './restore.ts';
import { valuesFrom } from './rules/body.ts';
import { discriminatorOf } from './rules/discriminator.ts';
import { demandFilter, unmetDemand } from './rules/positions.ts';
import { protectLastAdmin } from './rules/user-rules.ts';
import { missingTargetFailure, targetFilter } from './target.ts';

/** Changes the given fields of a document. @param saves whether it is loaded and saved in any case @throws 400, 403, 409 */
export async function change(actor: ModelActor, intent: ChangeIntent, saves = false): Promise<WriteAnswer> {
  return answerEdit(actor, await attemptValues(actor, intent, saves));
}

export async function attemptValues(actor: ModelActor, intent: ChangeIntent, saves = false): Promise<Attempt> {
  const { id, grant, silent, assignments } = intent;
  const update = { $set: await valuesFrom(actor, intent, 'change') };
  return attempt(actor, { id, grant, silent, assignments, update }, saves);
}

/** Makes an edit, with what the application sets besides. @throws 400, 403, 409 */
export async function attempt(actor: ModelActor, edit: Edit & Assignments, saves = false): Promise<Attempt> {
  const { assignments } = edit;
  const attemptIt = saves || actor.model.changesBySave ? attemptSave : attemptChange;
  if (assignments === undefined) return attemptIt(actor, edit);
  const values = await assignedChange(actor, assignments, edit.id);
  const update = withAssignedValues(actor, edit.update, values);
  const made = await attemptIt(actor, { ...edit, update, assigned: Object.keys(values) });
  // the answer names what the caller's own change did not do
  return { ...made, update: edit.update };
}

/** `protectLastAdmin`, which only users need. */
const unlessLastAdmin: typeof protectLastAdmin = (actor, edit, values, write) =>
  actor.model.name === 'user' ? protectLastAdmin(actor, edit, values, write) : write(actor);

// by one update

/** Makes an edit by one atomic update. @throws 400, 403, 409 */
async function attemptChange(actor: ModelActor, given: Edit): Promise<Attempt> {
  const { model } = actor;
  const { edit, required } = pathsOf(given.update).some((path) => path.includes('.'))
    ? ofDottedPaths(model, given)
    : { edit: given };
  const { change, fit, demands } = await prepareEdit(actor, edit);
  const { set, flag } = change;
  const state = allOf([required && demandFilter(required), fit]);
  const update = updateOfChange(actor, change);
  const guard = guardOfUpdate(actor, update);
  const event = flag.deletes ? 'del' : 'put';
  const write = (): Promise<Row | null> =>
    unlessLastAdmin(actor, edit, set, (alone) =>
      flag.restores
        ? restore(alone, edit, { state, update, guard })
        : send(alone, { edit, state: allOf([flag.filter, state]), update, guard, event }),
    );
  // a judged change is a read and a write, which others must not overtake
  const row = await (guard === undefined ? write() : oneAtATime(actor, edit, write));
  const refusal: Attempt['refusal'] = async () =>
    (required && (await unmetDemand(actor, targetFilter(actor, edit, flag.filter), required))) ??
    missingTargetFailure(actor, edit, demands);
  return { update: given.update, row, refusal };
}

/** Restores a deleted document, which subscribers receive as a new one; a document that was not deleted is only changed. */
const restore = async (
  actor: ModelActor,
  edit: Edit,
  { state, ...change }: Pick<Sending, 'state' | 'update' | 'guard'>,
): Promise<Row | null> =>
  (await restoreCascade(actor, edit, (inner) =>
    send(inner, { ...change, edit, state: allOf([{ _deleted: true }, state]), event: 'post' }),
  )) ?? send(actor, { ...change, edit, state: allOf([activeFilter, state]), event: 'put' });

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
  const mutation = { kind: 'change', model, event, guard, filter } as const;
  try {
    const by = model.schema.kinds.length === 0 ? modelOf(model) : await discriminatorOf(actor, filter, update);
    const cast = directlyCast(model, by, update);
    if (cast !== undefined) return await perform(actor, edit, { ...mutation, update: cast });
    const within = { actor, intent: edit, mutation: { ...mutation, update }, runsCode: runsCode(model, by, update) };
    return await performWithin(within, (write, sendCast) => castByMongoose({ by, filter, update, write }, sendCast));
  } catch (error) {
    throw (await uniqueViolation(actor, edit, update.$set, error)) ?? fromWrite(error);
  }
}
