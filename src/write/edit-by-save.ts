/** Makes an edit by loading and saving the document: where the model has middleware or rules that read it. */
import type { ModelActor } from '../context.ts';
import { preconditionFailed } from '../errors/errors.ts';
import { modelOf, MongooseError, type Row } from '../models/mongoose.ts';
import type { Filter } from '../query/filter.ts';
import { sessionOf } from './commit.ts';
import type { WriteIntent } from './intents.ts';
import { fromWrite } from './mutation/mongoose-errors.ts';
import { guardOf } from './mutation/row-guard.ts';
import { perform } from './perform.ts';
import { refuseOverlaps } from './plan/change.ts';
import { changedDocument, type DocumentChange } from './plan/changed-document.ts';
import { type Attempt, type Edit, oneAtATime, prepareEdit } from './plan/edit.ts';
import { restoreCascade } from './restore.ts';
import { protectLastAdmin } from './rules/user-rules.ts';
import { missingTargetFailure, targetFilter } from './target.ts';

/** Makes an edit by loading and saving the document. @throws 400, 403, 409 */
export async function attemptSave(actor: ModelActor, edit: Edit): Promise<Attempt> {
  const { change, fit, demands } = await prepareEdit(actor, edit);
  const { set, operators, flag } = change;
  refuseOverlaps(change);
  const saving = { filter: targetFilter(actor, edit, flag.filter, fit), set, operators, silent: edit.silent };
  // concurrent saves of one document would conflict, because both load the same revision
  const row = await oneAtATime(actor, edit, () =>
    protectLastAdmin(actor, edit, set, (alone) =>
      flag.restores ? restoreCascade(alone, edit, (inner) => loadAndSave(inner, saving)) : loadAndSave(alone, saving),
    ),
  );
  return { update: edit.update, row, refusal: () => missingTargetFailure(actor, edit, demands) };
}

interface Saving extends DocumentChange, WriteIntent {
  readonly filter: Filter;
}

/** @returns the stored document after the save; null if there is none */
export async function loadAndSave(actor: ModelActor, saving: Saving): Promise<Row | null> {
  const { model, restrictions } = actor;
  try {
    // without the middleware of reads, as all other reading; with the paths that reads leave out, which rules may need
    const stored = await modelOf(model).collection.findOne<Row>(saving.filter, sessionOf(actor));
    if (stored === null) return null;
    const changed = changedDocument(actor, stored, saving);
    return await perform(actor, saving, { kind: 'change', model, ...changed, guard: guardOf(actor, 'u') });
  } catch (error) {
    // the save succeeds only for the loaded revision, which is the one that If-Match names
    if (error instanceof MongooseError.VersionError && restrictions.precondition !== undefined)
      throw preconditionFailed();
    throw fromWrite(error);
  }
}
