/** Reads the values to write from a body: an object without dangerous keys, with the fields that the caller may set. */
import { makeYielder } from '../../async/yield.ts';
import type { ModelActor } from '../../context.ts';
import { badBody, badRequest, badValue, dangerousKey, operatorInBody, tooDeep } from '../../errors/errors.ts';
import { checkPathSize, pathLimits } from '../../models/fields/path-type.ts';
import type { Row } from '../../models/mongoose.ts';
import { isPlainObject, type Json, plainCopy } from '../../models/plain-object.ts';
import { preload } from '../../models/preload.ts';
import { fieldsIn } from '../../policy/fields-in.ts';
import { operator } from '../../policy/principal.ts';
import { isDangerous } from '../../query/key-checks.ts';
import { updateOperators } from '../../query/updates.ts';
import type { ValuesIntent } from '../intents.ts';
import { refuseNew } from '../plan/new-document.ts';
import { checkLinks } from './check-links.ts';
import { refuseFaults, validateChange } from './faults.ts';
import { refuseOtherId } from './own-id.ts';
import { checkPasswordOverride, hashPasswords } from './passwords.ts';
import { checkFieldCount, checkSize, SizeBudget } from './size.ts';
import { readTypes } from './types.ts';
import { groupFaults, isCaller, refuseOwnCredentials } from './user-rules.ts';

/**
 * The values that a body writes: checked, without fields that the caller may not set, and with hashes in place of passwords.
 * @param use whether they are a new document, or change the one of the id
 * @throws 400 for a body that is not an object or has a forbidden key; 403 for hashes by a non-admin
 */
export async function valuesFrom(actor: ModelActor, intent: ValuesIntent, use: 'new' | 'change'): Promise<Row> {
  const yieldIfLong = makeYielder();
  const changing = use === 'change';
  const { model, principal } = actor;
  const { input, id } = intent;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw badBody('the body must be an object');
  checkOperators(input, actor);
  checkKeys(input, changing);
  const ofUser = model.name === 'user';
  const isOwn = changing && ofUser && isCaller(actor, id);
  const given = input as Row;
  if (changing && given['_id'] !== undefined) refuseOtherId(model, given, id);
  // a caller who may not send hashes gets that failure first
  checkPasswordOverride(actor, intent);
  if (isOwn) refuseOwnCredentials(actor, given);
  // those that the application sets in a change are set in the whole update
  const assigned = assignedFields(actor, changing ? undefined : intent.assignments, use);
  const values = Object.assign(fieldsIn(preload()?.values(given) ?? given, model, principal, use), assigned);
  // the value is unchanged
  if (isOwn) delete values['email'];
  const between = yieldIfLong();
  if (between !== undefined) await between;
  const faults = [...readTypes(values, model.schema, !changing)];
  const hashed = await hashPasswords(actor, values, intent, faults);
  if (ofUser) faults.push(...groupFaults(model, hashed));
  const links = (): Promise<unknown> => checkLinks(actor, [hashed], Object.keys(assigned));
  if (faults.length > 0)
    await (changing
      ? refuseFaults(faults, () => validateChange(actor, hashed), links)
      : refuseNew(actor, hashed, faults, links));
  const turn = yieldIfLong();
  if (turn !== undefined) await turn;
  return hashed;
}

/**
 * The fields that the application sets in a document which a caller writes: it has all rights, and its values are checked as those of a body.
 * @returns the values, which are not read by the types of their paths yet; none without assignments @throws 400
 */
export function assignedFields({ model }: ModelActor, assignments: Json | undefined, use: 'new' | 'change'): Row {
  if (assignments === undefined) return {};
  checkKeys(assignments, false);
  // a write may begin again, and reading changes the values in place
  return fieldsIn(plainCopy(assignments) as Row, model, operator, use);
}

/** Refuses update operators in a body of fields. @throws 400 naming the alternative */
export function checkOperators(body: object, { model }: ModelActor): void {
  const operator = Object.keys(body).find((key) => updateOperators.has(key));
  if (operator !== undefined) throw operatorInBody(operator, model.name);
}

/** Checks the size and the names of fields in one walk. @throws 400; that of the size, where both are wrong */
export function checkKeys(value: object, dotsAllowed: boolean): void {
  checkFieldCount(value);
  try {
    checkNamesAt(value, dotsAllowed, { field: undefined, level: 0, size: new SizeBudget() });
  } catch (error) {
    checkSize(value);
    throw error;
  }
  if (dotsAllowed) refuseParts(value);
}

/** Checks the names of fields at every depth; only names of an update may contain dots, none of them a part of another one. @throws 400 */
export function checkNames(value: object, dotsAllowed: boolean, field?: string): void {
  checkNamesAt(value, dotsAllowed, { field, level: 0, size: undefined });
  if (dotsAllowed) refuseParts(value);
}

/** @throws 400 for a path beside another one that it is a part of: which value holds would depend on their order */
function refuseParts(values: object): void {
  for (const path of Object.keys(values))
    for (let end = path.indexOf('.'); end !== -1; end = path.indexOf('.', end + 1)) {
      const outer = path.slice(0, end);
      if (Object.hasOwn(values, outer))
        throw badRequest(`${outer}, and ${path}, which is a part of it, cannot be written together`);
    }
}

/** A value in a document whose names are checked. */
interface Place {
  /** The field that it is in; undefined for the document. */
  readonly field: string | undefined;
  /** Its depth in the document. */
  readonly level: number;
  /** Counts what is in the document; undefined where that is counted elsewhere. */
  readonly size: SizeBudget | undefined;
}

function checkNamesAt(value: object, dotsAllowed: boolean, { field, level, size }: Place): void {
  const keys = Object.keys(value);
  size?.members(keys.length);
  for (const key of keys) {
    if (!Array.isArray(value)) checkKey(key, dotsAllowed, field);
    const inner = (value as Row)[key];
    const within = field ?? key;
    const below = level + (dotsAllowed ? key.split('.').length : 1);
    if (below > pathLimits.levels) throw tooDeep('a document', pathLimits.levels);
    const isObject = isPlainObject(inner);
    if (isObject) size?.object();
    if (isObject || Array.isArray(inner)) checkNamesAt(inner, false, { field: within, level: below, size });
    if (typeof inner === 'number' && !Number.isFinite(inner))
      throw badValue(within, 'Number', 'must be a finite number');
  }
}

function checkKey(key: string, dotsAllowed: boolean, field: string | undefined): void {
  if (dotsAllowed) checkPathSize(key);
  const parts = dotsAllowed ? key.split('.') : [key];
  if (parts.some(isDangerous) || (!dotsAllowed && key.includes('.'))) throw dangerousKey(key, field);
}
