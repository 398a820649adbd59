/** PUT and POST /update: loads, sets and saves, so that all validators and the model's save middleware run. */
import type { ModelContext } from '../context.ts';
import { badBody, movedOn } from '../errors.ts';
import { castId } from '../models/cast.ts';
import { modelOf, MongooseError, raiseRevision, type Row, storedRow } from '../models/mongoose.ts';
import { ownOnly } from '../policy/field-writes.ts';
import { policyFor } from '../policy/policy.ts';
import { valuesFrom } from './body.ts';
import { checkLinks } from './check-links.ts';
import { commit } from './commit.ts';
import { deletedFlag } from './deleted-flag.ts';
import { fromWrite } from './mongoose-errors.ts';
import { type NumberedKeys, numberedKeys, tooFar } from './positions.ts';
import { refuseReferenced } from './referenced.ts';
import { restoring } from './restore.ts';
import { guardOf } from './row-guard.ts';
import { updatedBy } from './stamps.ts';
import { missing, targetFilter } from './target.ts';
import { checkGroups, keepAnAdmin } from './user-rules.ts';
import { writerOf } from './writer.ts';
import { type Written, written } from './written.ts';

export async function save(context: ModelContext): Promise<Written> {
  const { model, principal, grant } = context;
  const values: Row = await valuesFrom(context, true);
  checkGroups(model, values);
  await checkLinks(context, [values]);
  if (typeof values['_owner_id'] === 'string') values['_owner_id'] = castId('_owner_id', values['_owner_id']);
  const own = ownOnly(grant.policy, principal, values);
  const flag = deletedFlag(context, values);
  const filter = targetFilter(context, grant, flag.filter, own?.filter);
  if (flag.deletes) await refuseReferenced(context, filter, { forGood: false });
  Object.assign(values, updatedBy(principal));
  const saved = await keepAnAdmin(context, values, () =>
    oneSaveAtATime(context, () =>
      flag.restores
        ? restoring(context, (inner) => loadAndSave(inner, filter, values))
        : loadAndSave(context, filter, values),
    ),
  );
  if (saved === null) throw await missing(context, grant, { own, deletion: flag.deletion });
  return written(policyFor(principal, model), saved);
}

/**
 * Concurrent saves of one document would conflict, because both load the same revision. A transaction waits for no one: who has
 * the turn may be waiting for its commit.
 */
const oneSaveAtATime = <T>({ services, model, params, unit }: ModelContext, work: () => Promise<T>): Promise<T> =>
  unit?.session === undefined ? services.oneAtATime(`${model.name} ${params['id'] ?? ''}`, work) : work();

/** Checks paths through free-form fields, which depend on the document. @throws 400 */
function checkReach(document: { get(path: string): unknown }, values: Row, keys: NumberedKeys): void {
  for (const [path, name] of keys) if (Array.isArray(document.get(path))) throw tooFar(name);
  for (const path of Object.keys(values))
    for (let end = path.indexOf('.'); end !== -1; end = path.indexOf('.', end + 1)) {
      const value = document.get(path.slice(0, end));
      if (value !== undefined && typeof value !== 'object')
        throw badBody(`${path.slice(0, end)} of this document is a scalar and has no subpaths`);
    }
}

/** @returns the stored document after the save; null if there is none */
async function loadAndSave(context: ModelContext, filter: Row, values: Row): Promise<Row | null> {
  const { model, services, headers, unit } = context;
  const keys = numberedKeys(model.schema, Object.keys(values));
  try {
    const document = await modelOf(model)
      .findOne(filter)
      .session(unit?.session ?? null)
      .exec();
    if (document === null) return null;
    const isRestored = document.get('_deleted') === true && values['_deleted'] === false;
    const event = values['_deleted'] === true ? 'del' : isRestored ? 'post' : 'put';
    const before = services.bus.wantsBefore(model) ? storedRow(document) : undefined;
    checkReach(document, values, keys);
    document.$set(values);
    // a verification that is sent with an address applies to that address, even if it was true before
    if (model.name === 'user' && Object.hasOwn(values, 'email_verified')) document.markModified('email_verified');
    raiseRevision(document);
    return await commit(writerOf(context), {
      kind: 'save',
      model,
      document,
      event,
      before,
      guard: guardOf(context, 'u'),
    });
  } catch (error) {
    // the save succeeds only for the loaded revision, which is the one that If-Match names
    if (error instanceof MongooseError.VersionError && headers['if-match'] !== undefined) throw movedOn();
    throw fromWrite(error);
  }
}
