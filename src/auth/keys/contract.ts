/** The interface of named keys. Any folder may import it. */
import type { Scopes } from '../../policy/scopes.ts';
import type { Actor } from '../contract.ts';

/** What is restricted for a new named key. Undefined parts are not. */
export interface KeyLimits {
  readonly scopes: Scopes | undefined;
  /** Address ranges, such as `10.0.0.0/8`. */
  readonly addresses: readonly string[] | undefined;
  readonly expires_at: Date | undefined;
}

/** A named key without its secret. */
export interface NamedKey {
  readonly id: string;
  readonly name: string;
  /** Letters by model; null for all that the user may do. */
  readonly scopes: Readonly<Record<string, string>> | null;
  readonly addresses: readonly string[] | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  /** Right to a minute; null for a key that has not been used. */
  readonly last_used_at: Date | null;
}

/** The secret of a named key, which is shown once. */
export type NewKey = NamedKey & { readonly key: string };

/** The named keys of users. */
/** A user who was verified in an epoch. */
export type VerifiedActor = Actor & { readonly user: string; readonly epoch: number };

export interface Keys {
  /** @throws 400 when the user has too many keys, 401 when the epoch of the caller has just ended */
  create(by: VerifiedActor, name: string, limits: KeyLimits): Promise<NewKey>;
  /** The keys of a user, the oldest first. */
  list(user: string): Promise<readonly NamedKey[]>;
  /** Ends a key. @returns false when the user has no such key */
  remove(user: string, id: string, by: Actor): Promise<boolean>;
  /**
   * Replaces the secret. @param overlap seconds for which the earlier one still works
   * @returns undefined when the user has no such key @throws 409 for many rotations at once
   */
  rotate(by: Actor & { readonly user: string }, id: string, overlap: number): Promise<NewKey | undefined>;
}
