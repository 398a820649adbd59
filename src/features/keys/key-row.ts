/** The stored form of a named key. */
import { letters, type ObjectId } from '../../core.ts';
import { isRouteScope, type Scopes } from '../../policy/scopes.ts';
import type { KeyLimits, NamedKey } from './contract.ts';

export interface KeyRow {
  readonly _id: ObjectId;
  readonly user_id: ObjectId;
  readonly incarnation: string;
  readonly resets: number;
  readonly name: string;
  readonly digest: string;
  /** Digests of replaced secrets, and the times until which they work. */
  readonly earlier: readonly { readonly digest: string; readonly until: Date }[];
  readonly scopes: readonly { readonly model: string; readonly letters: string }[] | null;
  readonly addresses: readonly string[] | null;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
}

/** The stored form of limits. Scopes are a list, because names of models may contain dots. */
export const storedLimits = ({
  scopes,
  addresses,
  expires_at,
}: KeyLimits): Pick<KeyRow, 'scopes' | 'addresses' | 'expires_at'> => ({
  scopes: scopes === undefined ? null : [...scopes].map(([model, given]) => ({ model, letters: [...given].join('') })),
  addresses: addresses ?? null,
  expires_at: expires_at ?? null,
});

export const scopesOf = ({ scopes }: KeyRow): Scopes | undefined =>
  scopes === null
    ? undefined
    : new Map(
        scopes.map(({ model, letters: given }) => [model, new Set(letters.filter((letter) => given.includes(letter)))]),
      );

/** A key as its user sees it. @param lastUsed right to a minute */
export const keyAnswer = (row: KeyRow, lastUsed: Date | undefined): NamedKey => ({
  id: row._id.toHexString(),
  name: row.name,
  scopes:
    row.scopes === null
      ? null
      : Object.fromEntries(row.scopes.map(({ model, letters: given }) => [model, isRouteScope(model) || given])),
  addresses: row.addresses,
  created_at: row.created_at,
  expires_at: row.expires_at,
  last_used_at: lastUsed ?? null,
});

/**
 * Until when a secret of a key works, by its digest: undefined for one that is not valid, `Infinity` without an end. The caller
 * compares it with the clock.
 */
export function worksUntil({ digest, earlier, expires_at }: KeyRow, given: string): number | undefined {
  const replaced = earlier.find((one) => one.digest === given)?.until.getTime();
  const until = digest === given ? Infinity : replaced;
  return until === undefined ? undefined : Math.min(until, expires_at?.getTime() ?? Infinity);
}
