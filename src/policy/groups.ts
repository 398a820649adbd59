/** The groups of users that models name. */
import type { ModelEntry } from '../models/entry.ts';
import { reservedGroups } from './principal.ts';

/** The groups to which any of the models gives rights, in order. */
export const groupsIn = (models: readonly ModelEntry[]): readonly string[] =>
  [...new Set(models.flatMap(({ options }) => [...options.perms.keys()]))]
    .filter((name) => !reservedGroups.has(name))
    .sort();
