/** The server side of SCRAM-SHA-256 (RFC 5802, RFC 7677). */
import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The mechanism's name, as in `saslSupportedMechs`. */
export const mechanism = 'SCRAM-SHA-256';

/** MongoDB's default for SCRAM-SHA-256. */
const defaultIterations = 15_000;
const saltBytes = 16;
const nonceBytes = 18;

/** The stored form of an account: it verifies a password and does not allow signing in. */
export interface Credentials {
  readonly user: string;
  readonly salt: Uint8Array;
  readonly iterations: number;
  readonly storedKey: Uint8Array;
  readonly serverKey: Uint8Array;
}

const hmac = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const digest = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64');

/** Letters, digits and `.`, `_`, `@`, `-`: characters that need no escaping in messages and connection strings. */
export const isUserName = (user: string): boolean => /^[\w.@-]{1,64}$/.test(user);

/** Printable ASCII characters, which SASLprep (RFC 4013) leaves unchanged; SASLprep itself is not implemented. */
export const isPassword = (password: string): boolean => /^[\x20-\x7e]{1,256}$/.test(password);

/**
 * Derives the stored form of an account.
 * @throws RangeError for a name or password with other characters than those above
 */
export async function credentialsFor(
  user: string,
  password: string,
  salt: Uint8Array = randomBytes(saltBytes),
  iterations = defaultIterations,
): Promise<Credentials> {
  if (!isUserName(user) || !isPassword(password))
    throw new RangeError('the user or the password contains characters that are not allowed');
  const salted = await promisify(pbkdf2)(password, salt, iterations, 32, 'sha256');
  return {
    user,
    salt,
    iterations,
    storedKey: digest(hmac(salted, 'Client Key')),
    serverKey: hmac(salted, 'Server Key'),
  };
}

/**
 * Credentials for an unknown user, so that replies do not reveal which users exist: the salt is stable, and no password
 * matches. The texts cannot occur in an exchange, whose messages begin with `n=`.
 */
function decoyFor(user: string, { salt, iterations, serverKey }: Credentials): Credentials {
  const derive = (what: string): Buffer => hmac(serverKey, `${what} of the unknown user ${user}`);
  return {
    user,
    salt: derive('salt').subarray(0, salt.length),
    iterations,
    storedKey: derive('stored key'),
    serverKey: derive('server key'),
  };
}

/** client-first-message without channel binding: header, user, nonce; extensions after them are ignored. */
const clientFirst = /^([ny],,)(n=([^,]+),r=([\x21-\x2b\x2d-\x7e]+)(?:,.*)?)$/s;

/** The two server messages of an exchange. */
export interface Exchange {
  /** server-first-message. */
  readonly first: string;
  /** server-final-message for the client-final-message; undefined for a wrong proof. */
  readonly finish: (clientFinal: string) => string | undefined;
}

/**
 * Begins an exchange.
 * @param known whether the database is that of the account
 * @returns undefined if the client-first-message is invalid
 */
export function beginExchange(
  credentials: Credentials,
  message: string,
  known = true,
  serverNonce = base64(randomBytes(nonceBytes)),
): Exchange | undefined {
  const [, header = '', bare = '', user = '', clientNonce = ''] = clientFirst.exec(message) ?? [];
  if (header === '') return undefined;
  const decoy = decoyFor(user, credentials);
  const account = known && user === credentials.user ? credentials : decoy;
  const nonce = clientNonce + serverNonce;
  const first = `r=${nonce},s=${base64(account.salt)},i=${account.iterations}`;
  const withoutProof = `c=${base64(header)},r=${nonce}`;
  return { first, finish: (final) => check(account, `${bare},${first},${withoutProof}`, withoutProof, final) };
}

/** server-final-message for a valid proof; the check takes constant time. */
function check(account: Credentials, authMessage: string, withoutProof: string, final: string): string | undefined {
  const proof = Buffer.from(final.slice(withoutProof.length + ',p='.length), 'base64');
  const signature = hmac(account.storedKey, authMessage);
  if (!final.startsWith(`${withoutProof},p=`) || proof.length !== signature.length) return undefined;
  const clientKey = signature.map((byte, at) => byte ^ (proof[at] ?? 0));
  if (!timingSafeEqual(digest(clientKey), account.storedKey)) return undefined;
  return `v=${base64(hmac(account.serverKey, authMessage))}`;
}
