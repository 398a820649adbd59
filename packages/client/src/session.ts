/** The session of a client: its tokens, where they are stored, and their renewal, which all requests share. */
import { DossierError } from './error.ts';
import { unlessAborted } from './wait.ts';

/** The part of a Web Storage (WHATWG HTML, 12.2) that the client uses. */
export interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/** The tokens of a session, as `/login` and `/refresh` answer them. */
export interface Tokens {
  readonly user_id: string;
  readonly token: string;
  readonly token_expires: string;
  readonly refresh_token: string;
  readonly refresh_token_expires: string;
}

/** A storage that lasts as long as the client. */
export function memory(): WebStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

export class Session {
  #refreshing: Promise<boolean> | undefined;

  /**
   * @param refresh exchanges a refresh token @param changed is called when the user signs in or out here
   */
  constructor(
    readonly storage: WebStorage,
    readonly key: string,
    readonly refresh: (token: string) => Promise<Tokens>,
    readonly changed: () => void,
  ) {}

  /** The tokens as they are stored now, which another tab may have changed. */
  get tokens(): Tokens | undefined {
    const text = this.storage.getItem(this.key);
    if (text === null) return undefined;
    try {
      const tokens = JSON.parse(text) as Partial<Tokens> | null;
      return typeof tokens?.token === 'string' && typeof tokens.refresh_token === 'string'
        ? (tokens as Tokens)
        : undefined;
    } catch {
      return undefined;
    }
  }

  /** Begins a session, or ends it here. */
  set(tokens: Tokens | undefined): void {
    const before = this.tokens?.user_id;
    if (tokens === undefined) this.storage.removeItem(this.key);
    else {
      // the API key, which does not expire, is not stored
      const { user_id, token, token_expires, refresh_token, refresh_token_expires } = tokens;
      const kept: Tokens = { user_id, token, token_expires, refresh_token, refresh_token_expires };
      this.storage.setItem(this.key, JSON.stringify(kept));
    }
    if (before !== tokens?.user_id) this.changed();
  }

  /** The access token, renewed where it has expired; undefined without a session. */
  async token(signal?: AbortSignal): Promise<string | undefined> {
    const { tokens } = this;
    if (tokens === undefined) return undefined;
    if (Date.parse(tokens.token_expires) <= Date.now()) await this.renew(tokens.token, signal);
    return this.tokens?.token;
  }

  /**
   * Renews the tokens after the server has refused one. All requests share one renewal.
   * @returns whether there is another token now
   */
  async renew(refused: string, signal?: AbortSignal): Promise<boolean> {
    const { tokens } = this;
    if (tokens === undefined) return false;
    // another request or another tab was faster
    if (tokens.token !== refused) return true;
    this.#refreshing ??= this.#renew(tokens).finally(() => (this.#refreshing = undefined));
    return unlessAborted(this.#refreshing, signal);
  }

  async #renew(before: Tokens): Promise<boolean> {
    const isSame = (): boolean => this.tokens?.refresh_token === before.refresh_token;
    try {
      const after = await this.refresh(before.refresh_token);
      // the user may have signed out, or in as another user, in the meantime
      if (isSame()) this.set(after);
    } catch (error) {
      if (!(error instanceof DossierError) || error.status !== 401) throw error;
      if (isSame()) this.set(undefined);
    }
    return this.tokens !== undefined;
  }

  /** Resolves when no renewal is under way. */
  async settled(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
  }
}
