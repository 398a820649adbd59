/** The authentication state of one connection. */
import { StoreError } from 'dossier-language/errors';
import { beginExchange, type Credentials, type Exchange, mechanism } from './scram.ts';

/** Failed sign-ins after which a connection ends. */
const maxFailures = 3;

/** The database of the account, as in MongoDB. */
export const accountDatabase = 'admin';

/** The arguments of `saslStart`. */
export interface Opening {
  readonly db: string;
  readonly mechanism: string;
  readonly payload: string;
  /** The client skips the empty message at the end of the exchange. */
  readonly skipsEmpty: boolean;
}

/** The server's next message. */
export interface Step {
  readonly payload: string;
  readonly done: boolean;
}

const failed = (): StoreError => new StoreError(18, 'Authentication failed.');

/** The authentication of one connection. */
export class Login {
  readonly #credentials: Credentials | undefined;
  #exchange: { readonly exchange: Exchange; readonly skipsEmpty: boolean } | undefined;
  /** The password was verified; the client still sends an empty message. */
  #proven = false;
  #signedIn = false;
  #failures = 0;

  /** @param credentials the store's account; without it no client needs to authenticate */
  constructor(credentials: Credentials | undefined) {
    this.#credentials = credentials;
  }

  /** Whether the store has an account. */
  get possible(): boolean {
    return this.#credentials !== undefined;
  }

  /** Whether the connection must authenticate first. */
  get needed(): boolean {
    return this.possible && !this.#signedIn;
  }

  /** The authenticated user. */
  get user(): string | undefined {
    return this.#signedIn ? this.#credentials?.user : undefined;
  }

  /** Whether the connection has failed too often. */
  get exhausted(): boolean {
    return this.#failures >= maxFailures;
  }

  /**
   * Answers the first message of an exchange.
   * @throws StoreError 18 for an invalid SCRAM message, 334 for another mechanism
   */
  begin(opening: Opening): Step {
    this.#forget();
    if (opening.mechanism !== mechanism) {
      throw new StoreError(334, `the mechanism ${opening.mechanism} is not supported; use ${mechanism}`);
    }
    const known = opening.db === accountDatabase;
    const exchange = this.#credentials && beginExchange(this.#credentials, opening.payload, known);
    if (exchange === undefined) throw this.#fail();
    this.#exchange = { exchange, skipsEmpty: opening.skipsEmpty };
    return { payload: exchange.first, done: false };
  }

  /** Answers the next message of an exchange. @throws StoreError 18 for a wrong proof, 17 if no exchange has begun */
  proceed(payload: string): Step {
    if (this.#proven && payload === '') return this.#finish('');
    const begun = this.#exchange;
    this.#forget();
    if (begun === undefined) throw new StoreError(17, 'no authentication has begun on this connection');
    const final = begun.exchange.finish(payload);
    if (final === undefined) throw this.#fail();
    if (begun.skipsEmpty) return this.#finish(final);
    this.#proven = true;
    return { payload: final, done: false };
  }

  /** Signs out. */
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
