/** THE decision: which documents of a model may this caller create, read, update or delete? */
import type { ModelEntry } from '../models/entry.ts';
import type { Letter } from '../models/letters.ts';
import type { FieldLetter } from '../models/options/permissions.ts';
import { ruleOf } from './model-rules.ts';
import type { Principal } from './principal.ts';
import type { CompiledRule } from './row-rules.ts';
import { isInScope } from './scopes.ts';

/** The documents that a letter is given for: all, or the caller's own ones and those of rules. */
export type RowRight =
  | 'all'
  | {
      readonly own: boolean;
      /** Rules of all of the caller's roles; any of them is enough. */
      readonly rules: readonly CompiledRule[];
      /** A rule on the caller's own documents. */
      readonly ownRule: CompiledRule | undefined;
    };

export const noRight: RowRight = { own: false, rules: [], ownRule: undefined };

export const rightOn = (principal: Principal, letter: Letter, model: ModelEntry): RowRight =>
  isInScope(principal.scopes, letter, model) ? userRightOn(principal, letter, model) : noRight;

/** The right of the caller's user, whatever the scopes of the key that was sent. */
export function userRightOn(principal: Principal, letter: Letter, model: ModelEntry): RowRight {
  if (principal.factor === 'missing') return noRight;
  // the server's own models are written by their operations, which keep more than rights
  if (letter !== 'r' && model.isOwn) return noRight;
  if (principal.hasAllRights === true) return 'all';
  const { perms } = model.options;
  const given = principal.roles.filter((role) => perms.get(role)?.has(letter) === true);
  if (given.some((role) => perms.get(role)?.get(letter) === 'all')) return 'all';
  const rules = given.flatMap((role) => ruleOf(model, role, letter) ?? []);
  if (principal.user === undefined || perms.get('owner')?.has(letter) !== true)
    return { own: false, rules, ownRule: undefined };
  const ownRule = ruleOf(model, 'owner', letter);
  return { own: ownRule === undefined, rules, ownRule };
}

/** The places in the model file that give a caller a letter on some documents, with the paths that their rules compare. */
export function placesOfRight({ roles, user }: Principal, letter: Letter, model: ModelEntry): readonly string[] {
  const tried = user === undefined ? roles : [...roles, 'owner'];
  return tried
    .filter((role) => model.options.perms.get(role)?.has(letter) === true)
    .map((role) => {
      const { paths = [] } = ruleOf(model, role, letter) ?? {};
      return `perms.${role}.${letter}${paths.length === 0 ? '' : ` where ${[...new Set(paths)].join(', ')}`}`;
    });
}

/** The documents in which a caller has a letter on a path. */
export type PathRight = 'all' | 'own' | 'none';

/** What a path's own letters, and those of the paths that it is in, give a caller. @param path without positions in lists */
export function pathRight(principal: Principal, letter: FieldLetter, model: ModelEntry, path: string): PathRight {
  const { fieldPerms } = model;
  if (fieldPerms.size === 0 || principal.hasAllRights === true) return 'all';
  let right: PathRight = 'all';
  for (let end = path.indexOf('.'); ; end = path.indexOf('.', end + 1)) {
    const perms = fieldPerms.get(end === -1 ? path : path.slice(0, end));
    if (perms !== undefined && !principal.roles.some((role) => perms.get(role)?.has(letter) === true)) {
      if (principal.user === undefined || perms.get('owner')?.has(letter) !== true) return 'none';
      right = 'own';
    }
    if (end === -1) return right;
  }
}
