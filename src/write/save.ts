/** PUT and POST /update: loads, sets and saves, so that all validators and the model's save middleware run. */
import type { ModelContext } from '../context.ts';
import { preconditionFailed } from '../errors.ts';
import { modelOf, MongooseError, type Row } from '../models/mongoose.ts';
import type { Filter } from '../query/filter.ts';
import { valuesFrom } from './body.ts';
import { commit, sessionOf } from './commit.ts';
import { type Attempt, type Edit, oneAtATime, prepareEdit, writtenBy } from './edit.ts';
import { fromWrite } from './mongoose-errors.ts';
import { refuseOverlaps } from './plan/change.ts';
import { changedDocument, type DocumentChange } from './plan/changed-document.ts';
import { restoring } from './restore.ts';
import { guardOf } from './row-guard.ts';
import { missing, targetFilter } from './target.ts';
import { protectLastAdmin } from './user-rules.ts';
import { writerOf } from './writer.ts';
import type { Written } from './written.ts';

export async function save(context: ModelContext): Promise<Written> {
  return writtenBy(context, await attemptSave(context, { update: { $set: await valuesFrom(context, 'change') } }));
}

/** Makes an edit by loading and saving the document. @throws 400, 403, 409 */
export async function attemptSave(context: ModelContext, edit: Edit): Promise<Attempt> {
  const { grant } = context;
  const { change, fit, demands } = await prepareEdit(context, edit);
  const { set, operators, flag } = change;
  refuseOverlaps(change);
  const saving = { filter: targetFilter(context, grant, flag.filter, fit), set, operators };
  // concurrent saves of one document would conflict, because both load the same revision
  const row = await oneAtATime(context, edit, () =>
    protectLastAdmin(context, set, () =>
      flag.restores ? restoring(context, (inner) => loadAndSave(inner, saving)) : loadAndSave(context, saving),
    ),
  );
  return { row, refusal: () => missing(context, grant, demands) };
}

interface Saving extends DocumentChange {
  readonly filter: Filter;
}

/** @returns the stored document after the save; null if there is none */
export async function loadAndSave(context: ModelContext, { filter, ...changes }: Saving): Promise<Row | null> {
  const { model, headers } = context;
  try {
    // without the middleware of reads, as all other reading; with the paths that reads leave out, which rules may need
    const stored = await modelOf(model).collection.findOne<Row>(filter, sessionOf(context));
    if (stored === null) return null;
    const changed = changedDocument(context, stored, changes);
    return await commit(writerOf(context), { kind: 'save', model, ...changed, guard: guardOf(context, 'u') });
  } catch (error) {
    // the save succeeds only for the loaded revision, which is the one that If-Match names
    if (error instanceof MongooseError.VersionError && headers['if-match'] !== undefined) throw preconditionFailed();
    throw fromWrite(error);
  }
}
