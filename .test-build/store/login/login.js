/** Who a connection is: anybody where the store has no account, else nobody until it has proven a password. */ import { StoreError } from "../errors.js";
import { beginExchange, mechanism } from "./scram.js";
/** Failed sign-ins after which a connection ends. */ const mostFailures = 3;
/** The database that the account belongs to, as in MongoDB. */ export const accountDatabase = 'admin';
const failed = ()=>new StoreError(18, 'Authentication failed.');
/** The sign-in of one connection. */ export class Login {
    #credentials;
    #exchange;
    /** The password was proven; an empty message is still to come. */ #proven = false;
    #signedIn = false;
    #failures = 0;
    /** @param credentials the store's account; without one nobody needs to sign in */ constructor(credentials){
        this.#credentials = credentials;
    }
    /** Whether the store has an account. */ get possible() {
        return this.#credentials !== undefined;
    }
    /** Whether the connection has to sign in before anything else. */ get needed() {
        return this.possible && !this.#signedIn;
    }
    /** Who has signed in. */ get user() {
        return this.#signedIn ? this.#credentials?.user : undefined;
    }
    /** Whether the connection has failed too often. */ get exhausted() {
        return this.#failures >= mostFailures;
    }
    /**
   * The answer to a first message.
   * @throws StoreError 18 for one that is not SCRAM, 334 for another mechanism
   */ begin(opening) {
        this.#forget();
        if (opening.mechanism !== mechanism) {
            throw new StoreError(334, `the mechanism ${opening.mechanism} is not enabled; there is ${mechanism}`);
        }
        const known = opening.db === accountDatabase;
        const exchange = this.#credentials && beginExchange(this.#credentials, opening.payload, known);
        if (exchange === undefined) throw this.#fail();
        this.#exchange = {
            exchange,
            skipsEmpty: opening.skipsEmpty
        };
        return {
            payload: exchange.first,
            done: false
        };
    }
    /**
   * The answer to a further message.
   * @throws StoreError 18 when the proof is wrong, 17 when no sign-in has begun
   */ proceed(payload) {
        if (this.#proven && payload === '') return this.#finish('');
        const begun = this.#exchange;
        this.#forget();
        if (begun === undefined) throw new StoreError(17, 'no sign-in has begun on this connection');
        const final = begun.exchange.finish(payload);
        if (final === undefined) throw this.#fail();
        if (begun.skipsEmpty) return this.#finish(final);
        this.#proven = true;
        return {
            payload: final,
            done: false
        };
    }
    /** Nobody again. */ end() {
        this.#forget();
        this.#signedIn = false;
    }
    #finish(payload) {
        this.#forget();
        this.#signedIn = true;
        return {
            payload,
            done: true
        };
    }
    #forget() {
        this.#exchange = undefined;
        this.#proven = false;
    }
    #fail() {
        this.#failures += 1;
        return failed();
    }
}
