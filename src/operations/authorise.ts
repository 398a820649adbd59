/** A row's access value against the caller → a grant, or 401 and 403. */
import { grantForNoRows, maySee, refusal, requireLetter, type Grant } from '../access/decide.ts';
import type { Principal } from '../access/principal.ts';
import { adminOnly, signInFirst } from '../errors.ts';
import type { ModelEntry } from '../registry/entry.ts';
import type { ModelAccess, PlainAccess } from './operation.ts';

export function authoriseModel(access: ModelAccess, principal: Principal, model: ModelEntry): Grant {
  if (access.kind === 'letter') return requireLetter(principal, access.letter, model);
  if (!maySee(principal, model)) throw refusal(principal, `you may do nothing with ${model.name}`);
  // each operation asks for its own
  return grantForNoRows(principal);
}

export function authorisePlain(
  access: PlainAccess,
  principal: Principal,
  params: Readonly<Record<string, string>>,
): Grant {
  if (access.kind !== 'open') {
    if (principal.user === undefined) throw signInFirst();
    const self = access.kind === 'selfOrAdmin' && principal.user.id === params[access.parameter];
    if (access.kind !== 'signedIn' && !self && !principal.admin) throw adminOnly(principal, 'this');
  }
  return grantForNoRows(principal);
}
