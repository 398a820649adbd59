/** The paths that a body may set: no stamps, and no fields of users that give rights. */
import type { ModelEntry } from '../models/entry.ts';
import { hasObjectIds } from '../models/fields/document-id.ts';
import { firstName } from '../models/fields/path-type.ts';
import { stampPaths } from '../models/loading/base.ts';
import { isSecretName } from '../models/secrets.ts';
import type { Principal } from './principal.ts';

/** Fields of the user model that give rights, besides password-named ones and the email. */
const privileges: ReadonlySet<string> = new Set(['admin', 'groups', 'email_verified']);
const stamps: ReadonlySet<string> = new Set(stampPaths);

/** @param path with aliases resolved @param letter `c` for a new document, `u` for a change */
export function isWritable(path: string, letter: 'c' | 'u', model: ModelEntry, principal: Principal): boolean {
  const first = firstName(path);
  if (isStamp(first, model) && !maySetStamp(first, letter, model, principal)) return false;
  if (model.ownPaths.includes(first)) return false;
  return model.name !== 'user' || mayGiveRights(principal) || !isPrivilege(path, letter);
}

/** Whether a caller sets the fields of users that give rights: admins, but not by a key with scopes, which has letters only. */
export const mayGiveRights = ({ admin, scopes }: Principal): boolean => admin && scopes === undefined;

const isStamp = (name: string, { schema }: ModelEntry): boolean =>
  (stamps.has(name) && !(name === 'id' && schema.hasOwnId)) || Object.values(schema.timestampNames).includes(name);

/** In a change, `_deleted` deletes or restores. Only ObjectIds are made by the server. */
function maySetStamp(name: string, letter: 'c' | 'u', model: ModelEntry, principal: Principal): boolean {
  if (name === '_deleted') return letter === 'u';
  if (name === '_id') return letter === 'c' && (principal.admin || !hasObjectIds(model));
  return name === '_owner_id' && principal.admin;
}

/**
 * Callers who may create users set the first password and email. Later ones of other users are for admins: control of the email is
 * control of the account, by a recovery mail.
 */
function isPrivilege(path: string, letter: 'c' | 'u'): boolean {
  const parts = path.split('.');
  const [first = ''] = parts;
  return privileges.has(first) || (letter === 'u' && (first === 'email' || parts.some(isSecretName)));
}
