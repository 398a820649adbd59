/** The two tokens of a session: what is stored of them, and what the caller receives. */
import type { Row } from '../../models/mongoose.ts';
import type { Settings } from '../../settings/types.ts';
import { digest } from '../credentials/tokens.ts';
import type { LoginResult } from './contract.ts';

export type NewSession = Omit<LoginResult, 'user_id' | 'apikey'>;

/** The stored form of two new tokens, and the form that the caller receives. */
export function madeAt(
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
