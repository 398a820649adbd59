/**
 * PATCH: changes a document as PUT does. The media type says what the body is: fields or update operators, a merge patch (RFC 7396), or a
 * JSON Patch (RFC 6902). The latter two depend on the document, and are written to the revision that was read.
 */
import type { ModelContext } from '../../context.ts';
import { badBody, busy, forbidden } from '../../errors.ts';
import { fromDatabase } from '../../models/database-errors.ts';
import { notDeleted } from '../../models/deleted.ts';
import { modelOf, type Row } from '../../models/mongoose.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import { withLinkIds } from '../../models/shown-links.ts';
import { fieldsIn } from '../../policy/fields-in.ts';
import { readableIn, withMarkedSecrets } from '../../policy/readable.ts';
import type { Filter } from '../../query/filter.ts';
import { checkKeys, checkOperators, valuesFrom } from '../body.ts';
import { readUpdate, type Update } from '../bulk/update.ts';
import { attemptChange } from '../change.ts';
import { sessionOf } from '../commit.ts';
import { type Difference, difference } from '../difference.ts';
import { type Attempt, type Edit, writtenBy } from '../edit.ts';
import { isCaller, refuseOwnCredentials } from '../own-credentials.ts';
import { refuseOtherId } from '../own-id.ts';
import { checkPasswordOverride } from '../passwords.ts';
import { sendIfAllowed } from '../row-guard.ts';
import { attemptSave } from '../save.ts';
import { checkSize } from '../size.ts';
import { missing, targetFilter } from '../target.ts';
import { onDocument } from '../unit.ts';
import type { Written } from '../written.ts';
import { applyPatch } from './apply.ts';
import { refuseImmutable } from './immutable.ts';
import { type Operation, readPatch } from './json-patch.ts';
import { jsonPatchType, mergePatchType } from './media-types.ts';
import { leavesOf, mergeChanges } from './merge-patch.ts';
import { pathOf } from './pointer.ts';
import { updateOf } from './update-of.ts';

export async function patch(context: ModelContext): Promise<Written> {
  const type = context.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const attempt =
    type === mergePatchType
      ? mergePatch(context)
      : type === jsonPatchType
        ? jsonPatch(context)
        : fieldsOrOperators(context);
  return writtenBy(context, await attempt);
}

const make = (context: ModelContext, edit: Edit): Promise<Attempt> =>
  context.model.changesBySave ? attemptSave(context, edit) : attemptChange(context, edit);

async function fieldsOrOperators(context: ModelContext): Promise<Attempt> {
  const { _silence, ...given } = bodyOf(context);
  const names = Object.keys(given);
  const operator = names.find((name) => name.startsWith('$'));
  if (operator === undefined) return make(context, { update: { $set: await valuesFrom(context, 'change') } });
  const field = names.find((name) => !name.startsWith('$'));
  if (field !== undefined)
    throw badBody(
      `send either fields or update operators, not both: got ${operator.slice(0, 60)} and ${field.slice(0, 60)}`,
    );
  if (isPlainObject(given['$set'])) refuseOtherId(context.model, given['$set'], context.params['id']);
  return make(context, { update: await readOwn(context, given) });
}

function bodyOf({ body }: ModelContext): Row {
  if (!isPlainObject(body)) throw badBody('the body must be an object');
  return body;
}

/** Reads an update of one document, in which the caller's own credentials are refused, as in a body of fields. */
async function readOwn(context: ModelContext, given: Row): Promise<Update> {
  checkPasswordOverride(context);
  if (!isCaller(context)) return readUpdate(context, given);
  if (isPlainObject(given['$set'])) refuseOwnCredentials(context, given['$set']);
  const { $set = {}, ...others } = await readUpdate(context, given);
  // the value is unchanged
  const { email: _, ...set } = $set;
  return { ...others, $set: set };
}

/** What depends on the document that is stored. */
interface Plan {
  readonly changes: (before: Row) => Difference;
  /** The paths that the body names. */
  readonly named: readonly string[];
}

function mergePatch(context: ModelContext): Promise<Attempt> {
  const { model, principal, grant } = context;
  const { _silence, ...given } = bodyOf(context);
  checkOperators(given, context);
  checkKeys(given, false);
  const body = withLinkIds(model, given);
  const named = Object.keys(fieldsIn(leavesOf(body), model, principal, 'change'));
  const changes = (before: Row): Difference =>
    mergeChanges(model.schema, before, body, readableIn(grant.policy, before));
  return atRevision(context, { changes, named });
}

function jsonPatch(context: ModelContext): Promise<Attempt> {
  const { body, model, principal, grant } = context;
  const operations = readPatch(body);
  checkSize(body as readonly object[]);
  if (!grant.policy.permits('r')) refuseReading(model.name, operations);
  const named = Object.keys(fieldsIn(writesOf(operations), model, principal, 'change'));
  const changes = (before: Row): Difference => {
    const marked = withMarkedSecrets(before) as Row;
    const { after, unseen } = applyPatch(marked, operations, readableIn(grant.policy, before));
    const found = difference(marked, after, unseen);
    refuseImmutable(model, before, Object.keys(found));
    return found;
  };
  return atRevision(context, { changes, named });
}

const reading: ReadonlySet<string> = new Set(['test', 'copy', 'move']);

/** @throws 403 for an operation whose result depends on what is stored */
function refuseReading(model: string, operations: readonly Operation[]): void {
  for (const [at, { op }] of operations.entries())
    if (reading.has(op)) throw forbidden(`operation ${at}: ${op} needs the right to read ${model}`);
}

/** The values that operations write, by dotted paths. A path that is written twice counts with all of its values. */
function writesOf(operations: readonly Operation[]): Row {
  const writes: Record<string, unknown[]> = {};
  const note = (path: string, value: unknown): void => void (writes[path] ??= []).push(value);
  for (const operation of operations) {
    if (operation.op === 'test') continue;
    note(pathOf(operation.path), 'value' in operation ? operation.value : null);
    if (operation.op === 'move') note(pathOf(operation.from), null);
  }
  return writes;
}

/** Computes an edit from the document as it is, and makes it to that revision, one request at a time. */
const atRevision = (context: ModelContext, plan: Plan): Promise<Attempt> =>
  onDocument(context, () => editRevision(context, plan));

async function editRevision(context: ModelContext, { changes, named }: Plan): Promise<Attempt> {
  const { grant } = context;
  // a deleted document is changed by what restores it only
  const state = named.includes('_deleted') ? undefined : notDeleted;
  let found: Difference = {};
  let refusal: Attempt['refusal'] = () => missing(context, grant);
  const row = await sendIfAllowed(
    () => stored(context, targetFilter(context, grant, state)),
    (before) => {
      // the time limit is reached, or the caller has disconnected
      if (context.signal.aborted) throw busy();
      found = changes(before);
    },
    async (revision) => {
      const update = await readOwn(context, updateOf(context, found));
      const attempt = await make(context, { update, named, revision });
      ({ refusal } = attempt);
      if (attempt.row === null && (await stored(context, revision)) !== null) throw await refusal();
      return attempt.row;
    },
  );
  return { row, refusal };
}

async function stored(context: ModelContext, filter: Filter): Promise<Row | null> {
  try {
    return await modelOf(context.model).collection.findOne<Row>(filter, sessionOf(context));
  } catch (error) {
    throw fromDatabase(error);
  }
}
