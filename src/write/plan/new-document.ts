/** New documents: the one place where values become a document, for one or for many, whichever operation creates them. */
import type { ModelActor } from '../../context.ts';
import type { PathFault } from '../../errors/errors.ts';
import { checkNewId, idBeforeSetters } from '../../models/fields/document-id.ts';
import { modelOf, ObjectId, type Row, storedRow } from '../../models/mongoose.ts';
import { directOf } from '../../models/mongoose/direct/index.ts';
import { ownerPath } from '../../policy/policy.ts';
import type { WriteIntent } from '../intents.ts';
import { withContext, writeOf } from '../mutation/middleware-context.ts';
import { fromWrite } from '../mutation/mongoose-errors.ts';
import { guardOf } from '../mutation/row-guard.ts';
import { perform } from '../perform.ts';
import { refuseFaults } from '../rules/faults.ts';

type MongooseDocument = InstanceType<ReturnType<typeof modelOf>>;

/** A new document that has been checked: a row to insert, or a Mongoose document to save with its middleware, which validates it first. */
export type NewDocument = { readonly row: Row } | { readonly document: MongooseDocument; readonly isValidated?: true };

/**
 * @param values from the caller, read by the types of their paths
 * @param faults of reading them
 * @param validatesNow whether a document to save is validated now, and not once more when it is saved: one of many, all of which are to be
 * valid before the first is written
 * @throws 400 with the faults of all values
 */
export async function planNew(
  actor: ModelActor,
  values: Row,
  faults: readonly PathFault[] = [],
  validatesNow = false,
): Promise<NewDocument> {
  if (!actor.model.createsBySave) return { row: await newRow(actor, values, faults) };
  if (faults.length > 0) await refuseNew(actor, values, faults);
  if (!validatesNow) return { document: unsavedDocument(actor, values) };
  const document = await validDocument(actor, values);
  checkNewId(actor.model, document._id);
  return { document, isValidated: true };
}

/** Writes a new document. @returns it as stored @throws 403 where a rule does not allow it; the errors of Mongoose and the driver */
export async function commitNew(actor: ModelActor, made: NewDocument, intent: WriteIntent): Promise<Row> {
  const { model } = actor;
  const guard = guardOf(actor, 'c');
  if ('document' in made) return perform(actor, intent, { kind: 'insert', model, ...made, event: 'post', guard });
  guard?.(made.row);
  await perform(actor, intent, { kind: 'insert', model, rows: [made.row] });
  return made.row;
}

/**
 * A row that its schema accepts: cast directly, or by a Mongoose document where the model file has code for that. Middleware of `save`
 * does not run.
 * @param values and faults as for `planNew` @throws 400 with the faults of all values
 */
export async function newRow(
  actor: ModelActor,
  values: Row,
  faults: readonly PathFault[] = [],
  pathsToSkip: readonly string[] = [],
): Promise<Row> {
  if (faults.length > 0) await refuseNew(actor, values, faults);
  const direct = directOf(actor.model).row?.(owned(actor, values), new Date());
  if (direct !== undefined) return direct;
  const row = storedRow(await validDocument(actor, values, pathsToSkip));
  if (pathsToSkip.length === 0) checkNewId(actor.model, row['_id']);
  // an import may give one
  row['__v'] ??= 0;
  return row;
}

/** The same for a document that replaces one, whose id it keeps: it needs none of its own, and where it is saved that validates it. */
export async function replacementRow(actor: ModelActor, values: Row, faults: readonly PathFault[]): Promise<Row> {
  if (!actor.model.changesBySave) return newRow(actor, values, faults, ['_id']);
  if (faults.length > 0) await refuseNew(actor, values, faults);
  return storedRow(unsavedDocument(actor, values));
}

/**
 * Fails where the values of a new document have faults.
 * @param checks further ones than those of the model's validators @throws 400 with the faults of all values
 */
export const refuseNew = (
  actor: ModelActor,
  values: Row,
  faults: readonly PathFault[],
  ...checks: readonly (() => Promise<unknown>)[]
): Promise<void> => refuseFaults(faults, () => validDocument(actor, values), ...checks);

/** A Mongoose document that is not validated yet: saving it does that. */
export const unsavedDocument = (actor: ModelActor, values: Row): MongooseDocument =>
  withContext(new (modelOf(actor.model))(owned(actor, values)), writeOf(actor));

/** A new Mongoose document with its defaults and timestamps. @throws 400 with the faults that validation finds */
async function validDocument(
  actor: ModelActor,
  values: Row,
  pathsToSkip: readonly string[] = [],
): Promise<MongooseDocument> {
  try {
    const document = unsavedDocument(actor, values);
    await document.validate(pathsToSkip.length === 0 ? {} : { pathsToSkip: [...pathsToSkip] });
    return document;
  } catch (error) {
    throw fromWrite(error);
  }
}

/** The values of a new document with its default owner: the caller, or for a user document the user. The id is cast. */
function owned({ model, principal }: ModelActor, values: Row): Row {
  const given = values['_id'] === undefined ? undefined : idBeforeSetters(model, '_id', values['_id']);
  const id = ownerPath(model) === '_id' ? (given ?? new ObjectId()) : given;
  const owner = ownerPath(model) === '_id' ? id : principal.user && new ObjectId(principal.user.id);
  const row: Row = owner === undefined ? {} : { _owner_id: owner };
  // spreading a document behind other values takes V8 twenty times as long
  Object.assign(row, values);
  if (id !== undefined) row['_id'] = id;
  return row;
}
