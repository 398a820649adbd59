/** An edit: what one request does to one existing document. `change` sends it as one update, `save` loads and saves the document. */
import type { ModelActor } from '../../context.ts';
import type { Failure } from '../../errors/errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import type { Row } from '../../models/mongoose.ts';
import { policyFor } from '../../policy/policy.ts';
import { allOf } from '../../query/and.ts';
import type { Filter } from '../../query/filter.ts';
import { pathsOf, type Update } from '../../query/updates.ts';
import type { Target, WriteIntent } from '../intents.ts';
import { turnBeforePresenting, type WriteAnswer, writeAnswer } from '../perform.ts';
import { linkFaults, linkValues } from '../rules/check-links.ts';
import { comparableBy, refuseFieldsOfParts, withoutKeysOfParts } from '../rules/discriminator.ts';
import { refuseFaults, validateChange } from '../rules/faults.ts';
import { type PathDemands, pathDemands } from '../rules/positions.ts';
import { refuseReferenced } from '../rules/referenced.ts';
import { type Demands, targetFilter } from '../target.ts';
import { onDocument } from '../unit.ts';
import { type Change, type ChangeRequest, planChange } from './change.ts';
import { ignoredPaths } from './ignored.ts';

export interface Edit extends Target, WriteIntent, ChangeRequest {
  /** The revision from which the update was computed; it applies to no other one. Its maker holds the mutex of the document. */
  readonly revision?: Filter;
}

/** Runs the writing of an edit that depends on what is stored, one at a time for each document. */
export const oneAtATime = <T>(actor: ModelActor, { id, revision }: Edit, write: () => Promise<T>): Promise<T> =>
  revision === undefined ? onDocument(actor, id, write) : write();

/** An edit with what its paths into documents and lists demand; most edits name whole fields. @throws 400 */
export function ofDottedPaths(
  model: ModelEntry,
  given: Edit,
): { readonly edit: Edit; readonly required?: PathDemands | undefined } {
  const { update, keys } = withoutKeysOfParts(model, given.update, comparableBy(given.grant.policy));
  refuseFieldsOfParts(model, pathsOf(update));
  const edit = update === given.update ? given : { ...given, update };
  return { edit, required: pathDemands(model.schema, update, keys) };
}

/** The result of an attempt to make an edit. */
export interface Attempt {
  /** What the caller asks to change. */
  readonly update: Update;
  /** The document after the edit; null if there is none in the required state. */
  readonly row: Row | null;
  /** The failure for a missing document. */
  readonly refusal: () => Promise<Failure>;
}

/** An edit with what its update demands of the document. */
interface PreparedEdit {
  readonly change: Change;
  /** The state that the document must have, besides that of deletion. */
  readonly fit: Filter;
  readonly demands: Demands;
}

/** Checks the links, rights and effects of an update. @throws 400, 403, 409 */
export async function prepareEdit(actor: ModelActor, edit: Edit): Promise<PreparedEdit> {
  const { update, revision, assigned } = edit;
  if (actor.model.options.check_links) {
    const faults = await linkFaults(actor, linkValues(update), assigned);
    await refuseFaults(faults, () => validateChange(actor, update['$set'] ?? {}));
  }
  const change = planChange(actor, edit);
  const { own, flag } = change;
  const fit = allOf([own?.filter, revision]);
  if (flag.deletes) await refuseReferenced(actor, targetFilter(actor, edit, flag.filter, fit), { permanently: false });
  return { change, fit, demands: { own, deletion: flag.deletion } };
}

/** The answer of an edit. @throws the failure of an edit without a document */
export async function answerEdit(actor: ModelActor, { update, row, refusal }: Attempt): Promise<WriteAnswer> {
  if (row === null) throw await refusal();
  const later = turnBeforePresenting(row);
  if (later !== undefined) await later;
  const { model, principal } = actor;
  const ignored = model.schema.immutables.size === 0 ? [] : ignoredPaths(actor, update, row);
  return { ...writeAnswer(policyFor(principal, model), row), ...(ignored.length === 0 ? {} : { ignored }) };
}
