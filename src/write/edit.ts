/** Makes edits: by one update, or by loading and saving the document where the model's rules or middleware need it. */
import type { ModelActor } from '../context.ts';
import { attemptChange } from './change.ts';
import type { Assigning, ChangeIntent } from './intents.ts';
import { assignedChange, withAssigned } from './plan/assigned.ts';
import { type Attempt, type Edit, writtenBy } from './plan/edit.ts';
import { valuesFrom } from './rules/body.ts';
import { attemptSave } from './save.ts';
import type { Written } from './written.ts';

/** Changes the given fields of a document. @param saves whether it is loaded and saved in any case @throws 400, 403, 409 */
export async function change(actor: ModelActor, intent: ChangeIntent, saves = false): Promise<Written> {
  return writtenBy(actor, await attemptValues(actor, intent, saves));
}

export async function attemptValues(actor: ModelActor, intent: ChangeIntent, saves = false): Promise<Attempt> {
  const { id, grant, silent, assignments } = intent;
  const update = { $set: await valuesFrom(actor, intent, 'change') };
  return attempt(actor, { id, grant, silent, assignments, update }, saves);
}

/** Makes an edit, with what the application sets besides. @throws 400, 403, 409 */
export async function attempt(actor: ModelActor, edit: Edit & Assigning, saves = false): Promise<Attempt> {
  const { assignments } = edit;
  const attemptIt = saves || actor.model.changesBySave ? attemptSave : attemptChange;
  if (assignments === undefined) return attemptIt(actor, edit);
  const values = await assignedChange(actor, assignments, edit.id);
  const update = withAssigned(actor, edit.update, values);
  const made = await attemptIt(actor, { ...edit, update, assigned: Object.keys(values) });
  // the answer names what the caller's own change did not do
  return { ...made, update: edit.update };
}
