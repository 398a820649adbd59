/**
 * Where the session is kept: the access token in memory, the refresh token in the storage of each tab, so that a reload keeps it and that
 * closing the tabs ends it. The tabs of a browser share one session by messages. Of two tabs, one renews it and the other takes the tokens:
 * the server ends a session whose replaced refresh token comes again.
 */
import { DossierError, type Tokens, type WebStorage } from 'dossier-client';

type Kept = Pick<Tokens, 'user_id' | 'refresh_token' | 'refresh_token_expires'>;

/** What tabs send to each other. */
export type TabMessage =
  /** Asks for the session. */
  | { readonly is: 'ask' }
  /** An answer, and a report of a session that has begun or was renewed. */
  | { readonly is: 'tokens'; readonly tokens: Tokens }
  | { readonly is: 'signed out'; readonly user: string };

/** Reaches the other tabs of this origin. */
interface TabChannel {
  postMessage(message: TabMessage): void;
  addEventListener(name: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

interface TabSharing {
  readonly channel: TabChannel;
  /** The storage of all tabs: it states which tokens are the latest, and has no token. */
  readonly all: Storage;
  /** Runs work while no other tab does. */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
  /** Is called when this tab has received the tokens of another one. */
  readonly received: () => void;
  /** Is called when the user has signed out in another tab. */
  readonly signedOut: () => void;
}

/** Milliseconds for which a tab waits for the others. They answer at once, unless the browser has them asleep. */
const patience = 500;

/** Tokens without an access token that is valid; the client renews it before the first request. */
const renewable = (kept: Kept): Tokens => ({ ...kept, token: '', token_expires: new Date(0).toISOString() });

function parsed<Value>(text: string | null): Value | undefined {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}

export class TabStorage implements WebStorage {
  #memory: Tokens | undefined;
  readonly #waiting = new Set<() => void>();

  /** @param name of the items, and of the session: that of one server @param tab the storage of this tab */
  constructor(
    readonly name: string,
    readonly tab: Storage,
    readonly sharing: TabSharing,
  ) {
    sharing.channel.addEventListener('message', ({ data }) => this.#receive(data as TabMessage));
  }

  get tokens(): Tokens | undefined {
    const kept = this.#kept;
    return this.#memory ?? (kept === undefined ? undefined : renewable(kept));
  }

  getItem(): string | null {
    const { tokens } = this;
    return tokens === undefined ? null : JSON.stringify(tokens);
  }

  setItem(_key: string, value: string): void {
    const tokens = JSON.parse(value) as Tokens;
    this.#keep(tokens);
    const { user_id, refresh_token_expires } = tokens;
    this.#inAll((all, item) => all.setItem(item, JSON.stringify({ user_id, refresh_token_expires })));
    this.sharing.channel.postMessage({ is: 'tokens', tokens });
  }

  removeItem(): void {
    this.#memory = undefined;
    this.tab.removeItem(this.name);
  }

  renewing(renew: () => Promise<void>): Promise<void> {
    return this.sharing.alone(async () => {
      if (this.#isReplaced()) await this.ask();
      if (this.#isReplaced()) throw new DossierError(401, { err: 'another tab has renewed the session' });
      await renew();
    });
  }

  /** Whether another tab may have a session. */
  get mayBeShared(): boolean {
    return this.#kept === undefined && this.#latest() !== undefined;
  }

  /** Asks the other tabs for their session. Resolves when one has answered, or does not soon. */
  async ask(): Promise<void> {
    const answered = new Promise<void>((done) => this.#waiting.add(done));
    const { channel } = this.sharing;
    channel.postMessage({ is: 'ask' });
    await Promise.race([answered, new Promise((done) => setTimeout(done, patience))]);
  }

  /** Reports that a user has signed out here. */
  signOut(user: string): void {
    this.#inAll((all, item) => all.removeItem(item));
    this.sharing.channel.postMessage({ is: 'signed out', user });
  }

  /** What this tab stores. */
  get #kept(): Kept | undefined {
    return parsed<Kept>(this.tab.getItem(this.name));
  }

  #keep(tokens: Tokens): void {
    const { user_id, refresh_token, refresh_token_expires } = tokens;
    this.#memory = tokens;
    this.tab.setItem(this.name, JSON.stringify({ user_id, refresh_token, refresh_token_expires } satisfies Kept));
  }

  #receive(message: TabMessage): void {
    const { tokens } = this;
    if (message.is === 'ask') {
      if (tokens !== undefined && !this.#isReplaced()) this.sharing.channel.postMessage({ is: 'tokens', tokens });
    } else if (message.is === 'signed out') {
      if (tokens?.user_id === message.user) this.sharing.signedOut();
    } else if (this.#isNewer(message.tokens)) {
      this.#keep(message.tokens);
      for (const done of this.#waiting) done();
      this.#waiting.clear();
      this.sharing.received();
    }
  }

  /** Whether tokens of another tab replace those of this one: another user may have signed in there. */
  #isNewer({ user_id, refresh_token, refresh_token_expires }: Tokens): boolean {
    const kept = this.#kept;
    if (kept === undefined) return true;
    const latest = this.#latest();
    return (
      kept.user_id === user_id &&
      kept.refresh_token !== refresh_token &&
      (latest?.user_id !== user_id || latest.refresh_token_expires === refresh_token_expires)
    );
  }

  /** Whether another tab has renewed the session of this one, or its user has signed in there. */
  #isReplaced(): boolean {
    const kept = this.#kept;
    const latest = this.#latest();
    return (
      kept !== undefined &&
      latest?.user_id === kept.user_id &&
      latest.refresh_token_expires !== kept.refresh_token_expires
    );
  }

  #latest(): Omit<Kept, 'refresh_token'> | undefined {
    return this.#inAll((all, item) => parsed(all.getItem(item)));
  }

  /** Uses the storage of all tabs, which a browser may refuse. */
  #inAll<Value>(use: (all: Storage, item: string) => Value): Value | undefined {
    try {
      return use(this.sharing.all, `${this.name} latest`);
    } catch {
      return undefined;
    }
  }
}
