/**
 * Where the session is kept: the access token in memory, the refresh token in this tab's storage, so that a reload keeps it. A tab that was
 * opened from another begins with the same tokens: it receives those that follow, since the server ends a session whose replaced refresh
 * token comes again.
 */
import type { Tokens, WebStorage } from 'dossier-client';

type Kept = Pick<Tokens, 'user_id' | 'refresh_token' | 'refresh_token_expires'>;

/** What tabs of one session report to each other. */
interface Renewed {
  readonly key: string;
  /** The refresh token that was replaced. */
  readonly before: string;
  readonly tokens: Tokens;
}

/** Reaches the other tabs of this origin. */
export interface TabChannel {
  postMessage(message: Renewed): void;
  addEventListener(name: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

/** Tokens without an access token that is valid; the client renews it before the first request. */
function renewable(text: string | null): string | null {
  const kept = keptIn(text);
  if (kept === undefined) return null;
  return JSON.stringify({ ...kept, token: '', token_expires: new Date(0).toISOString() } satisfies Tokens);
}

function keptIn(text: string | null): Kept | undefined {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as Kept;
  } catch {
    return undefined;
  }
}

export function tabStorage(tab: Storage, channel?: TabChannel): WebStorage {
  const memory = new Map<string, string>();
  const keep = (key: string, tokens: Tokens): void => {
    const { user_id, refresh_token, refresh_token_expires } = tokens;
    memory.set(key, JSON.stringify(tokens));
    tab.setItem(key, JSON.stringify({ user_id, refresh_token, refresh_token_expires } satisfies Kept));
  };
  channel?.addEventListener('message', ({ data }) => {
    const { key, before, tokens } = data as Renewed;
    if (keptIn(tab.getItem(key))?.refresh_token === before) keep(key, tokens);
  });
  return {
    getItem: (key) => memory.get(key) ?? renewable(tab.getItem(key)),
    setItem(key, value) {
      const before = keptIn(tab.getItem(key));
      const tokens = JSON.parse(value) as Tokens;
      keep(key, tokens);
      if (before !== undefined && before.user_id === tokens.user_id && before.refresh_token !== tokens.refresh_token)
        channel?.postMessage({ key, before: before.refresh_token, tokens });
    },
    removeItem(key) {
      memory.delete(key);
      tab.removeItem(key);
    },
  };
}
