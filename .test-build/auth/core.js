/** The parts that logging in is made of, joined once for all that use them. */ import { makeAccounts } from "./accounts.js";
import { makeGuesses } from "./guesses.js";
import { makeJwts } from "./jwt.js";
import { makeLogins } from "./logins.js";
import { makeUseOnce } from "./once.js";
import { makePrincipals } from "./principals.js";
import { makeSessions } from "./sessions.js";
import { makeStanding } from "./standing.js";
import { makeTokens } from "./tokens.js";
import { makeUsers } from "./users.js";
import { makeVerified } from "./verified.js";
export function makeAuthCore(parts) {
    const { registry, settings, secret, passwords, bus, counters, clock, elapsed } = parts;
    const tokens = makeTokens(secret);
    const users = makeUsers(registry, bus, clock);
    const accounts = makeAccounts(registry, tokens, clock);
    const sessions = makeSessions(registry, tokens, settings, clock);
    return {
        ...parts,
        tokens,
        users,
        accounts,
        sessions,
        logins: makeLogins(registry),
        standing: makeStanding(users, accounts, sessions, tokens),
        principals: makePrincipals(clock, elapsed),
        guesses: makeGuesses(settings.throttle, counters, clock),
        jwts: makeJwts(secret, settings, clock),
        useOnce: makeUseOnce(registry),
        matches: makeVerified(passwords, elapsed)
    };
}
