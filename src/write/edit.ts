/** Makes edits: by one update, or by loading and saving the document where the model's rules or middleware need it. */
import type { ModelActor } from '../context.ts';
import { attemptChange } from './change.ts';
import type { ChangeIntent } from './intents.ts';
import { type Attempt, type Edit, writtenBy } from './plan/edit.ts';
import { valuesFrom } from './rules/body.ts';
import { attemptSave } from './save.ts';
import type { Written } from './written.ts';

/** Changes the given fields of a document. @param saves whether it is loaded and saved in any case @throws 400, 403, 409 */
export async function change(actor: ModelActor, intent: ChangeIntent, saves = false): Promise<Written> {
  return writtenBy(actor, await attemptValues(actor, intent, saves));
}

export async function attemptValues(actor: ModelActor, intent: ChangeIntent, saves = false): Promise<Attempt> {
  const { id, grant, silent } = intent;
  return attempt(actor, { id, grant, silent, update: { $set: await valuesFrom(actor, intent, 'change') } }, saves);
}

export const attempt = (actor: ModelActor, edit: Edit, saves = false): Promise<Attempt> =>
  saves || actor.model.changesBySave ? attemptSave(actor, edit) : attemptChange(actor, edit);
