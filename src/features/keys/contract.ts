/** Named keys as values. */
import type { Actor } from '../../auth/contract.ts';
import type { Scopes } from '../../policy/scopes.ts';

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
  readonly scopes: Readonly<Record<string, string | true>> | null;
  readonly addresses: readonly string[] | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  /** Right to a minute; null for a key that has not been used. */
  readonly last_used_at: Date | null;
}

/** The secret of a named key, which is shown once. */
export type NewKey = NamedKey & { readonly key: string };

export type VerifiedActor = Actor & { readonly user: string; readonly epoch: number };
