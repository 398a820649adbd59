/** A caller for each role that the models name, and one that has all of them: for types, and for the report of wide rights. */
import type { ModelEntry } from '../models/entry.ts';
import { maySee } from './grants.ts';
import { policyFor } from './policy.ts';
import { anonymousPrincipal, groupsIn, type Principal, principalOf, reservedGroups } from './principal.ts';

/** A caller with a role, and the models on which the role has some right. */
export interface Role {
  readonly name: string;
  readonly principal: Principal;
  readonly models: readonly ModelEntry[];
}

const noUserId = '0'.repeat(24);

const caller = (admin: boolean, groups: readonly string[]): Principal =>
  principalOf({ _id: noUserId, id: noUserId, email: '', admin, groups });

/** The caller who has a role of `perms`; `owner` is a user. */
export const callerOf = (role: string): Principal =>
  role === 'all' ? anonymousPrincipal : caller(role === 'admin', reservedGroups.has(role) ? [] : [role]);

/** Anonymous callers, users without groups, users in one group each, and admins. */
export function rolesOf(models: readonly ModelEntry[]): readonly Role[] {
  return ['all', 'user', ...groupsIn(models), 'admin'].map((name) => {
    const principal = callerOf(name);
    return { name, principal, models: models.filter((model) => maySee(principal, model)) };
  });
}

export const everyRole = (models: readonly ModelEntry[]): Principal => caller(true, groupsIn(models));

/** Whether a path is in every answer of all of these callers who may read the model. */
export const isAlwaysShown =
  (model: ModelEntry, callers: readonly Principal[]) =>
  (path: string): boolean =>
    callers
      .map((principal) => policyFor(principal, model))
      .filter((policy) => policy.permits('r'))
      .every(({ view }) => view.shows(path));
