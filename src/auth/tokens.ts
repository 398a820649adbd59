/** Tokens and keys: how they are made, and the digests that are stored in their place. */
import { createHash, createHmac, randomBytes } from 'node:crypto';

/** 192 bits, as 32 characters of Base64url with a prefix that tells its kind. */
const bytes = 24;

export type TokenKind = 'access' | 'refresh' | 'key';
const prefixes: Readonly<Record<TokenKind, string>> = { access: 'da_', refresh: 'dr_', key: 'dk_' };

/** A new random token. */
export const newToken = (kind: 'access' | 'refresh'): string =>
  prefixes[kind] + randomBytes(bytes).toString('base64url');

/** What is stored of a token or key. They have bits enough that a plain digest cannot be searched backwards. */
export const digest = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** A text that could be a token of this kind; anything else need not be looked up. */
export const looksLike = (kind: TokenKind, text: unknown): text is string =>
  typeof text === 'string' && text.startsWith(prefixes[kind]) && /^[A-Za-z0-9_-]{35}$/.test(text);

/** The API key of a user: derived, so that each login can tell it though only its digest is stored. */
export const derivedKey = (secret: string, user: string, salt: string): string =>
  prefixes.key +
  createHmac('sha256', secret).update(`apikey:${user}:${salt}`).digest().subarray(0, bytes).toString('base64url');

export const newSalt = (): string => randomBytes(16).toString('base64url');
