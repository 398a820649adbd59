/** The settings of signing in: the secret, lifetimes of tokens, sessions and passwords. One row each, as in `table.ts`. */
import type { SettingRow } from './row.ts';

/** In seconds; it keeps dates within the range of JavaScript. */
const century = 3153600000;

export const signInRows = [
  {
    variable: 'SHARED_SECRET',
    key: 'shared_secret',
    kind: 'secret',
    default: undefined,
    min: 1,
    meaning: 'Signs JWTs and derives API keys; required in production, with at least 16 characters',
  },
  {
    variable: 'TOKEN_EXPIRY',
    key: 'token_expiry',
    kind: 'seconds',
    default: '86400',
    min: 1,
    max: century,
    meaning: 'Lifetime of bearer tokens in seconds',
  },
  {
    variable: 'REFRESH_TOKEN_EXPIRY',
    key: 'refresh_token_expiry',
    kind: 'seconds',
    default: '2592000',
    min: 1,
    max: century,
    meaning: 'Lifetime of refresh tokens in seconds',
  },
  {
    variable: 'JWT_EXPIRY',
    key: 'jwt_expiry',
    kind: 'seconds',
    default: '172800',
    min: 1,
    max: century,
    meaning: 'Lifetime of JWTs in seconds',
  },
  {
    variable: 'RECOVERY_EXPIRY',
    key: 'recovery_expiry',
    kind: 'seconds',
    default: '3600',
    min: 1,
    max: century,
    meaning: 'Lifetime of the links in recovery mails in seconds',
  },
  {
    variable: 'MAX_SESSIONS',
    key: 'max_sessions',
    kind: 'count',
    default: '1',
    min: 1,
    max: 1000,
    meaning: 'Maximum number of concurrent sessions of a user',
  },
  {
    variable: 'REFRESH_GRACE',
    key: 'refresh_grace',
    kind: 'seconds',
    default: '10',
    meaning: 'Seconds during which a used refresh token returns the same successors again',
  },
  {
    variable: 'BCRYPT_COST',
    key: 'bcrypt_cost',
    kind: 'count',
    default: '10',
    min: 4,
    max: 15,
    meaning: 'Cost of password hashes; 10 to 15 in production',
  },
  {
    variable: 'PASSWORD_MIN_LENGTH',
    key: 'password_min_length',
    kind: 'count',
    default: '1',
    min: 1,
    max: 72,
    meaning: 'Minimum length of a password in characters',
  },
  {
    variable: 'AUDIT_DAYS',
    key: 'audit_days',
    kind: 'count',
    default: '90',
    max: 36500,
    meaning: 'Days for which records of the audit log are kept; 0 keeps them without a limit',
  },
] as const satisfies readonly SettingRow[];
