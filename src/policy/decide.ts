/** May this caller do this to this model? A grant, or 401 for the unknown and 403 for the known. */
import { type Failure, forbidden, signInFirst } from '../errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { type Letter, letters } from '../models/letters.ts';
import { noRows, type Policy, policyFor } from './policy.ts';
import type { Principal } from './principal.ts';

declare const granted: unique symbol;

/** The proof that a request may be served. Only this file makes one. */
export interface Granted {
  readonly [granted]: true;
}

/** The proof that a caller may do something with a model: to the rows that their policy gives the letter for. */
export interface Grant extends Granted {
  readonly policy: Policy;
  readonly letter: Letter;
}

const grantOf = (policy: Policy, letter: Letter): Grant => ({ policy, letter }) as Grant;

/** The grant of a route that reads no model's rows (login, setup, pages …). */
export const grantForNoRows = (): Granted => ({}) as Granted;

/** The grant of a route whose operations each ask for their own letter: of itself it covers no row. */
export const grantPerOperation = (principal: Principal, model: ModelEntry): Grant =>
  grantOf(noRows(principal, model), 'r');

/** What the caller may do: a grant, or undefined for nothing. */
export function decide(principal: Principal, letter: Letter, model: ModelEntry): Grant | undefined {
  const policy = policyFor(principal, model);
  return policy.permits(letter) ? grantOf(policy, letter) : undefined;
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
  letters.some((letter) => policyFor(principal, model).permits(letter));
