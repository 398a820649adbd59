/** Bulk writes: reads and checks the operations of a body before any is run, with one row per kind. */
import {
  adminOnly,
  badBody,
  Failure,
  type Filter,
  filterFromJson,
  forbidden,
  makeYielder,
  type ModelActor,
  type Policy,
  policyFor,
} from '../../core.ts';
import type { PathFault } from '../../errors/errors.ts';
import type { Letter } from '../../models/letters.ts';
import { isObject } from '../../models/plain-object.ts';
import { fieldsIn } from '../../policy/fields-in.ts';
import { type Grant, grantFor, refusal } from '../../policy/grants.ts';
import { mayNot } from '../../policy/refused-row.ts';
import { pathsOf } from '../../query/updates.ts';
import { type BulkActor, type BulkIntent, withBulkTime } from '../../write/bulk/actor.ts';
import type { BulkOperation } from '../../write/bulk/operation.ts';
import { type BulkCounts, faultAt, noCounts } from '../../write/bulk/result.ts';
import { runOperations } from '../../write/bulk/run.ts';
import { isEquality, seedOf } from '../../write/bulk/upsert.ts';
import { refuseNew } from '../../write/plan/new-document.ts';
import { checkKeys } from '../../write/rules/body.ts';
import {
  comparableBy,
  namesOne,
  refuseDiscriminatorPaths,
  refuseFieldsOfParts,
  withoutKeysOfParts,
} from '../../write/rules/discriminator.ts';
import { refuseOtherId } from '../../write/rules/own-id.ts';
import { hashPasswords } from '../../write/rules/passwords.ts';
import { pathDemands } from '../../write/rules/positions.ts';
import { readTypes } from '../../write/rules/types.ts';
import { isUniqueKey } from '../../write/rules/unique-index.ts';
import { readUpdate } from '../../write/rules/update.ts';
import { groupFaults, withoutCaller } from '../../write/rules/user-rules.ts';

type Condition = readonly [path: string, value: unknown];

/**
 * The counts of a bulk write say how many documents match, so that any condition would tell what is stored. A caller without `r` names
 * documents as single writes do: by their `_id`, or by the values of a unique index.
 * @param filter the caller's, checked @throws 403
 */
function refuseBlindFilter(policy: Policy, filter: Filter): void {
  if (policy.permits('r')) return;
  const { model, view } = policy;
  const conditions = conditionsOf(filter);
  const paths = conditions.map(([path]) => path);
  if (paths.length === 0 || (conditions.every(namesDocuments) && isKey(paths))) return;
  throw forbidden(
    `this filter needs the right to read ${model.name}: without it, name a document by its _id or by the values of a unique index`,
  );

  function isKey(of: readonly string[]): boolean {
    return of.every((path) => path === '_id') || isUniqueKey(view, of);
  }
}

const conditionsOf = (filter: Filter): readonly Condition[] =>
  Object.entries(filter).flatMap(([path, value]): readonly Condition[] =>
    path === '$and' ? (value as Filter[]).flatMap(conditionsOf) : [[path, value]],
  );

/** Null stands for a missing value, too, and so for many documents. */
const namesDocuments = ([path, value]: Condition): boolean =>
  (isEquality(value) && !isNull(value)) || (path === '_id' && Object.keys(value as object).join() === '$in');

const isNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && '$eq' in value && value.$eq === null);

type Json = Record<string, unknown>;

interface OperationRow {
  readonly letter: Letter;
  readonly keys: readonly string[];
  readonly adminOnly?: true;
  readonly read: (actor: BulkActor, given: Json, grant: Grant) => Promise<BulkOperation>;
}

/** Maximum length of a list of operations. */
export const maxOperations = 1000;

/** The letter and the reader of each operation. The documentation prints this table. */
export const bulkOperations: ReadonlyMap<string, OperationRow> = new Map<string, OperationRow>([
  ['insertOne', { letter: 'c', keys: ['document'], read: insertOne }],
  ['updateOne', { letter: 'u', keys: ['filter', 'update', 'upsert'], read: (...given) => update(...given, false) }],
  [
    'updateMany',
    { letter: 'u', keys: ['filter', 'update', 'upsert'], adminOnly: true, read: (...given) => update(...given, true) },
  ],
  ['replaceOne', { letter: 'u', keys: ['filter', 'replacement', 'upsert'], read: replaceOne }],
  ['deleteOne', { letter: 'd', keys: ['filter'], read: (...given) => remove(...given, false) }],
  ['deleteMany', { letter: 'd', keys: ['filter'], adminOnly: true, read: (...given) => remove(...given, true) }],
]);

/** @throws 400, 403 before anything is written; later faults name the operation and carry the counts so far */
export async function bulkWrite(caller: ModelActor, intent: BulkIntent): Promise<BulkCounts> {
  const actor = withBulkTime(caller, intent);
  return runOperations(actor, await readOperations(actor));
}

/** @throws 400 and 403 naming the operation, before anything is written */
async function readOperations(actor: BulkActor): Promise<BulkOperation[]> {
  const operations: BulkOperation[] = [];
  const yieldIfLong = makeYielder();
  for (const [at, given] of actor.intent.input.entries()) {
    await yieldIfLong();
    try {
      operations.push(await readOne(actor, given, at));
    } catch (error) {
      const namesFields = error instanceof Failure && error.errors !== undefined;
      throw namesFields ? faultAt(error, at, noCounts()) : error;
    }
  }
  return operations;
}

async function readOne(actor: BulkActor, given: unknown, at: number): Promise<BulkOperation> {
  if (!isObject(given) || Object.keys(given).length !== 1)
    throw badBody(`operation ${at} must be an object with one operation`);
  const [name = '', inner] = Object.entries(given)[0] ?? [];
  const row = bulkOperations.get(name);
  if (row === undefined) throw badBody(`operation ${at}: ${JSON.stringify(name.slice(0, 40))} is not known`);
  if (row.adminOnly === true && !actor.principal.admin) throw adminOnly(actor.principal, name);
  if (!isObject(inner)) throw badBody(`operation ${at}: ${name} takes an object`);
  for (const key of Object.keys(inner))
    if (!row.keys.includes(key))
      throw badBody(`operation ${at}: ${name} does not know ${JSON.stringify(key.slice(0, 40))}`);
  return row.read(actor, inner, needed(actor, row.letter, name));
}

function needed(actor: BulkActor, letter: Letter, name: string): Grant {
  const grant = grantFor(actor.principal, letter, actor.model);
  if (grant === undefined) throw refusal(actor.principal, `${name}: ${mayNot(actor.model, letter)}`);
  return grant;
}

async function insertOne(actor: BulkActor, { document }: Json): Promise<BulkOperation> {
  return { kind: 'insert', document: await bodyValues(actor, document, 'new') };
}

/** Reads a document as POST does. */
async function bodyValues(actor: BulkActor, given: unknown, use: 'new' | 'replacement'): Promise<Json> {
  if (!isObject(given)) throw badBody(`${use === 'new' ? 'document' : use} must be an object`);
  checkKeys(given, false);
  const faults: PathFault[] = [];
  const values = await hashPasswords(actor, fieldsIn(given, actor.model, actor.principal, use), actor.intent, faults);
  faults.push(...groupFaults(actor.model, values));
  // names the faults of the other fields, too
  if (faults.length > 0) await refuseNew(actor, values, [...faults, ...readTypes(values, actor.model.schema, true)]);
  return values;
}

async function update(actor: BulkActor, given: Json, grant: Grant, many: boolean): Promise<BulkOperation> {
  const upsert = upsertOf(actor, given['upsert']);
  const checked = await readUpdate(actor, given['update'], { ...actor.intent, upserts: upsert });
  const filter = await withoutCaller(actor, filterOf(actor, given['filter'], many), setBy(given['update']));
  refuseOtherId(actor.model, setBy(given['update']), seedOf(filter)['_id']);
  const sees = comparableBy(policyFor(actor.principal, actor.model));
  // a new document has no key to be compared with
  const { update: others, keys } = withoutKeysOfParts(actor.model, checked, upsert ? () => false : sees);
  const paths = pathsOf(others);
  if (many || !namesOne(filter)) refuseDiscriminatorPaths(actor.model, paths);
  refuseFieldsOfParts(actor.model, paths);
  return {
    kind: 'update',
    many,
    filter,
    // a document that is loaded is compared when it is changed
    update: actor.model.changesBySave ? checked : others,
    positions: pathDemands(actor.model.schema, others, keys),
    upsert,
    grant,
  };
}

async function replaceOne(actor: BulkActor, given: Json, grant: Grant): Promise<BulkOperation> {
  const replacement = await bodyValues(actor, given['replacement'], 'replacement');
  const filter = filterOf(actor, given['filter'], false);
  refuseOtherId(actor.model, replacement, seedOf(filter)['_id']);
  return {
    kind: 'replace',
    filter: await withoutCaller(actor, filter, given['replacement'] as Json),
    replacement,
    upsert: upsertOf(actor, given['upsert']),
    grant,
  };
}

function remove(actor: BulkActor, given: Json, grant: Grant, many: boolean): Promise<BulkOperation> {
  return Promise.resolve({ kind: 'delete', many, filter: filterOf(actor, given['filter'], many), grant });
}

/** Refuses a missing or empty filter, except in an admin's *Many operations, where it means all documents. */
function filterOf(actor: BulkActor, given: unknown, emptyAllowed: boolean): Filter {
  if (!isObject(given)) throw badBody('filter must be an object');
  const policy = policyFor(actor.principal, actor.model);
  const filter = filterFromJson(given, policy.view, actor.services.clock);
  if (!emptyAllowed && isEmpty(filter)) throw badBody('filter must not be empty');
  refuseBlindFilter(policy, filter);
  return filter;
}

/** The fields that an update sets, by the caller's names. */
const setBy = (update: unknown): Json => {
  const { $set } = update as Json;
  return isObject($set) ? $set : (update as Json);
};

/** Whether a filter, or one of its alternatives, has no conditions. */
const isEmpty = (filter: Filter): boolean =>
  Object.entries(filter).every(
    ([key, members]) =>
      (key === '$and' && (members as Filter[]).every(isEmpty)) ||
      (key === '$or' && (members as Filter[]).some(isEmpty)),
  );

function upsertOf(actor: BulkActor, upsert: unknown): boolean {
  if (upsert !== undefined && typeof upsert !== 'boolean') throw badBody('upsert must be true or false');
  if (upsert === true) needed(actor, 'c', 'upsert');
  return upsert === true;
}
