/** Creates tokens and keys, distinguishes them from guesses, and computes the digests that are stored in their place. */
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../adapters/sealing.ts';
import type { TokenKind } from '../contract.ts';

/** A token consists of 144 random bits and a 144-bit seal, which proves that this server created it. */
const nonceBytes = 18;
const sealBytes = 18;
/** The id of a document precedes the nonce of some tokens. */
const idBytes = 12;

export const tokenKinds = {
  access: {
    name: 'access',
    prefix: 'da_',
    hasId: false,
    method: 'token',
    refusal: 'the token is not valid or has expired',
  },
  /** With the id of its session. */
  refresh: {
    name: 'refresh',
    prefix: 'dr_',
    hasId: true,
    method: 'token',
    refusal: 'the refresh token is not valid or has expired',
  },
  /** The permanent key of a user. */
  key: {
    name: 'key',
    prefix: 'dk_',
    hasId: false,
    method: 'apikey',
    refusal: 'the API key is not valid or has expired',
  },
} as const satisfies Readonly<Record<string, TokenKind>>;

/** The values that have fingerprints. */
type Printed = 'password' | 'email' | 'address';

export interface Tokens {
  newAccess(): string;
  /** A token of a kind with an id. @param id of the document, 24 hexadecimal digits */
  newWithId(kind: TokenKind, id: string): string;
  /**
   * The API key of a user under each of the secrets, the newest first. It is derived, so that each login can return it although only
   * its digest is stored.
   */
  keys(user: string, salt: string): readonly string[];
  /** The successors of a refresh token. They are derived from it, so that concurrent callers get the same ones. */
  successors(refresh: string): { readonly token: string; readonly refresh: string };
  /** Whether a server with this secret has ever created the token; any other text is a guess. */
  isGenuine(kind: TokenKind, text: unknown): text is string;
  /** The id in a genuine token of a kind with one. */
  idIn(kind: TokenKind, text: string): string;
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
    kind.prefix +
    Buffer.concat([content, mac(`seal ${kind.name}`, content, secret).subarray(0, sealBytes)]).toString('base64url');
  const part = (purpose: string, text: string, secret?: string): Buffer =>
    mac(purpose, text, secret).subarray(0, nonceBytes);
  const contentOf = (kind: TokenKind, text: string): Buffer => Buffer.from(text.slice(kind.prefix.length), 'base64url');
  const withId = (id: string): Buffer => Buffer.concat([Buffer.from(id, 'hex'), randomBytes(nonceBytes)]);
  return {
    newAccess: () => sealed(tokenKinds.access, randomBytes(nonceBytes)),
    newWithId: (kind, id) => sealed(kind, withId(id)),
    keys: (user, salt) =>
      secrets.map((secret) => sealed(tokenKinds.key, part('apikey', `${user}:${salt}`, secret), secret)),
    successors(refresh) {
      const session = contentOf(tokenKinds.refresh, refresh).subarray(0, idBytes);
      return {
        token: sealed(tokenKinds.access, part('next token', refresh)),
        refresh: sealed(tokenKinds.refresh, Buffer.concat([session, part('next refresh token', refresh)])),
      };
    },
    isGenuine(kind, text): text is string {
      const { name, prefix, hasId } = kind;
      const bytes = hasId ? idBytes + nonceBytes : nonceBytes;
      const length = ((bytes + sealBytes) * 4) / 3;
      if (typeof text !== 'string' || text.length !== prefix.length + length || !text.startsWith(prefix)) return false;
      const all = contentOf(kind, text);
      // the length leaves no spare bits, so that each token has one spelling
      if (all.length !== bytes + sealBytes || all.toString('base64url') !== text.slice(prefix.length)) return false;
      const [content, seal] = [all.subarray(0, bytes), all.subarray(bytes)];
      return secrets.some((secret) =>
        timingSafeEqual(mac(`seal ${name}`, content, secret).subarray(0, sealBytes), seal),
      );
    },
    idIn: (kind, text) => contentOf(kind, text).subarray(0, idBytes).toString('hex'),
    fingerprint: (of, text) => mac(of, text ?? '').toString('base64url'),
    isFingerprint: (of, text, stored) =>
      secrets.some((secret) => mac(of, text ?? '', secret).toString('base64url') === stored),
  };
}

/** Whether a text claims to be a token or key of a kind. */
export const claimsToBe = ({ prefix }: TokenKind, text: string): boolean => text.startsWith(prefix);

/** The stored form of a token or key. Their randomness makes a plain digest safe: it cannot be reversed by search. */
export const digest = (token: string): string => hash('sha256', token, 'base64url');

export const newSalt = (): string => randomBytes(16).toString('base64url');
