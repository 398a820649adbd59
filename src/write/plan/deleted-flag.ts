/** `_deleted` in an update: true deletes and requires `d`, false restores. */
import type { ModelActor } from '../../context.ts';
import { badValue } from '../../errors.ts';
import { notDeleted } from '../../models/deleted.ts';
import type { Grant } from '../../policy/grants.ts';
import type { Filter } from '../../query/filter.ts';
import { requireFurtherLetter } from '../target.ts';

export interface DeletedFlag {
  /** The required state of the document. */
  readonly filter: Filter | undefined;
  readonly restores: boolean;
  readonly deletes: boolean;
  /** The grant of `d`, if it deletes. */
  readonly deletion?: Grant;
}

/** Reads `_deleted` of the values. @throws 400 if it is not a boolean, 403 without the right to delete */
export function deletedFlag(actor: ModelActor, values: Record<string, unknown>): DeletedFlag {
  const flag = values['_deleted'];
  if (flag === undefined) return { filter: notDeleted, restores: false, deletes: false };
  if (flag === false || flag === 'false') {
    values['_deleted'] = false;
    return { filter: undefined, restores: true, deletes: false };
  }
  if (flag !== true && flag !== 'true') throw badValue('_deleted', 'Boolean', 'must be true or false');
  const grant = requireFurtherLetter(actor, 'd', 'setting _deleted needs the right to delete');
  values['_deleted'] = true;
  return { filter: grant.policy.filter('d', notDeleted), restores: false, deletes: true, deletion: grant };
}
