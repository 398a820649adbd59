/** Checks the caller against the access value of an operation: returns a grant, or throws 401 or 403. */
import { adminOnly, forbidden, signInFirst } from '../errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { letters } from '../models/letters.ts';
import {
  type Grant,
  type Granted,
  grantForNoRows,
  grantPerOperation,
  requireLetter,
  requireOneOf,
} from '../policy/grants.ts';
import type { Principal } from '../policy/principal.ts';
import { isClosedToScopes, type ModelAccess, type PlainOperation } from './operation.ts';

export function authoriseModel(access: ModelAccess, principal: Principal, model: ModelEntry): Grant {
  if (access.kind === 'letter') return requireLetter(principal, access.letter, model);
  requireOneOf(principal, access.letters ?? letters, model);
  return grantPerOperation(principal, model);
}

export function authorisePlain(
  operation: PlainOperation,
  principal: Principal,
  params: Readonly<Record<string, string>>,
): Granted {
  const { access } = operation;
  if (principal.scopes !== undefined && isClosedToScopes(operation))
    throw forbidden('a key with scopes may not do this: it has rights on models only');
  if (access.kind !== 'open') {
    if (principal.user === undefined) throw signInFirst();
    const self = access.kind === 'selfOrAdmin' && principal.user.id === params[access.parameter];
    if (access.kind !== 'signedIn' && !self && !principal.admin) throw adminOnly(principal, 'this');
  }
  return grantForNoRows();
}
