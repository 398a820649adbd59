/** Time-based one-time passwords (RFC 6238): SHA-1, 6 digits, 30 seconds. The adapter of otpauth. */
import { Secret, TOTP } from 'otpauth';

const seconds = 30;
/** What authenticator apps use by default; several support nothing else. */
const algorithm = { algorithm: 'SHA1', digits: 6, period: seconds } as const;
/** The length of an HMAC-SHA-1, which RFC 4226, 4 recommends. */
const secretBytes = 20;
/** Steps before and after the current one whose codes are accepted, for clocks that differ (RFC 6238, 5.2). */
const window = 1;

/** A random secret in Base32. */
export const newSecret = (): string => new Secret({ size: secretBytes }).base32;

/** The URL that authenticator apps read from a QR code. @param account what the app shows below the issuer */
export const otpauthUrl = (secret: string, issuer: string, account: string): string =>
  new TOTP({ ...algorithm, secret, issuer, label: account }).toString();

export const isCode = (text: string): boolean => /^[0-9]{6}$/.test(text);

/** The number of the time step whose code this is: the current one, the one before or the one after; undefined for none. */
export function stepOf(code: string, secret: string, now: Date): number | undefined {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...algorithm, token: code, secret: Secret.fromBase32(secret), timestamp, window });
  return delta === null ? undefined : Math.floor(timestamp / (seconds * 1000)) + delta;
}
