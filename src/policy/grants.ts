/** Makes the grant of a caller who may do something to a model; otherwise 401 for anonymous callers and 403 for others. */
import { type Failure, forbidden, signInFirst } from '../errors/errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { type Letter, letters } from '../models/letters.ts';
import { noRows, type Policy, policyFor } from './policy.ts';
import type { Principal } from './principal.ts';
import { mayNot } from './refused-row.ts';

declare const granted: unique symbol;

/** The proof that a request may be served. Only this file creates one. */
export interface GrantProof {
  readonly [granted]: true;
}

/** The proof that a caller has a right on a model, for the rows of their policy. */
export interface Grant extends GrantProof {
  readonly policy: Policy;
  readonly letter: Letter;
}

const grantOf = (policy: Policy, letter: Letter): Grant => ({ policy, letter }) as Grant;

/** The grant of an operation that reads no rows of models (login, setup, pages …). */
export const grantForNoRows = (): GrantProof => ({}) as GrantProof;

/** The grant of an operation whose parts each require a letter: the grant itself covers no row. */
export const grantPerOperation = (principal: Principal, model: ModelEntry): Grant =>
  grantOf(noRows(principal, model), 'r');

/** The grant of a caller, if any. */
export function grantFor(principal: Principal, letter: Letter, model: ModelEntry): Grant | undefined {
  const policy = policyFor(principal, model);
  return policy.permits(letter) ? grantOf(policy, letter) : undefined;
}

/** The grant of a caller. @throws 401 for anonymous callers without it, 403 for others */
export function requireLetter(principal: Principal, letter: Letter, model: ModelEntry): Grant {
  const grant = grantFor(principal, letter, model);
  if (grant === undefined) throw refusal(principal, mayNot(model, letter));
  return grant;
}

/** For operations whose parts each require one of these letters. @throws 401 for anonymous callers without any of them, 403 for others */
export function requireOneOf(principal: Principal, of: readonly Letter[], model: ModelEntry): void {
  const policy = policyFor(principal, model);
  if (of.some((letter) => policy.permits(letter))) return;
  throw refusal(principal, mayNot(model, ...of));
}

/** 401 for callers who have not signed in, 403 for those who have, and for the server itself. */
export const refusal = (principal: Principal, reason: string): Failure =>
  principal.user === undefined && principal.hasAllRights !== true ? signInFirst() : forbidden(reason);

/** Whether the caller has any right on the model, and so may see that it exists. */
export const maySee = (principal: Principal, model: ModelEntry): boolean =>
  letters.some((letter) => policyFor(principal, model).permits(letter));
