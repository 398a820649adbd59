/** Where the session is kept: the access token in memory, the refresh token in this tab's storage, so that a reload keeps it. */
import type { Tokens, WebStorage } from 'dossier-client';

type Kept = Pick<Tokens, 'user_id' | 'refresh_token' | 'refresh_token_expires'>;

/** Tokens without an access token that is valid; the client renews it before the first request. */
function renewable(text: string | null): string | null {
  if (text === null) return null;
  try {
    const kept = JSON.parse(text) as Kept;
    return JSON.stringify({ ...kept, token: '', token_expires: new Date(0).toISOString() } satisfies Tokens);
  } catch {
    return null;
  }
}

export function tabStorage(tab: Storage): WebStorage {
  const memory = new Map<string, string>();
  return {
    getItem: (key) => memory.get(key) ?? renewable(tab.getItem(key)),
    setItem(key, value) {
      const { user_id, refresh_token, refresh_token_expires } = JSON.parse(value) as Tokens;
      memory.set(key, value);
      tab.setItem(key, JSON.stringify({ user_id, refresh_token, refresh_token_expires } satisfies Kept));
    },
    removeItem(key) {
      memory.delete(key);
      tab.removeItem(key);
    },
  };
}
