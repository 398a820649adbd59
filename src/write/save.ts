/** PUT and POST /update: loads, sets and saves, so that all validators and the model's save middleware run. */
import type { Schema } from 'mongoose';
import type { ModelContext } from '../context.ts';
import { badBody, preconditionFailed } from '../errors.ts';
import { kindKeyOf } from '../models/kinds.ts';
import { modelOf, MongooseError, raiseRevision, type Row, storedRow } from '../models/mongoose.ts';
import type { Filter } from '../query/filter.ts';
import { assign } from './assign.ts';
import { valuesFrom } from './body.ts';
import { pathsOf, type Update } from './bulk/update.ts';
import { commit, sessionOf } from './commit.ts';
import type { Mutation } from './contract.ts';
import { readKindFields } from './discriminator.ts';
import { type Attempt, type Edit, oneAtATime, type PreparedEdit, prepareEdit, writtenBy } from './edit.ts';
import { fromWrite } from './mongoose-errors.ts';
import { changeLists } from './plan/list-operators.ts';
import { effectOf } from './plan/operators.ts';
import { replacedDocument, type Replacement } from './plan/replaced-document.ts';
import { demandFault, positionDemands } from './positions.ts';
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
  const { set, operators, flag, fit, demands } = await prepareEdit(context, edit);
  refuseOverlaps(Object.keys(set), pathsOf(operators));
  const saving = { filter: targetFilter(context, grant, flag.filter, fit), set, operators };
  // concurrent saves of one document would conflict, because both load the same revision
  const row = await oneAtATime(context, edit, () =>
    protectLastAdmin(context, set, () =>
      flag.restores ? restoring(context, (inner) => loadAndSave(inner, saving)) : loadAndSave(context, saving),
    ),
  );
  return { row, refusal: () => missing(context, grant, demands) };
}

/** What operators compute is set together with the given values, of which one may not replace the other. @throws 400 */
export function refuseOverlaps(given: readonly string[], computed: readonly string[]): void {
  const covers = (path: string, other: string): boolean => path === other || other.startsWith(`${path}.`);
  for (const path of given) {
    const other = computed.find((one) => covers(one, path) || covers(path, one));
    if (other !== undefined) throw badBody(`$set and another operator may not both change ${other}`);
  }
}

interface Saving extends Pick<PreparedEdit, 'operators'> {
  readonly filter: Filter;
  /** The values to set, or for a replacement what it makes of the document. */
  readonly set: Row | ((stored: Row) => Replacement);
}

/** Checks positions in lists, and paths through free-form fields, which depend on the document. @throws 400 */
function checkReach(document: { get(path: string): unknown }, schema: Schema, update: Update): void {
  const fault = demandFault(positionDemands(schema, update), (path) => document.get(path));
  if (fault !== undefined) throw fault;
  for (const path of pathsOf(update))
    for (let end = path.indexOf('.'); end !== -1; end = path.indexOf('.', end + 1)) {
      const value = document.get(path.slice(0, end));
      if (value !== undefined && typeof value !== 'object')
        throw badBody(`${path.slice(0, end)} of this document is a scalar and has no subpaths`);
    }
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

type Changed = Pick<Extract<Mutation, { kind: 'save' }>, 'document' | 'event' | 'before'>;

/** Loads a stored document and changes it. @throws 400 */
function changedDocument(
  { model, services }: ModelContext,
  stored: Row,
  { set, operators }: Omit<Saving, 'filter'>,
): Changed {
  const { schema } = model;
  const loaded = modelOf(model).hydrate(stored);
  const before = services.bus.wantsBefore(model) ? storedRow(loaded) : undefined;
  const isReplaced = typeof set === 'function';
  const { document, ...given } = isReplaced
    ? replacedDocument(model, stored, set(storedRow(loaded)))
    : { document: loaded, set, ofNewKind: {} };
  const effect = effectOf(document, operators, services.clock());
  const values = { ...effect.values, ...given.set };
  const isRestored = document.get('_deleted') === true && values['_deleted'] === false;
  const event = values['_deleted'] === true ? 'del' : isRestored ? 'post' : 'put';
  const kindKey = kindKeyOf(schema);
  readKindFields(model, { ...operators, $set: values }, { [kindKey]: document.get(kindKey) });
  checkReach(document, schema, { ...effect.lists, $set: values });
  assign(document, schema, values);
  if (isReplaced) document.$set(given.ofNewKind, undefined, undefined, { overwriteImmutable: true });
  changeLists(document, schema, effect.lists);
  // a verification that is sent with an address applies to that address, even if it was true before
  if (model.name === 'user' && Object.hasOwn(values, 'email_verified')) document.markModified('email_verified');
  raiseRevision(document);
  return { document, event, before };
}
