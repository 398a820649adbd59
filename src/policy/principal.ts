/** Who is asking: anonymous, or a user with the roles in the order in which they are tried. */

import type { OwnDocument } from './row-rules.ts';

/** The data of the signed-in user, without the password. */
export interface KnownUser {
  readonly _id: string;
  readonly id: string;
  readonly email: string;
  readonly name?: string;
  readonly admin: boolean;
  readonly groups: readonly string[];
}

export interface Principal {
  /** Undefined for anonymous callers. */
  readonly user: KnownUser | undefined;
  readonly admin: boolean;
  /** Roles in the order in which they are tried, without `owner`, which depends on the document. */
  readonly roles: readonly string[];
  /** The session that a bearer token belongs to. */
  readonly session: string | undefined;
  /** The user's document, as far as row rules name its paths. */
  readonly own?: OwnDocument;
  /** The user's session epoch when the credential was checked. */
  readonly epoch?: number;
}

/** Reserved names, which groups cannot have. */
export const reservedGroups: ReadonlySet<string> = new Set([
  'all',
  'admin',
  'user',
  'owner',
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
]);

export const anonymous: Principal = Object.freeze({
  user: undefined,
  admin: false,
  roles: Object.freeze(['all']),
  session: undefined,
});

/** The principal of a user. */
export function principalOf(user: KnownUser, session?: string, epoch?: number, own?: OwnDocument): Principal {
  const groups = user.groups.filter((group) => !reservedGroups.has(group));
  const roles = ['all', ...(user.admin ? ['admin'] : []), 'user', ...groups];
  const since = epoch === undefined ? {} : { epoch };
  return Object.freeze({ user, admin: user.admin, roles: Object.freeze(roles), session, own, ...since });
}
