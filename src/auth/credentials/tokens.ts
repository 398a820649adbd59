/** Creates tokens and keys, distinguishes them from guesses, and computes the digests that are stored in their place. */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../sealing.ts';

/** A token consists of 144 random bits and a 144-bit seal, which proves that this server created it. */
const nonceBytes = 18;
const sealBytes = 18;
/** An id precedes the nonce of a refresh token, that of its session, and of a named key, its own. */
const idBytes = 12;

const kinds = {
  access: { prefix: 'da_', bytes: nonceBytes },
  refresh: { prefix: 'dr_', bytes: idBytes + nonceBytes },
  key: { prefix: 'dk_', bytes: nonceBytes },
  named: { prefix: 'dn_', bytes: idBytes + nonceBytes },
} as const;
export type TokenKind = keyof typeof kinds;

/** The successors of a refresh token. They are derived from it, so that concurrent callers get the same ones. */
interface Successors {
  readonly token: string;
  readonly refresh: string;
}

/** The values that have fingerprints. */
type Printed = 'password' | 'email' | 'address';

export interface Tokens {
  newAccess(): string;
  /** @param session its id, 24 hexadecimal digits */
  newRefresh(session: string): string;
  /** @param id of the named key, 24 hexadecimal digits */
  newNamed(id: string): string;
  /**
   * The API key of a user under each of the secrets, the newest first. It is derived, so that each login can return it although only
   * its digest is stored.
   */
  keys(user: string, salt: string): readonly string[];
  successors(refresh: string): Successors;
  /** Whether a server with this secret has ever created the token; any other text is a guess. */
  isGenuine(kind: TokenKind, text: unknown): text is string;
  /** The id in a genuine refresh token or named key. */
  idIn(kind: 'refresh' | 'named', text: string): string;
  /** A keyed hash of a password hash, an email or an address. It shows only whether two values are equal. */
  fingerprint(of: Printed, text: string | undefined): string;
  /** Whether a stored value is the fingerprint of a text under any of the secrets. */
  isFingerprint(of: Printed, text: string | undefined, stored: string | undefined): boolean;
}

/** @param secrets the newest creates tokens, all are accepted */
export function makeTokens(secrets: Secrets): Tokens {
  const mac = (purpose: string, text: string | Buffer, secret: string = secrets[0]): Buffer =>
    createHmac('sha256', secret).update(`${purpose}:`).update(text).digest();
  const sealed = (kind: TokenKind, content: Buffer, secret?: string): string =>
    kinds[kind].prefix +
    Buffer.concat([content, mac(`seal ${kind}`, content, secret).subarray(0, sealBytes)]).toString('base64url');
  const part = (purpose: string, text: string, secret?: string): Buffer =>
    mac(purpose, text, secret).subarray(0, nonceBytes);
  const contentOf = (kind: TokenKind, text: string): Buffer =>
    Buffer.from(text.slice(kinds[kind].prefix.length), 'base64url');
  const withId = (id: string): Buffer => Buffer.concat([Buffer.from(id, 'hex'), randomBytes(nonceBytes)]);
  return {
    newAccess: () => sealed('access', randomBytes(nonceBytes)),
    newRefresh: (session) => sealed('refresh', withId(session)),
    newNamed: (id) => sealed('named', withId(id)),
    keys: (user, salt) => secrets.map((secret) => sealed('key', part('apikey', `${user}:${salt}`, secret), secret)),
    successors(refresh) {
      const session = contentOf('refresh', refresh).subarray(0, idBytes);
      return {
        token: sealed('access', part('next token', refresh)),
        refresh: sealed('refresh', Buffer.concat([session, part('next refresh token', refresh)])),
      };
    },
    isGenuine(kind, text): text is string {
      const { prefix, bytes } = kinds[kind];
      const length = ((bytes + sealBytes) * 4) / 3;
      if (typeof text !== 'string' || text.length !== prefix.length + length || !text.startsWith(prefix)) return false;
      const all = contentOf(kind, text);
      // the length leaves no spare bits, so that each token has one spelling
      if (all.length !== bytes + sealBytes || all.toString('base64url') !== text.slice(prefix.length)) return false;
      const [content, seal] = [all.subarray(0, bytes), all.subarray(bytes)];
      return secrets.some((secret) =>
        timingSafeEqual(mac(`seal ${kind}`, content, secret).subarray(0, sealBytes), seal),
      );
    },
    idIn: (kind, text) => contentOf(kind, text).subarray(0, idBytes).toString('hex'),
    fingerprint: (of, text) => mac(of, text ?? '').toString('base64url'),
    isFingerprint: (of, text, stored) =>
      secrets.some((secret) => mac(of, text ?? '', secret).toString('base64url') === stored),
  };
}

/** Whether a text claims to be an API key, permanent or named. */
export const isKey = (text: string): boolean => [kinds.key, kinds.named].some(({ prefix }) => text.startsWith(prefix));

/** The stored form of a token or key. Their randomness makes a plain digest safe: it cannot be reversed by search. */
export const digest = (token: string): string => hash('sha256', token, 'base64url');

export const newSalt = (): string => randomBytes(16).toString('base64url');
