/**
 * Changes a document as values do, by fields or update operators, a merge patch (RFC 7396), or a JSON Patch (RFC 6902). The latter two depend
 * on the document, and are written to the revision that was read.
 */
import { makeYielder } from '../../async/yield.ts';
import type { ModelActor } from '../../context.ts';
import { badBody, badValue, busy, forbidden } from '../../errors/errors.ts';
import { activeFilter } from '../../models/deleted.ts';
import { withLinkIds } from '../../models/fields/shown-links.ts';
import { modelOf, type Row } from '../../models/mongoose.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import { fieldsIn } from '../../policy/fields-in.ts';
import { readableIn, StoredSecret, withMarkedSecrets } from '../../policy/readable.ts';
import type { Filter } from '../../query/filter.ts';
import type { Update } from '../../query/updates.ts';
import { sessionOf } from '../commit.ts';
import { attempt, attemptValues } from '../edit.ts';
import type { PatchIntent } from '../intents.ts';
import { sendIfAllowed } from '../mutation/row-guard.ts';
import type { WriteAnswer } from '../perform.ts';
import { type Difference, difference } from '../plan/difference.ts';
import { answerEdit, type Attempt } from '../plan/edit.ts';
import { checkKeys, checkOperators } from '../rules/body.ts';
import { refuseOtherId } from '../rules/own-id.ts';
import { checkPasswordOverride } from '../rules/passwords.ts';
import { checkSize } from '../rules/size.ts';
import { readTypes } from '../rules/types.ts';
import { readUpdate } from '../rules/update.ts';
import { isCaller, refuseOwnCredentials } from '../rules/user-rules.ts';
import { isSettableVirtual } from '../rules/virtuals.ts';
import { missingTargetFailure, targetFilter } from '../target.ts';
import { onDocument } from '../unit.ts';
import { applyPatch } from './apply.ts';
import { refuseImmutable } from './immutable.ts';
import { type Operation, readPatch } from './json-patch.ts';
import { leavesOf, mergeChanges } from './merge-patch.ts';
import { pathOf } from './pointer.ts';

const formats = { fields: fieldsOrOperators, mergePatch, jsonPatch } as const;

export async function patch(actor: ModelActor, intent: PatchIntent): Promise<WriteAnswer> {
  return answerEdit(actor, await formats[intent.format](actor, intent));
}

async function fieldsOrOperators(actor: ModelActor, intent: PatchIntent): Promise<Attempt> {
  const { id, grant, silent, assignments } = intent;
  const { _silence, ...given } = objectOf(intent);
  const names = Object.keys(given);
  const operator = names.find((name) => name.startsWith('$'));
  if (operator === undefined) return attemptValues(actor, intent);
  const field = names.find((name) => !name.startsWith('$'));
  if (field !== undefined)
    throw badBody(
      `send either fields or update operators, not both: got ${operator.slice(0, 60)} and ${field.slice(0, 60)}`,
    );
  if (isPlainObject(given['$set'])) refuseOtherId(actor.model, given['$set'], id);
  return attempt(actor, { id, grant, silent, assignments, update: await readOwn(actor, intent, given) });
}

function objectOf({ input }: PatchIntent): Row {
  if (!isPlainObject(input)) throw badBody('the body must be an object');
  return input;
}

/** Reads an update of one document, in which the caller's own credentials are refused, as in a body of fields. */
async function readOwn(actor: ModelActor, intent: DependentIntent, given: Row): Promise<Update> {
  checkPasswordOverride(actor, intent);
  if (!isCaller(actor, intent.id)) return readUpdate(actor, given, intent);
  if (isPlainObject(given['$set'])) refuseOwnCredentials(actor, given['$set']);
  const { $set = {}, ...others } = await readUpdate(actor, given, intent);
  // the value is unchanged
  const { email: _, ...set } = $set;
  return { ...others, $set: set };
}

/** What depends on the document that is stored. */
interface Plan {
  readonly changes: (before: Row) => Difference | Promise<Difference>;
  /** The paths that the body names. */
  readonly named: readonly string[];
}

function mergePatch(actor: ModelActor, intent: PatchIntent): Promise<Attempt> {
  const { model, principal } = actor;
  const { _silence, ...given } = objectOf(intent);
  checkOperators(given, actor);
  checkKeys(given, false);
  const merged = withLinkIds(model, given);
  const pause = makeYielder();
  const named = Object.keys(fieldsIn(leavesOf(merged), model, principal, 'change'));
  const changes = async (before: Row): Promise<Difference> => {
    await pause();
    return mergeChanges(model.schema, before, merged, readableIn(intent.grant.policy, before));
  };
  return atRevision(actor, intent, { changes, named });
}

function jsonPatch(actor: ModelActor, intent: PatchIntent): Promise<Attempt> {
  const { model, principal } = actor;
  const { policy } = intent.grant;
  const operations = readPatch(intent.input);
  const pause = makeYielder();
  checkSize(intent.input as readonly object[]);
  if (!policy.permits('r')) refuseReading(model.name, operations);
  const named = Object.keys(fieldsIn(writesOf(operations), model, principal, 'change'));
  const changes = async (before: Row): Promise<Difference> => {
    await pause();
    const marked = withMarkedSecrets(before) as Row;
    await pause();
    const { after, unseen } = applyPatch(marked, operations, readableIn(policy, before));
    await pause();
    const found = difference(marked, after, unseen);
    refuseImmutable(model, before, Object.keys(found));
    return found;
  };
  return atRevision(actor, intent, { changes, named });
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

/** A document that is changed by what depends on it. */
export type DependentIntent = Omit<PatchIntent, 'input' | 'format'>;

/** Makes an edit that is computed from the document as it is. @throws as any other change */
export async function editAtRevision(actor: ModelActor, intent: DependentIntent, plan: Plan): Promise<WriteAnswer> {
  return answerEdit(actor, await atRevision(actor, intent, plan));
}

/** Computes an edit from the document as it is, and makes it to that revision, one request at a time. */
const atRevision = (actor: ModelActor, intent: DependentIntent, plan: Plan): Promise<Attempt> =>
  onDocument(actor, intent.id, () => editRevision(actor, intent, plan));

async function editRevision(actor: ModelActor, intent: DependentIntent, { changes, named }: Plan): Promise<Attempt> {
  const { id, grant, silent, assignments } = intent;
  // a deleted document is changed by what restores it only
  const state = named.includes('_deleted') ? undefined : activeFilter;
  let found: Difference = {};
  const pause = makeYielder();
  let update: Attempt['update'] = {};
  let refusal: Attempt['refusal'] = () => missingTargetFailure(actor, intent);
  const row = await sendIfAllowed(
    () => stored(actor, targetFilter(actor, intent, state)),
    async (before) => {
      // the time limit is reached, or the caller has disconnected
      if (actor.signal.aborted) throw busy();
      found = await changes(before);
      await pause();
    },
    async (revision) => {
      update = await readOwn(actor, intent, updateOf(actor, id, found));
      const made = await attempt(actor, { id, grant, silent, assignments, update, named, revision });
      ({ refusal } = made);
      if (made.row === null && (await stored(actor, revision)) !== null) throw await refusal();
      return made.row;
    },
  );
  return { update, row, refusal };
}

async function stored(actor: ModelActor, filter: Filter): Promise<Row | null> {
  return await modelOf(actor.model).collection.findOne<Row>(filter, sessionOf(actor));
}

/** @throws 400 for a list with stored passwords whose members move */
function updateOf(actor: ModelActor, id: string | undefined, changes: Difference): Row {
  const $set: Row = {};
  const $unset: Row = {};
  refuseOtherId(actor.model, changes, id);
  for (const [path, value] of Object.entries(withLinkIds(actor.model, changes))) {
    if (holdsSecrets(value))
      throw badValue(
        path,
        'path',
        'holds members with passwords: change fields of single members, such as /logins/0/site, or send the whole list',
      );
    if (value !== undefined) $set[path] = value;
    else if (isSettableVirtual(actor.model, path)) $set[path] = null;
    else if (counts(actor, path)) $unset[path] = '';
  }
  return Object.keys($unset).length === 0 ? { $set } : { $set, $unset };
}

function holdsSecrets(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSecrets);
  return isPlainObject(value) ? Object.values(value).some(holdsSecrets) : value instanceof StoredSecret;
}

/** Whether a body may name a path; what answers carry besides, such as stamps, is ignored. */
function counts({ model, principal }: ModelActor, path: string): boolean {
  const fields = fieldsIn({ [path]: null }, model, principal, 'change');
  return readTypes(fields, model.schema).length > 0 || Object.keys(fields).length > 0;
}
