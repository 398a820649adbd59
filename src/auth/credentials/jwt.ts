/** Signs and reads JWTs, each with one purpose. Only HS256 is accepted. The adapter of jsonwebtoken. */
import { createHmac, randomUUID } from 'node:crypto';
import jsonwebtoken from 'jsonwebtoken';
import { isId } from '../../models/cast.ts';
import type { Settings } from '../../settings/types.ts';

/**
 * `login` signs a user in, `recovery` sets a new password, `verification` verifies an email, `oauth` completes a login at a
 * provider.
 */
export type JwtPurpose = 'login' | 'recovery' | 'verification' | 'oauth';

export interface Claims {
  readonly id: string;
  readonly user: string;
  readonly purpose: JwtPurpose;
  /** The user's session epoch when the JWT was created. */
  readonly epoch: number;
  readonly expires: Date;
  /** The fingerprint of the address that a recovery or verification JWT was sent to. */
  readonly email: string | undefined;
}

export interface Jwts {
  /** @param email the fingerprint of the address that a recovery or verification JWT is sent to */
  sign(purpose: JwtPurpose, user: string, epoch: number, email?: string): string;
  /** The claims of a JWT that this server created, expired or not; undefined for any other text. */
  read(text: string): Claims | undefined;
}

const audience = 'dossier';
/** Seconds between a provider's redirect and the login that it leads to. */
const oauthSeconds = 60;
/** Lifetime of the links that verify emails, in seconds. */
export const verificationSeconds = 86_400;
const longest = 2000;

export function makeJwts(secret: string, { jwt_expiry, recovery_expiry }: Settings, clock: () => Date): Jwts {
  const key = createHmac('sha256', secret).update('jwt').digest();
  const lifetimes: Readonly<Record<JwtPurpose, number>> = {
    login: jwt_expiry,
    recovery: recovery_expiry,
    verification: verificationSeconds,
    oauth: oauthSeconds,
  };
  const now = (): number => Math.floor(clock().getTime() / 1000);
  return {
    sign(purpose, sub, epoch, email) {
      const iat = now();
      const times = { iat, exp: iat + lifetimes[purpose] };
      const sent = email === undefined ? {} : { email };
      const claims = { sub, purpose, aud: audience, epoch, jti: randomUUID(), ...times, ...sent };
      return jsonwebtoken.sign(claims, key, { algorithm: 'HS256' });
    },
    read(text) {
      if (text.length > longest) return undefined;
      const claims = verified(text, key, now());
      if (claims === undefined) return undefined;
      const { sub, purpose, epoch, jti, iat, exp, email } = claims;
      if (!isId(sub) || !isPurpose(purpose, lifetimes) || typeof jti !== 'string' || jti === '') return undefined;
      if (!isWhole(epoch) || !isWhole(iat) || !isWhole(exp) || exp - iat > lifetimes[purpose]) return undefined;
      const sent = typeof email === 'string' ? email : undefined;
      return { id: jti, user: sub, purpose, epoch, expires: new Date(exp * 1000), email: sent };
    },
  };
}

/**
 * The caller checks expiry, so that an expired JWT is distinct from a forged one. A JWT that names extensions in `crit` is refused,
 * because this server understands none (RFC 7515, 4.1.11).
 */
function verified(text: string, key: Buffer, clockTimestamp: number): Readonly<Record<string, unknown>> | undefined {
  try {
    const options = {
      algorithms: ['HS256' as const],
      audience,
      clockTimestamp,
      ignoreExpiration: true,
      complete: true as const,
    };
    const { header, payload } = jsonwebtoken.verify(text, key, options);
    return typeof payload === 'object' && !('crit' in header) ? payload : undefined;
  } catch {
    return undefined;
  }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isPurpose = (value: unknown, all: object): value is JwtPurpose =>
  typeof value === 'string' && Object.hasOwn(all, value);
