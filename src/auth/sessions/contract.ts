/** The interfaces of sessions for the rest of the server. */

export interface LoginResult {
  readonly user_id: string;
  readonly apikey?: string;
  readonly token: string;
  readonly token_expires: string;
  readonly refresh_token: string;
  readonly refresh_token_expires: string;
}

/** A session as its user sees it; parts that older sessions lack are null. */
export interface SessionAnswer {
  readonly id: string;
  readonly created_at: Date | null;
  /** Right to a minute. */
  readonly last_used_at: Date | null;
  /** The address and the User-Agent header of the login. */
  readonly address: string | null;
  readonly agent: string | null;
}

/** The sessions of users. What ends is refused at the next request, and its open connections are closed. */
export interface SessionList {
  /** The sessions of a user, the newest first. */
  list(user: string): Promise<readonly SessionAnswer[]>;
  /** When sessions of users were last used, right to a minute, by the ids of the users. */
  lastUses(users: readonly string[]): Promise<ReadonlyMap<string, Date>>;
  /** @returns false when the user has no such session */
  end(user: string, id: string): Promise<boolean>;
  /** Ends all sessions of a user. @param except the one that continues */
  endAll(user: string, except: string | undefined): Promise<void>;
}
