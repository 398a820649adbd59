/** Who a connection is: anybody where the store has no account, else nobody until it has proven a password. */
import { StoreError } from 'dossier-language/errors';
import { beginExchange, mechanism, type Credentials, type Exchange } from './scram.ts';

/** Failed sign-ins after which a connection ends. */
const mostFailures = 3;

/** The database that the account belongs to, as in MongoDB. */
export const accountDatabase = 'admin';

/** What `saslStart` brings. */
export interface Opening {
  readonly db: string;
  readonly mechanism: string;
  readonly payload: string;
  /** The client doesn't want to send an empty message after the last one. */
  readonly skipsEmpty: boolean;
}

/** The server's next message. */
export interface Step {
  readonly payload: string;
  readonly done: boolean;
}

const failed = (): StoreError => new StoreError(18, 'Authentication failed.');

/** The sign-in of one connection. */
export class Login {
  readonly #credentials: Credentials | undefined;
  #exchange: { readonly exchange: Exchange; readonly skipsEmpty: boolean } | undefined;
  /** The password was proven; an empty message is still to come. */
  #proven = false;
  #signedIn = false;
  #failures = 0;

  /** @param credentials the store's account; without one nobody needs to sign in */
  constructor(credentials: Credentials | undefined) {
    this.#credentials = credentials;
  }

  /** Whether the store has an account. */
  get possible(): boolean {
    return this.#credentials !== undefined;
  }

  /** Whether the connection has to sign in before anything else. */
  get needed(): boolean {
    return this.possible && !this.#signedIn;
  }

  /** Who has signed in. */
  get user(): string | undefined {
    return this.#signedIn ? this.#credentials?.user : undefined;
  }

  /** Whether the connection has failed too often. */
  get exhausted(): boolean {
    return this.#failures >= mostFailures;
  }

  /**
   * The answer to a first message.
   * @throws StoreError 18 for one that is not SCRAM, 334 for another mechanism
   */
  begin(opening: Opening): Step {
    this.#forget();
    if (opening.mechanism !== mechanism) {
      throw new StoreError(334, `the mechanism ${opening.mechanism} is not enabled; there is ${mechanism}`);
    }
    const known = opening.db === accountDatabase;
    const exchange = this.#credentials && beginExchange(this.#credentials, opening.payload, known);
    if (exchange === undefined) throw this.#fail();
    this.#exchange = { exchange, skipsEmpty: opening.skipsEmpty };
    return { payload: exchange.first, done: false };
  }

  /**
   * The answer to a further message.
   * @throws StoreError 18 when the proof is wrong, 17 when no sign-in has begun
   */
  proceed(payload: string): Step {
    if (this.#proven && payload === '') return this.#finish('');
    const begun = this.#exchange;
    this.#forget();
    if (begun === undefined) throw new StoreError(17, 'no sign-in has begun on this connection');
    const final = begun.exchange.finish(payload);
    if (final === undefined) throw this.#fail();
    if (begun.skipsEmpty) return this.#finish(final);
    this.#proven = true;
    return { payload: final, done: false };
  }

  /** Nobody again. */
  end(): void {
    this.#forget();
    this.#signedIn = false;
  }

  #finish(payload: string): Step {
    this.#forget();
    this.#signedIn = true;
    return { payload, done: true };
  }

  #forget(): void {
    this.#exchange = undefined;
    this.#proven = false;
  }

  #fail(): StoreError {
    this.#failures += 1;
    return failed();
  }
}
