/**
 * The update of a bulk operation, checked: operators, paths, values. Fields that a caller may not set are ignored in `$set` and
 * are a 400 elsewhere.
 */
import type { ModelActor } from '../../context.ts';
import {
  badBody,
  badValue,
  operatorDenied,
  type PathFault,
  secretPath,
  validationFailed,
} from '../../errors/errors.ts';
import { nameFault } from '../../models/fields/known-path.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { typeAt } from '../../models/fields/path-type.ts';
import { realPath, withoutAliases } from '../../models/fields/resolve-alias.ts';
import type { FieldType } from '../../models/fields/types/field-type.ts';
import { isBsonNumber } from '../../models/fields/values/number-values.ts';
import { isObject, isPlainObject } from '../../models/plain-object.ts';
import { isSecretPath } from '../../models/secrets.ts';
import { type BodyUse, fieldsIn, refuseUnwritableUpdate } from '../../policy/fields-in.ts';
import { declaresSecretsBelow } from '../../policy/hidden-parts.ts';
import { policyFor } from '../../policy/policy.ts';
import { checkParts } from '../../query/key-checks.ts';
import type { SchemaView } from '../../query/schema-view.ts';
import { pathsOf, type Update, updateOperators, type UpdateRow } from '../../query/updates.ts';
import type { PasswordInput } from '../intents.ts';
import { checkNames } from './body.ts';
import { checkLinks, linkValues } from './check-links.ts';
import { refuseFaults, validateChange } from './faults.ts';
import { checkFits } from './fits.ts';
import { hashPasswords } from './passwords.ts';
import { pullOperand } from './pull.ts';
import { checkRename } from './rename.ts';
import { checkSize, checkUnknown } from './size.ts';
import { checkMember, checkMemberOf, checkWhole, readTypes } from './types.ts';
import { groupFaults, isSetOnly } from './user-rules.ts';

type Json = Record<string, unknown>;

/** How an update is read. */
interface Reading extends PasswordInput {
  /** Whether it creates a document where there is none: its `$set` then also has the fields that only a new document takes. */
  readonly upserts?: boolean;
}

/**
 * Reads an update; all of its operators apply to the same document.
 * @throws 400, 403
 */
export async function readUpdate(actor: ModelActor, given: unknown, reading: Reading): Promise<Update> {
  if (isObject(given)) checkSize(given);
  const update = await checkedUpdate(actor, given, reading);
  const { schema } = actor.model;
  checkUnknown(pathsOf(update).filter((path) => typeAt(schema, path).kind === 'unknown').length, update);
  return update;
}

/** @param given an update whose total size has been checked @throws 400 */
async function checkedUpdate(actor: ModelActor, given: unknown, reading: Reading): Promise<Update> {
  if (!isObject(given)) throw badBody('update must be an object of update operators or of fields');
  const names = Object.keys(given);
  const withOperators = names.filter((name) => name.startsWith('$'));
  if (withOperators.length > 0 && withOperators.length < names.length)
    throw badBody('update mixes operators and fields');
  const update = withOperators.length === 0 ? { $set: given } : given;
  const set: BodyUse = reading.upserts === true ? 'upsert' : 'change';
  refuseUnwritableUpdate(actor.model, actor.principal, update);
  const result: Update = {};
  const faults: PathFault[] = [];
  for (const [name, operand] of Object.entries(update)) {
    const row = updateOperators.get(name);
    if (row === undefined) throw operatorDenied(name, updateOperators.keys());
    if (!isObject(operand)) throw badBody(`${name} takes an object of fields`);
    const read = row.mayTouchSecrets
      ? await stored(actor, operand, name === '$setOnInsert' ? 'new' : set, reading)
      : changed(actor, row, operand);
    faults.push(...read.faults);
    if (Object.keys(read.fields).length > 0) result[name] = read.fields;
  }
  await refuseFaults(
    faults,
    () => validateChange(actor, { ...result['$setOnInsert'], ...result['$set'] }),
    () => checkLinks(actor, linkValues(result)),
  );
  return result;
}

/** The valid fields of one operator, and the faults of the others. */
interface ReadFields {
  readonly fields: Json;
  readonly faults: readonly PathFault[];
}

async function stored(actor: ModelActor, operand: Json, use: BodyUse, input: PasswordInput): Promise<ReadFields> {
  checkNames(operand, true);
  const faults: PathFault[] = [];
  const values = await hashPasswords(actor, fieldsIn(operand, actor.model, actor.principal, use), input, faults);
  faults.push(...groupFaults(actor.model, values), ...readTypes(values, actor.model.schema));
  return { faults, fields: values };
}

/** Reads any other operator: its paths must be neither stamps nor privileges nor password-named. */
function changed(actor: ModelActor, row: UpdateRow, operand: Json): ReadFields {
  const { model, principal } = actor;
  const result: Json = {};
  const faults: PathFault[] = [];
  for (const [name, value] of Object.entries(operand)) {
    const paths = row.operand === 'path' ? [name, renamed(value)] : [name];
    const { view } = policyFor(principal, model);
    const unknown = paths.flatMap((path) =>
      unknownNames(model.schema, path, reads(row, value) ? view.shows : undefined),
    );
    faults.push(...unknown);
    if (unknown.length > 0) continue;
    for (const path of paths) checkTouched(actor, row, path);
    if (
      Object.keys(fieldsIn(Object.fromEntries(paths.map((path) => [path, 1])), model, principal, 'change')).length <
      paths.length
    )
      throw badBody(`${row.name} may not touch ${paths.join(' or ')}`);
    const path = realPath(model.schema, name);
    operandChecks[row.operand](row.name, value, targetAt(model.schema, path));
    const resolved = row.operand === 'push' ? sortedByFields(view, path, value) : value;
    checkFits(view, row, path, resolved);
    result[path] = row.operand === 'pull' ? pullOperand(actor, path, value) : read(model.schema, row, name, resolved);
    if (row.operand === 'path') checkRename(model.schema, path, String(result[path]));
  }
  return { fields: result, faults };
}

/** The operand of a push with the fields of its `$sort` instead of their aliases. @throws 400 for a field that the members do not have */
function sortedByFields({ schema, shows }: SchemaView, list: string, value: unknown): unknown {
  if (!isObject(value) || !isObject(value['$sort'])) return value;
  const order = Object.entries(value['$sort']).map(([name, direction]) => {
    const unknown = unknownNames(schema, `${list}.${name}`, shows);
    if (unknown.length > 0) throw validationFailed(unknown);
    return [realPath(schema, `${list}.${name}`).slice(list.length + 1), direction] as const;
  });
  return { ...value, $sort: Object.fromEntries(order) };
}

/** Whether the result of an operator depends on the stored value, so that it can only be used where that may be read. */
const reads = ({ name, operand }: UpdateRow, value: unknown): boolean =>
  operand === 'value' ||
  operand === 'pull' ||
  operand === 'path' ||
  name === '$addToSet' ||
  (isObject(value) && Object.hasOwn(value, '$sort'));

/** @param shows for names that must be those of paths which the caller may read */
function unknownNames(schema: ModelSchema, name: string, shows?: (path: string) => boolean): readonly PathFault[] {
  const path = realPath(schema, name);
  checkParts(path);
  const message = isSecretPath(path) ? undefined : nameFault(schema, path, 'stored', shows);
  return message === undefined ? [] : [{ path, kind: 'strict', message }];
}

/** Reads the value to store or compare by the type of its path, the members of a list to push, or another path. @throws 400 */
function read(schema: ModelSchema, { name, operand }: UpdateRow, path: string, value: unknown): unknown {
  // Mongoose's update validators support no others
  if (operand === 'push' && schema.isOpen && typeAt(schema, path).kind === 'unknown')
    throw badBody(`${name} takes lists that the schema declares, and ${path} is not one`);
  if (operand === 'push' && isObject(value) && Array.isArray(value['$each']))
    return { ...value, $each: value['$each'].map((member) => readMember(schema, path, member)) };
  if (operand === 'push') return readMember(schema, path, value);
  // removing a member by its position leaves null
  if (operand === 'any') checkMember(null, schema, path);
  if (operand === 'path') return realPath(schema, renamed(value));
  return operand === 'value' || operand === 'number' ? readAt(schema, path, value) : value;
}

function readMember(schema: ModelSchema, path: string, value: unknown): unknown {
  checkMemberOf(value, schema, path);
  return readAt(schema, path, value);
}

function readAt(schema: ModelSchema, path: string, value: unknown): unknown {
  const fields = { [path]: value };
  const faults = readTypes(fields, schema);
  if (faults.length > 0) throw validationFailed(faults);
  return fields[path];
}

function renamed(value: unknown): string {
  if (typeof value !== 'string') throw badBody('$rename takes names of fields');
  return value;
}

function checkTouched({ model }: ModelActor, { name }: UpdateRow, given: string): void {
  const path = realPath(model.schema, given);
  checkParts(path);
  checkWhole(model.schema, path);
  if (path === model.schema.kindKey && model.schema.kindValues.length > 0)
    throw badBody(`${name} may not touch ${path}, which decides which fields the document has`);
  // the last-admin rule and the email check consider only `$set`
  if (isSetOnly(model, path)) throw badBody(`${name} may not touch ${path}: use $set`);
  if (path === '_deleted' || path.startsWith('_deleted.')) throw badBody(`${name} may not touch _deleted`);
  // the members that these add are read for themselves
  const adds = name === '$push' || name === '$addToSet';
  if (isSecretPath(path) || (!adds && declaresSecretsBelow(model.schema, path))) throw secretPath(path);
}

/** Amounts are also texts for `$inc` of paths whose type holds more than a double. */
function finite(name: string, value: unknown, { path, type }: Target): void {
  if (isBsonNumber(value)) return;
  if (name === '$inc' && typeof value === 'string' && type?.isExact === true) {
    if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value))
      throw badValue(path, type.name, 'must be an amount for $inc: a number, or a text of one');
  } else if (typeof value !== 'number' || !Number.isFinite(value)) throw badBody(`${name} takes finite numbers`);
}

/** Where an operator stores or compares a value. */
interface Target {
  /** Not an alias. */
  readonly path: string;
  /** Of a leaf; undefined for any other. */
  readonly type: FieldType | undefined;
  readonly resolved: (path: string) => string;
}

/** @param path not an alias */
function targetAt(schema: ModelSchema, path: string): Target {
  // other aliases do not matter here
  const hasAliases = Object.values(schema.aliases).some(isSecretPath);
  const at = typeAt(schema, path);
  const type = at.kind === 'leaf' ? at.field.type : undefined;
  return { path, type, resolved: (name) => (hasAliases ? withoutAliases(schema, name) : name) };
}

const below = (target: Target, key: string): Target => ({
  ...target,
  path: target.resolved(`${target.path}.${key}`),
});
/** The members of a list, for which any position stands. */
const memberOf = (list: Target): Target => below(list, '0');

/** Reads a value to store or compare: it must contain neither operators nor password-named keys, nor aliases of them. */
function plainValue(name: string, value: unknown, target: Target): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw badBody(`${name} takes finite numbers`);
  if (typeof value !== 'object' || value === null) return;
  checkNames(value, false);
  refuseSecrets(value, target);
}

function refuseSecrets(value: object, target: Target): void {
  for (const [key, inner] of Object.entries(value)) {
    const at = below(target, key);
    // Mongoose writes the value of an alias to its path
    if (isSecretPath(at.path)) throw secretPath(key);
    if (typeof inner === 'object' && inner !== null) refuseSecrets(inner as object, at);
  }
}

const pushModifiers: ReadonlySet<string> = new Set(['$each', '$slice', '$sort', '$position']);

type OperandCheck = (name: string, value: unknown, target: Target) => void;

const operandChecks: { readonly [K in UpdateRow['operand']]: OperandCheck } = {
  value: plainValue,
  number: finite,
  any: () => undefined,
  path: () => undefined,
  end: (name, value) => {
    if (value !== 1 && value !== -1) throw badBody(`${name} takes 1 or -1`);
  },
  date: (name, value) => {
    const type = isObject(value) && Object.keys(value).length === 1 ? value['$type'] : undefined;
    if (value !== true && type !== 'date' && type !== 'timestamp') throw badBody(`${name} takes true or a $type`);
  },
  pull: (name, value, list) => {
    // conditions on members are a filter
    if (!isPlainObject(value)) plainValue(name, value, memberOf(list));
  },
  push: (name, value, list) => {
    const member = memberOf(list);
    if (!isObject(value) || !Object.hasOwn(value, '$each')) return plainValue(name, value, member);
    if (!Array.isArray(value['$each'])) throw badBody('$each takes a list');
    for (const [key, inner] of Object.entries(value)) {
      if (!pushModifiers.has(key) || (name === '$addToSet' && key !== '$each'))
        throw operatorDenied(key, name === '$push' ? pushModifiers : ['$each']);
      if (key === '$each') (inner as unknown[]).forEach((one) => plainValue(name, one, member));
      else if (key === '$sort') sortOrder(inner, member);
      else if (!Number.isSafeInteger(inner)) throw badBody(`${key} takes a whole number`);
    }
  },
};

function sortOrder(value: unknown, member: Target): void {
  if (value === 1 || value === -1) return;
  if (!isObject(value)) throw badBody('$sort takes 1, -1 or fields');
  checkNames(value, true);
  refuseSecrets(value, member);
  for (const direction of Object.values(value))
    if (direction !== 1 && direction !== -1) throw badBody('$sort takes 1 or -1');
}
