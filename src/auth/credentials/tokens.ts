/** Tokens and keys: how they are made, how ours are told from guesses, and the digests that are stored in their place. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** 144 bits that cannot be guessed, and 144 that tell that this server made them. */
const nonceBytes = 18;
const sealBytes = 18;
/** The session's id, in front of a refresh token's nonce. */
const sessionBytes = 12;

const kinds = {
  access: { prefix: 'da_', bytes: nonceBytes },
  refresh: { prefix: 'dr_', bytes: sessionBytes + nonceBytes },
  key: { prefix: 'dk_', bytes: nonceBytes },
} as const;
export type TokenKind = keyof typeof kinds;

/** What follows a refresh token: always the same for the same token, so that two callers at once get the same. */
interface Successors {
  readonly token: string;
  readonly refresh: string;
}

export interface Tokens {
  newAccess(): string;
  /** @param session its id, 24 hexadecimal digits */
  newRefresh(session: string): string;
  /** The API key of a user: derived, so that each login can tell it though only its digest is stored. */
  key(user: string, salt: string): string;
  successors(refresh: string): Successors;
  /** Whether this server, or one with the same secret, made it, at some time; anything else is a guess. */
  genuine(kind: TokenKind, text: unknown): text is string;
  /** The id of the session that a genuine refresh token belongs to. */
  sessionOf(refresh: string): string;
  /** A mark of a password hash or an email: equal for equal texts, and of no use for anything else. */
  mark(of: 'password' | 'email', text: string | undefined): string;
}

export function makeTokens(secret: string): Tokens {
  const mac = (purpose: string, text: string | Buffer): Buffer =>
    createHmac('sha256', secret).update(`${purpose}:`).update(text).digest();
  const sealed = (kind: TokenKind, content: Buffer): string =>
    kinds[kind].prefix +
    Buffer.concat([content, mac(`seal ${kind}`, content).subarray(0, sealBytes)]).toString('base64url');
  const part = (purpose: string, text: string): Buffer => mac(purpose, text).subarray(0, nonceBytes);
  const contentOf = (kind: TokenKind, text: string): Buffer =>
    Buffer.from(text.slice(kinds[kind].prefix.length), 'base64url');
  return {
    newAccess: () => sealed('access', randomBytes(nonceBytes)),
    newRefresh: (session) => sealed('refresh', Buffer.concat([Buffer.from(session, 'hex'), randomBytes(nonceBytes)])),
    key: (user, salt) => sealed('key', part('apikey', `${user}:${salt}`)),
    successors(refresh) {
      const session = contentOf('refresh', refresh).subarray(0, sessionBytes);
      return {
        token: sealed('access', part('next token', refresh)),
        refresh: sealed('refresh', Buffer.concat([session, part('next refresh token', refresh)])),
      };
    },
    genuine(kind, text): text is string {
      const { prefix, bytes } = kinds[kind];
      const length = ((bytes + sealBytes) * 4) / 3;
      if (typeof text !== 'string' || text.length !== prefix.length + length || !text.startsWith(prefix)) return false;
      const all = contentOf(kind, text);
      // the length leaves no spare bits, so that each token has one spelling
      if (all.length !== bytes + sealBytes || all.toString('base64url') !== text.slice(prefix.length)) return false;
      const seal = mac(`seal ${kind}`, all.subarray(0, bytes)).subarray(0, sealBytes);
      return timingSafeEqual(seal, all.subarray(bytes));
    },
    sessionOf: (refresh) => contentOf('refresh', refresh).subarray(0, sessionBytes).toString('hex'),
    mark: (of, text) => mac(of, text ?? '').toString('base64url'),
  };
}

/** What is stored of a token or key. They have bits enough that a plain digest cannot be searched backwards. */
export const digest = (token: string): string => createHash('sha256').update(token).digest('base64url');

export const newSalt = (): string => randomBytes(16).toString('base64url');
