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
import { passesFor } from '../policy/groups.ts';
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
  if (principal.scopes !== undefined && isClosedToScopes(operation, principal.scopes))
    throw forbidden(
      operation.scope === undefined
        ? 'a key with scopes may not do this: it has rights on models only'
        : `a key with scopes needs the scope ${JSON.stringify(operation.scope)}`,
    );
  if (access.kind === 'right') return requireLetter(principal, access.letter, access.model);
  if (access.kind === 'open') return grantForNoRows();
  // the operator is no user
  if (access.kind === 'admin' && principal.admin) return grantForNoRows();
  if (principal.user === undefined) throw signInFirst();
  if (access.kind === 'signedIn' || principal.admin) return grantForNoRows();
  if (access.kind === 'group' && passesFor(principal, access.group)) return grantForNoRows();
  if (access.kind === 'group') throw forbidden(`this is for the group ${access.group}`);
  const self = access.kind === 'selfOrAdmin' && principal.user.id === params[access.parameter];
  if (!self) throw adminOnly(principal, 'this');
  return grantForNoRows();
}
