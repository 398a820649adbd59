/** Signs and reads JWTs, each with one purpose. Only HS256 is accepted. The adapter of jsonwebtoken. */
import { createHmac, randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as JsonWebToken from 'jsonwebtoken';
import type { Secrets } from '../../adapters/sealing.ts';
import { isId } from '../../models/fields/values/ids-and-dates.ts';
import type { Settings } from '../../settings/types.ts';
import type { Holder } from '../contract.ts';

/**
 * `login` signs in the user who created it in a session; `granted`, which an admin or a program created, signs in only users
 * without a second factor; `recovery` sets a new password, and `invitation`, which an admin hands over, the first one.
 */
export type JwtPurpose = 'login' | 'granted' | 'recovery' | 'invitation';

/** A purpose that a feature adds. */
export interface AddedPurpose {
  readonly name: string;
  /** The lifetime of its JWTs. */
  readonly seconds: number;
  /** Its JWTs sign in, each once: they are parts of URLs. The events of accounts have the name of the purpose as the method. */
  readonly signsInOnce?: true;
  /** It proves an email that its user has asked for, besides the one that they have. */
  readonly provesRequested?: true;
}

/** What a JWT of some purposes holds besides. */
interface MoreClaims {
  /** The fingerprint of the email that the user has when a link is made. */
  readonly email?: string | undefined;
  /** The credential that it stands for. */
  readonly holder?: Holder | undefined;
  /** Id of the admin who acts as the user. */
  readonly by?: string | undefined;
}

export interface Claims extends MoreClaims {
  readonly id: string;
  readonly user: string;
  /** A purpose of this file, or the name of one that a feature has added. */
  readonly purpose: string;
  /** The user's session epoch when the JWT was created. */
  readonly epoch: number;
  readonly expires: Date;
}

/** The name of a purpose, as claims have it. */
export const purposeName = (purpose: JwtPurpose | AddedPurpose): string =>
  typeof purpose === 'string' ? purpose : purpose.name;

export interface Jwts {
  sign(purpose: JwtPurpose | AddedPurpose, user: string, epoch: number, more?: MoreClaims): string;
  /** The claims of a JWT that this server created, expired or not; undefined for any other text. */
  read(text: string): Claims | undefined;
  /** The purposes of JWTs that sign in once. */
  readonly signingInOnce: readonly string[];
}

const load = createRequire(import.meta.url);
let loaded: typeof JsonWebToken | undefined;
/** Loaded for the first JWT: with its dependencies it has 66 files, which would be 3 % of a start. */
const library = (): typeof JsonWebToken => (loaded ??= load('jsonwebtoken') as typeof JsonWebToken);

const audience = 'dossier';
const longest = 2000;

export function makeJwts(
  secrets: Secrets,
  settings: Settings,
  clock: () => Date,
  added: readonly AddedPurpose[] = [],
): Jwts {
  const keyOf = (secret: string): Buffer => createHmac('sha256', secret).update('jwt').digest();
  const [newest, keys] = [keyOf(secrets[0]), secrets.map(keyOf)];
  const lifetimes = lifetimesOf(settings, added);
  const now = (): number => Math.floor(clock().getTime() / 1000);
  return {
    signingInOnce: added.filter(({ signsInOnce }) => signsInOnce === true).map(({ name }) => name),
    sign(given, sub, epoch, more = {}) {
      const purpose = purposeName(given);
      const lifetime = lifetimes.get(purpose);
      if (lifetime === undefined) throw new Error(`the JWT purpose ${purpose} has been left out`);
      const iat = now();
      const times = { iat, exp: iat + lifetime };
      const claims = { sub, purpose, aud: audience, epoch, jti: randomUUID(), ...times, ...more };
      return library().sign(claims, newest, { algorithm: 'HS256' });
    },
    read(text) {
      if (text.length > longest) return undefined;
      const claims = keys.reduce<Verified>((found, key) => found ?? verified(text, key, now()), undefined);
      if (claims === undefined) return undefined;
      const { sub, purpose, epoch, jti, iat, exp, ...more } = claims;
      const lifetime = typeof purpose === 'string' ? lifetimes.get(purpose) : undefined;
      if (!isId(sub) || typeof purpose !== 'string' || lifetime === undefined) return undefined;
      if (typeof jti !== 'string' || jti === '') return undefined;
      if (!isWhole(epoch) || !isWhole(iat) || !isWhole(exp) || exp - iat > lifetime) return undefined;
      return { id: jti, user: sub, purpose, epoch, expires: new Date(exp * 1000), ...moreOf(more) };
    },
  };
}

/** Seconds for which a JWT is valid, by its purpose. */
function lifetimesOf(
  { jwt_expiry, recovery_expiry }: Settings,
  added: readonly AddedPurpose[],
): ReadonlyMap<string, number> {
  const ofCore: Readonly<Record<JwtPurpose, number>> = {
    login: jwt_expiry,
    granted: jwt_expiry,
    recovery: recovery_expiry,
    invitation: recovery_expiry,
  };
  return new Map([...Object.entries(ofCore), ...added.map(({ name, seconds }) => [name, seconds] as const)]);
}

/** What only some JWTs carry. Only this server writes the holder. */
const moreOf = ({ email, holder, by }: NonNullable<Verified>): MoreClaims => ({
  email: typeof email === 'string' ? email : undefined,
  holder: holder as Holder | undefined,
  by: typeof by === 'string' ? by : undefined,
});

type Verified = Readonly<Record<string, unknown>> | undefined;

/**
 * The caller checks expiry, so that an expired JWT is distinct from a forged one. A JWT that names extensions in `crit` is refused,
 * because this server understands none (RFC 7515, 4.1.11).
 */
function verified(text: string, key: Buffer, clockTimestamp: number): Verified {
  try {
    const options = {
      algorithms: ['HS256' as const],
      audience,
      clockTimestamp,
      ignoreExpiration: true,
      complete: true as const,
    };
    const { header, payload } = library().verify(text, key, options);
    return typeof payload === 'object' && !('crit' in header) ? payload : undefined;
  } catch {
    return undefined;
  }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);
