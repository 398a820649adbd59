/** POST: creates one document. */
import { makeYielder } from '../async/yield.ts';
import type { ModelActor } from '../context.ts';
import { policyFor } from '../policy/policy.ts';
import { refuseFirstUser } from './before-setup.ts';
import type { ValuesIntent } from './intents.ts';
import { fromWrite } from './mutation/mongoose-errors.ts';
import { turnBeforePresenting, type WriteAnswer, writeAnswer } from './perform.ts';
import { commitNew, planNew } from './plan/new-document.ts';
import { assignedFields, valuesFrom } from './rules/body.ts';
import { linkFaults } from './rules/check-links.ts';

export async function create(actor: ModelActor, intent: ValuesIntent): Promise<WriteAnswer> {
  const { model, principal } = actor;
  if (model.name === 'user') await refuseFirstUser(actor);
  const values = await valuesFrom(actor, intent, 'new');
  const yieldIfLong = makeYielder();
  const faults = model.options.check_links
    ? await linkFaults(actor, [values], Object.keys(assignedFields(actor, intent.assignments, 'new')))
    : [];
  const made = await planNew(actor, values, faults);
  const turn = yieldIfLong();
  if (turn !== undefined) await turn;
  try {
    const row = await commitNew(actor, made, intent);
    const later = turnBeforePresenting(row);
    if (later !== undefined) await later;
    return writeAnswer(policyFor(principal, model), row);
  } catch (error) {
    throw fromWrite(error);
  }
}
