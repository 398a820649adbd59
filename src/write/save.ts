/** PUT and POST /update: loads, sets and saves, so that all validators and the model's save middleware run. */
import { shape } from '../access/shape.ts';
import type { ModelContext } from '../context.ts';
import { badBody, movedOn } from '../errors.ts';
import {
  modelOf,
  MongooseError,
  raiseRevision,
  saveDocument,
  storedRow,
  type ClientSession,
  type Row,
} from '../registry/mongoose.ts';
import { castId } from '../registry/cast.ts';
import { ownWrite } from '../registry/model-writes.ts';
import { valuesFrom } from './body.ts';
import { changedBy } from './changer.ts';
import { changed, type Written } from './changed.ts';
import { checkLinks } from './check-links.ts';
import { deletedFlag } from './deleted-flag.ts';
import { checkGroups } from './groups.ts';
import { keepAnAdmin } from './last-admin.ts';
import { fromWrite } from './mongoose-errors.ts';
import { refuseReferenced } from './referenced.ts';
import { restoring } from './restore.ts';
import { computedRow } from './row.ts';
import { numberedKeys, tooFar, type NumberedKeys } from './positions.ts';
import { missing, targetFilter } from './target.ts';

export async function save(context: ModelContext): Promise<Written> {
  const { model, principal, grant } = context;
  const values: Row = await valuesFrom(context, true);
  checkGroups(model, values);
  await checkLinks(context, [values]);
  if (typeof values['_owner_id'] === 'string') values['_owner_id'] = castId('_owner_id', values['_owner_id']);
  const flag = deletedFlag(context, values);
  const filter = targetFilter(context, grant, flag.filter);
  if (flag.deletes) await refuseReferenced(context, filter, { forGood: false });
  Object.assign(values, changedBy(principal));
  const saved = await keepAnAdmin(context, values, () =>
    // whoever loads what somebody else is about to save would save in vain
    context.services.oneAtATime(`${model.name} ${context.params['id'] ?? ''}`, () =>
      flag.restores
        ? restoring(context, (session) => loadAndSave(context, filter, values, session))
        : loadAndSave(context, filter, values),
    ),
  );
  if (saved === null) throw await missing(context, grant);
  const id = String(saved.after['_id']);
  changed(context, [
    {
      event: flag.deletes ? 'del' : saved.restored ? 'post' : 'put',
      model,
      id,
      before: saved.before,
      after: saved.after,
    },
  ]);
  return { id, data: shape(computedRow(model, saved.after)) };
}

/** Free-form fields hold anything, so only the document tells whether a path leads through it. @throws 400 */
function checkReach(document: { get(path: string): unknown }, values: Row, keys: NumberedKeys): void {
  for (const [path, name] of keys) if (Array.isArray(document.get(path))) throw tooFar(name);
  for (const path of Object.keys(values))
    for (let end = path.indexOf('.'); end !== -1; end = path.indexOf('.', end + 1)) {
      const value = document.get(path.slice(0, end));
      if (value !== undefined && typeof value !== 'object')
        throw badBody(`${path.slice(0, end)} of this document is a scalar and has no subpaths`);
    }
}

interface Saved {
  readonly before: Row | undefined;
  readonly after: Row;
  readonly restored: boolean;
}

async function loadAndSave(
  context: ModelContext,
  filter: Row,
  values: Row,
  session?: ClientSession,
): Promise<Saved | null> {
  const { model, services, headers } = context;
  const keys = numberedKeys(model.schema, Object.keys(values));
  try {
    const document = await modelOf(model)
      .findOne(filter)
      .session(session ?? null)
      .exec();
    if (document === null) return null;
    const restored = document.get('_deleted') === true && values['_deleted'] === false;
    const before = services.bus.wantsBefore(model) ? storedRow(document) : undefined;
    checkReach(document, values, keys);
    document.$set(values);
    // a verification that is given with an address is of that address, also where it was true before
    if (model.name === 'user' && Object.hasOwn(values, 'email_verified')) document.markModified('email_verified');
    raiseRevision(document);
    await saveDocument(ownWrite(document));
    return { before, after: storedRow(document), restored };
  } catch (error) {
    // saving holds only for the revision that was loaded, which is the one that If-Match names
    if (error instanceof MongooseError.VersionError && headers['if-match'] !== undefined) throw movedOn();
    // whoever runs the transaction may try it again
    if (session !== undefined) throw error;
    throw fromWrite(error);
  }
}
