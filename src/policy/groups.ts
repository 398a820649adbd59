/** The groups of users that models name. */
import type { ModelEntry } from '../models/entry.ts';
import { type Principal, reservedGroups } from './principal.ts';

/** The groups to which any of the models gives rights, in order. */
export const groupsIn = (models: readonly ModelEntry[]): readonly string[] =>
  [...new Set(models.flatMap(({ options }) => [...options.perms.keys()]))]
    .filter((name) => !reservedGroups.has(name))
    .sort();

/** Whether a caller may do what is for a group: its members, and admins. */
export const passesFor = ({ admin, roles }: Principal, group: string): boolean => admin || roles.includes(group);

/** A caller as code of the project receives them. */
export const shownCaller = ({ user, admin, roles }: Principal): Readonly<Pick<Principal, 'user' | 'admin' | 'roles'>> =>
  Object.freeze({ user, admin, roles });
