/** What callers may read about themselves and the credential that they signed in with. */
import type { ModelEntry } from '../models/entry.ts';
import { policyFor } from './policy.ts';
import type { Principal, SignIn } from './principal.ts';
import { shape } from './shape.ts';
import type { ShapedDocument } from './shaped.ts';

export interface Identity {
  /** The caller's own data, without the fields that they may not read. */
  readonly user: ShapedDocument;
  /** What the caller signs in with, where that is not the email. */
  readonly login?: string;
  readonly roles: readonly string[];
  readonly method: NonNullable<SignIn['method']> | null;
  /** The ids of the session and of the stored key that the credential belongs to. */
  readonly session: string | null;
  readonly key: string | null;
  /** When the credential expires; null if it does not. */
  readonly expires: Date | null;
  /** Id of the admin who acts as the user; absent where users act for themselves. */
  readonly by?: string;
}

/** @param users the model of users */
export function identityOf(principal: Principal, users: ModelEntry): Identity {
  const { user, roles, method, session, key, by, expires } = principal;
  const { id: _, login, ...row } = { ...user };
  return {
    user: shape(row, {
      hidden: policyFor(principal, users).hiddenIn(row),
      fields: undefined,
      withId: !users.schema.hasOwnId,
    }),
    ...(login === undefined ? {} : { login }),
    roles,
    method: method ?? null,
    session: session ?? null,
    key: key ?? null,
    expires: expires ?? null,
    ...(by === undefined ? {} : { by }),
  };
}
