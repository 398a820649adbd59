/** A stored session: what a token finds of it, and the parts that its user sees. */
import type { Row } from '../../models/mongoose.ts';
import type { Settings } from '../../settings/types.ts';
import type { SessionClient } from '../contract.ts';
import { digest } from '../credentials/tokens.ts';
import type { LoginResult, SessionAnswer } from './contract.ts';

/** A session that is valid. */
export interface FoundSession {
  readonly id: string;
  readonly user: string;
  readonly epoch: number;
  /** When its access token expires. */
  readonly expires: Date;
  /** When it ends unless it is used again; not after `expires`. */
  readonly until: Date;
  /** Id of the admin who began it as the user. */
  readonly by: string | undefined;
}

/** Maximum characters of the User-Agent header that are stored. */
const maxAgent = 300;

/** The stored form of the client that begins a session. An IPv4-mapped IPv6 address is stored as the IPv4 address. */
export const storedClient = ({ ip, agent }: SessionClient): Row => ({
  address: ip.replace(/^::ffff:(?=\d+\.)/i, ''),
  agent: agent?.slice(0, maxAgent) ?? null,
});

export const sessionAnswer = (row: Row, lastUsed: Date | undefined): SessionAnswer => ({
  id: String(row['_id']),
  created_at: row['createdAt'] instanceof Date ? row['createdAt'] : null,
  last_used_at: lastUsed ?? null,
  address: typeof row['address'] === 'string' ? row['address'] : null,
  agent: typeof row['agent'] === 'string' ? row['agent'] : null,
});

export type NewSession = Omit<LoginResult, 'user_id' | 'apikey'>;

/** The stored form of two new tokens, and the form that the caller receives. */
export function newTokens(
  at: Date,
  { token, refresh }: { readonly token: string; readonly refresh: string },
  { token_expiry, refresh_token_expiry }: Settings,
): { stored: Row; returned: NewSession } {
  const token_expires = new Date(at.getTime() + token_expiry * 1000);
  const refresh_token_expires = new Date(at.getTime() + refresh_token_expiry * 1000);
  return {
    stored: { token_digest: digest(token), refresh_digest: digest(refresh), token_expires, refresh_token_expires },
    returned: {
      token,
      token_expires: token_expires.toISOString(),
      refresh_token: refresh,
      refresh_token_expires: refresh_token_expires.toISOString(),
    },
  };
}
