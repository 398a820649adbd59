/** All that knows of logins, over the same parts. */ import { makeAuth } from "./auth.js";
import { makeOAuth } from "./oauth.js";
import { makeOwnAccount } from "./own-account.js";
import { watchUsers } from "./user-changes.js";
export function loginServices(core, { oauth }, mail, log) {
    watchUsers(core, log);
    return {
        auth: makeAuth(core),
        account: makeOwnAccount(core, mail, log),
        oauth: makeOAuth(core, oauth, log),
        groups: core.users,
        logins: core.logins
    };
}
