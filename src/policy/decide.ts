/** THE decision: may this caller do this to this model? All documents, only their own, or none. */
import { forbidden, signInFirst, type Failure } from '../errors.ts';
import type { ModelEntry } from '../registry/entry.ts';
import type { Letter } from '../registry/letters.ts';
import type { Principal } from './principal.ts';

declare const granted: unique symbol;

/** An answer to "may I?". Only this file makes one. */
export interface Grant {
  readonly rows: 'all' | 'own';
  /** The caller's user id; own rows are those whose `_owner_id` it is. */
  readonly owner: string | undefined;
  readonly [granted]: true;
}

const grantOf = (rows: 'all' | 'own', owner: string | undefined): Grant => ({ rows, owner }) as Grant;

/** The grant of a route that reads no model's rows (login, setup, pages …). */
export const grantForNoRows = (principal: Principal): Grant => grantOf('own', principal.user?.id);

/** What the caller may do: a grant, or undefined for nothing. */
export function decide(principal: Principal, letter: Letter, model: ModelEntry): Grant | undefined {
  const { perms } = model.options;
  for (const role of principal.roles)
    if (perms.get(role)?.has(letter) === true) return grantOf('all', principal.user?.id);
  if (principal.user !== undefined && perms.get('owner')?.has(letter) === true)
    return grantOf('own', principal.user.id);
  return undefined;
}

/** The same, where nothing is a failure: 401 for the unknown, 403 for the known. */
export function requireLetter(principal: Principal, letter: Letter, model: ModelEntry): Grant {
  const grant = decide(principal, letter, model);
  if (grant === undefined) throw refusal(principal, `you may not ${verbs[letter]} ${model.name}`);
  return grant;
}

const verbs: Readonly<Record<Letter, string>> = { c: 'create', r: 'read', u: 'update', d: 'delete' };

/** 401 for callers who have not signed in, 403 for those who have. */
export const refusal = (principal: Principal, reason: string): Failure =>
  principal.user === undefined ? signInFirst() : forbidden(reason);

/** Whether the caller has any right on the model, and so may know of it. */
export const maySee = (principal: Principal, model: ModelEntry): boolean =>
  (['r', 'c', 'u', 'd'] as const).some((letter) => decide(principal, letter, model) !== undefined);
