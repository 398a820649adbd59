/** PUT with `on`: creates a document, or changes the one that has the same values in the fields of a unique index. */
import type { ModelActor } from '../context.ts';
import { deletedMatch, Failure, preconditionFailed, validationFailed } from '../errors/errors.ts';
import { withoutAliases } from '../models/fields/resolve-alias.ts';
import { modelOf, type Row, sameRow } from '../models/mongoose.ts';
import { isPlainObject, nestedFields } from '../models/plain-object.ts';
import { requireLetter } from '../policy/grants.ts';
import { policyFor } from '../policy/policy.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { sessionOf } from './commit.ts';
import { create } from './create.ts';
import { change } from './edit.ts';
import type { UpsertIntent } from './intents.ts';
import { isRefusedByReaction } from './mutation/reactions.ts';
import type { WriteAnswer } from './perform.ts';
import { assignedFields, checkKeys, valuesFrom } from './rules/body.ts';
import { keyIn, type UniqueIndex, uniqueIndexOn } from './rules/unique-index.ts';
import { overtakenError, underMutex } from './unit.ts';

export interface UpsertAnswer extends WriteAnswer {
  readonly isNew: boolean;
}

/** Maximum tries while other callers create or remove the document. */
const maxTries = 8;

/**
 * A document that the caller may neither read nor write is treated as if it were not found, and creating fails as it does for POST.
 * @throws 400, 403, 409, and 410 for a deleted document that the body does not restore
 */
export async function upsert(actor: ModelActor, intent: UpsertIntent): Promise<UpsertAnswer> {
  const { model, principal } = actor;
  const index = uniqueIndexOn(model, policyFor(principal, model).view, intent.on);
  const key = await keyOf(actor, intent, index);
  for (let left = maxTries; ; left--) {
    const row = await find(actor, key, index);
    const isShown = row !== null && (await mayKnow(actor, row));
    try {
      if (isShown) return { ...(await changeFound(actor, intent, row, key)), isNew: false };
      requireLetter(principal, 'c', model);
      if (actor.restrictions.mustExist === true) throw preconditionFailed();
      return { ...(await create(actor, { ...intent, input: newInput(intent.input) })), isNew: true };
    } catch (error) {
      const isOvertaken = isShown ? isGone(error) : row === null && isTaken(error);
      // what a reaction says of another document is said of none of this write
      if (!isOvertaken || isRefusedByReaction(error) || left === 0) throw error;
      // an error ends the transaction of a unit of work
      if (actor.unit?.session !== undefined) throw overtakenError(error);
    }
  }
}

const isTaken = (error: unknown): boolean =>
  error instanceof Failure && error.status === 409 && error.errors?.some(({ kind }) => kind === 'unique') === true;
const isGone = (error: unknown): boolean => error instanceof Failure && error.status === 404;

/** The values of the body for the index. @throws 400 */
async function keyOf(actor: ModelActor, intent: UpsertIntent, index: UniqueIndex): Promise<Row> {
  const { input, assignments } = intent;
  const given = isPlainObject(input) ? input : {};
  const whole = assignments === undefined ? given : { ...given, ...assignedFields(actor, assignments, 'new') };
  const found = keyIn(actor.model, index, whole);
  if (found.faults === undefined) return found.key;
  // names the faults of the other fields, too
  await valuesFrom(actor, intent, 'new');
  throw validationFailed(found.faults);
}

async function find(actor: ModelActor, filter: Filter, { collation }: Partial<UniqueIndex>): Promise<Row | null> {
  return await modelOf(actor.model).collection.findOne<Row>(filter, {
    ...(collation === undefined ? {} : { collation: collation as { locale: string } }),
    ...sessionOf(actor),
  });
}

/** The body as a new document has it: a change may name fields of nested documents by their paths. @throws 400 */
function newInput(input: unknown): unknown {
  if (!isPlainObject(input) || !Object.keys(input).some((name) => name.includes('.'))) return input;
  checkKeys(input, true);
  return nestedFields(input);
}

/** Whether the caller may read or change a document, and no hook hides it. */
async function mayKnow(actor: ModelActor, row: Row): Promise<boolean> {
  const { principal, model, restrictions } = actor;
  const policy = policyFor(principal, model);
  if (!policy.admits('r', row) && !policy.reaches('u', row)) return false;
  const { hook } = restrictions;
  return hook === undefined || (await find(actor, allOf([{ _id: row['_id'] }, hook]), {})) !== null;
}

/** @throws 410 for a deleted document that the body does not restore */
async function changeFound(actor: ModelActor, intent: UpsertIntent, row: Row, key: Row): Promise<WriteAnswer> {
  const { model, principal } = actor;
  const given = intent.input as Row;
  const restores = given['_deleted'] === false || given['_deleted'] === 'false';
  if (row['_deleted'] === true && !restores) throw deletedMatch(model.name, Object.keys(key));
  const isUnchanged = (name: string): boolean => {
    const path = withoutAliases(model.schema, name);
    return Object.hasOwn(key, path) && sameRow({ value: row[path] }, { value: key[path] });
  };
  // a caller who may not change what identifies the document need not omit it
  const input = Object.fromEntries(Object.entries(given).filter(([name]) => !isUnchanged(name)));
  const id = String(row['_id']);
  const { passwords, silent, assignments } = intent;
  const found = { input, passwords, silent, assignments, id, grant: requireLetter(principal, 'u', model) };
  // one after the other, so that none is overtaken too often
  return underMutex(actor, `upsert ${model.name} ${id}`, () => change(actor, found));
}
