/** How an update changes documents that exist: the one place where it is planned, for one document or for many, whichever operation makes it. */
import type { ModelActor } from '../../context.ts';
import { badBody, badValue } from '../../errors/errors.ts';
import { activeFilter } from '../../models/deleted.ts';
import { castId } from '../../models/fields/values/ids-and-dates.ts';
import { withOtherNames } from '../../models/loading/timestamps.ts';
import { ObjectId, type Row } from '../../models/mongoose.ts';
import { type OwnRowsChange, ownRowsChange } from '../../policy/field-writes.ts';
import type { Grant } from '../../policy/grants.ts';
import type { Principal } from '../../policy/principal.ts';
import type { Filter } from '../../query/filter.ts';
import { pathsOf, type Update } from '../../query/updates.ts';
import type { KindUpdate } from '../rules/discriminator.ts';
import { refuseVirtuals } from '../rules/virtuals.ts';
import { requireFurtherLetter } from '../target.ts';

/** What is to be changed, and by which right. */
export interface ChangeRequest {
  readonly grant: Grant;
  /** Update operators, checked; `$set` has the values of a body. */
  readonly update: Update;
  /** Names of fields in `$set` that the application sets, so that the caller needs no right on them. */
  readonly assigned?: readonly string[];
  /** Paths that the request names besides those of the update: the caller needs the right on them, too. */
  readonly named?: readonly string[];
}

/** A planned change. */
export interface Change {
  /** The values to set, with the caller's stamps. */
  readonly set: Row;
  /** The other operators. */
  readonly operators: Update;
  readonly flag: DeletedFlag;
  /** Where it sets fields that only an owner may change. */
  readonly own: OwnRowsChange | undefined;
}

/** @throws 400, and 403 without a right that it needs besides */
export function planChange(actor: ModelActor, request: ChangeRequest): Change {
  const { principal } = actor;
  const { policy } = request.grant;
  const operators = othersIn(request.update);
  const own =
    policy.model.fieldPerms.size === 0 ? undefined : ownRowsChange(policy, principal, byOwnRight(request, operators));
  const set: Row = { ...request.update['$set'] };
  if (typeof set['_owner_id'] === 'string') set['_owner_id'] = castId('_owner_id', set['_owner_id']);
  const flag = deletedFlag(actor, set);
  return { set: Object.assign(set, updaterFields(principal)), operators, flag, own };
}

/** What a request changes by the caller's own right, as a body: operators and further names have any value. */
function byOwnRight({ update, named = [], assigned = [] }: ChangeRequest, operators: Update): Row {
  const paths = [...named, ...pathsOf(operators)];
  const values = Object.entries(update['$set'] ?? {}).filter(([path]) => !assigned.includes(path));
  return Object.fromEntries([...paths.map((path) => [path, 1] as const), ...values]);
}

const noOthers: Update = {};

/** The operators besides `$set`; nothing is inserted. Most changes have none. */
function othersIn(update: Update): Update {
  if (Object.keys(update).length === 1 && '$set' in update) return noOthers;
  const { $set: _, $setOnInsert: __, ...operators } = update;
  return operators;
}

/** An update by operators that also raises the revision. */
export type RaisingUpdate = KindUpdate & { readonly $inc: Row };

/** The update of a change that one command makes. @throws 400 for a virtual, which only a loaded document sets */
export function updateOfChange({ model }: ModelActor, { set, operators }: Change): RaisingUpdate {
  if (model.documentRules.length > 0) refuseVirtuals(model, set);
  return { ...operators, $set: set, $inc: { ...operators['$inc'], __v: 1 } };
}

/** What operators compute is set together with the given values, of which one may not replace the other. @throws 400 */
export function refuseOverlaps({ set, operators }: Pick<Change, 'set' | 'operators'>): void {
  const covers = (path: string, other: string): boolean => path === other || other.startsWith(`${path}.`);
  const computed = pathsOf(operators);
  for (const path of Object.keys(set)) {
    const other = computed.find((one) => covers(one, path) || covers(path, one));
    if (other !== undefined) throw badBody(`$set and another operator may not both change ${other}`);
  }
}

/** `_deleted` in an update: true deletes and requires `d`, false restores. */
interface DeletedFlag {
  /** The required state of the document. */
  readonly filter: Filter | undefined;
  readonly restores: boolean;
  readonly deletes: boolean;
  /** The grant of `d`, if it deletes. */
  readonly deletion?: Grant;
}

/** Reads `_deleted` of the values. @throws 400 if it is not a boolean, 403 without the right to delete */
function deletedFlag(actor: ModelActor, values: Record<string, unknown>): DeletedFlag {
  const flag = values['_deleted'];
  if (flag === undefined) return { filter: activeFilter, restores: false, deletes: false };
  if (flag === false || flag === 'false') {
    values['_deleted'] = false;
    return { filter: undefined, restores: true, deletes: false };
  }
  if (flag !== true && flag !== 'true') throw badValue('_deleted', 'Boolean', 'must be true or false');
  const grant = requireFurtherLetter(actor, 'd', 'setting _deleted needs the right to delete');
  values['_deleted'] = true;
  return { filter: grant.policy.filter('d', activeFilter), restores: false, deletes: true, deletion: grant };
}

// the stamps of changed documents: the user, the time, and the deletion mark

/** The caller as `_updated_by_id`; null for an anonymous one, so that the change is not attributed to an earlier user. */
export const updaterFields = ({ user }: Principal): { readonly _updated_by_id: ObjectId | null } => ({
  _updated_by_id: user === undefined ? null : new ObjectId(user.id),
});

/** The stamps for updates in which Mongoose does not set them: the time and the user. */
export const stamps = ({ principal, services, model }: ModelActor): Row => ({
  ...withOtherNames(model.schema.timestampNames, { updatedAt: services.clock() }),
  ...updaterFields(principal),
});

/** The update of a soft deletion. */
export const softDeletion = (actor: ModelActor): Row => ({
  $set: { _deleted: true, ...stamps(actor) },
  $inc: { __v: 1 },
});
