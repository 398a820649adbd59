/** JWTs: signed and read, one purpose each. HS256 and nothing else. The door to jsonwebtoken. */
import { createHmac, randomUUID } from 'node:crypto';
import jsonwebtoken from 'jsonwebtoken';
import { isId } from '../registry/cast.ts';
import type { Settings } from '../settings/types.ts';

/** `login` signs a user in, `recovery` sets a new password, `oauth` is what a browser brings back from a provider. */
export type JwtPurpose = 'login' | 'recovery' | 'oauth';

export interface Claims {
  readonly id: string;
  readonly user: string;
  readonly purpose: JwtPurpose;
  /** The user's session epoch when it was made. */
  readonly epoch: number;
  readonly expires: Date;
}

export interface Jwts {
  sign(purpose: JwtPurpose, user: string, epoch: number): string;
  /** The claims of a JWT that this server made, expired or not; undefined for any other text. */
  read(text: string): Claims | undefined;
}

const audience = 'dossier';
/** Seconds between a provider's redirect and the login that it leads to. */
const oauthSeconds = 60;
const longest = 2000;

export function makeJwts(secret: string, { jwt_expiry }: Settings, clock: () => Date): Jwts {
  const key = createHmac('sha256', secret).update('jwt').digest();
  const lifetimes: Readonly<Record<JwtPurpose, number>> = {
    login: jwt_expiry,
    recovery: jwt_expiry,
    oauth: oauthSeconds,
  };
  const now = (): number => Math.floor(clock().getTime() / 1000);
  return {
    sign(purpose, sub, epoch) {
      const iat = now();
      const claims = { sub, purpose, aud: audience, epoch, jti: randomUUID(), iat, exp: iat + lifetimes[purpose] };
      return jsonwebtoken.sign(claims, key, { algorithm: 'HS256' });
    },
    read(text) {
      if (text.length > longest) return undefined;
      const claims = verified(text, key, now());
      if (claims === undefined) return undefined;
      const { sub, purpose, epoch, jti, iat, exp } = claims;
      if (!isId(sub) || !isPurpose(purpose, lifetimes) || typeof jti !== 'string' || jti === '') return undefined;
      if (!isWhole(epoch) || !isWhole(iat) || !isWhole(exp) || exp - iat > lifetimes[purpose]) return undefined;
      return { id: jti, user: sub, purpose, epoch, expires: new Date(exp * 1000) };
    },
  };
}

/** Expiry is judged by the caller, so that an old JWT can be told from a forged one. */
function verified(text: string, key: Buffer, clockTimestamp: number): Readonly<Record<string, unknown>> | undefined {
  try {
    const options = { algorithms: ['HS256' as const], audience, clockTimestamp, ignoreExpiration: true };
    const claims: unknown = jsonwebtoken.verify(text, key, options);
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
const isPurpose = (value: unknown, all: object): value is JwtPurpose =>
  typeof value === 'string' && Object.hasOwn(all, value);
