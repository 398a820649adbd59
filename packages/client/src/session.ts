/** The session of a client: its tokens, where they are stored, and their renewal, which all requests share. */
import { DossierError } from './error.ts';
import { unlessAborted } from './wait.ts';

/** The part of a Web Storage (WHATWG HTML, 12.2) that the client uses. */
export interface WebStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
  /**
   * Runs a renewal of the tokens. A storage that tabs share by other means than those of the browser can wait until no other tab renews
   * them, and for the tokens that it gets: the renewal then does nothing.
   * @throws DossierError 401 where the session cannot be renewed
   */
  renewing?(renew: () => Promise<void>): Promise<void>;
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

/** What a session does outside itself. */
interface SessionActs {
  /** Exchanges a refresh token. @throws DossierError 401 where the session has ended */
  readonly refresh: (token: string) => Promise<Tokens>;
  /** Is called when the user signs in or out here. */
  readonly changed: () => void;
  /** Is called when the server has ended the session, which is removed afterwards unless another one has begun. */
  readonly ended: (() => Promise<void>) | undefined;
}

export class Session {
  #refreshing: Promise<boolean> | undefined;

  constructor(
    readonly storage: WebStorage,
    readonly key: string,
    readonly acts: SessionActs,
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
    if (before !== tokens?.user_id) this.acts.changed();
  }

  /** The access token, renewed where it has expired; undefined without a session. */
  async token(signal?: AbortSignal): Promise<string | undefined> {
    const { tokens } = this;
    if (tokens === undefined) return undefined;
    if (Date.parse(tokens.token_expires) <= Date.now()) await this.renew(tokens.token, signal);
    // what one user has asked for is not sent as another one
    return this.tokens?.user_id === tokens.user_id ? this.tokens.token : undefined;
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
    const renew = async (): Promise<void> => {
      if (!isSame()) return;
      const after = await this.acts.refresh(before.refresh_token);
      // the user may have signed out, or in as another user, in the meantime
      if (isSame()) this.set(after);
    };
    try {
      await (this.storage.renewing?.(renew) ?? renew());
    } catch (error) {
      if (!(error instanceof DossierError) || error.status !== 401) throw error;
      if (isSame()) await this.acts.ended?.();
      if (isSame()) this.set(undefined);
    }
    return this.tokens?.user_id === before.user_id;
  }

  /** Resolves when no renewal is under way. */
  async settled(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
  }
}
