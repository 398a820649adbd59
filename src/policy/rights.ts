/** THE decision: which documents of a model may this caller create, read, update or delete? All, only their own, or none. */
import type { ModelEntry } from '../models/entry.ts';
import type { Letter } from '../models/letters.ts';
import type { Principal } from './principal.ts';

/** The documents that a letter of the permissions is given for. */
export type RowRight = 'all' | 'own' | 'none';

export function rightOn(principal: Principal, letter: Letter, model: ModelEntry): RowRight {
  const { perms } = model.options;
  for (const role of principal.roles) if (perms.get(role)?.has(letter) === true) return 'all';
  return principal.user !== undefined && perms.get('owner')?.has(letter) === true ? 'own' : 'none';
}
