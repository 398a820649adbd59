/** All credentials of a request are of one person (attacks: rule 4). */ import { badCredentials } from "../errors.js";
/** @throws 401 when the credentials that were verified before are somebody else's */ export function samePerson({ user }, id) {
    if (user !== undefined && user.id !== id) throw badCredentials('the credentials are of different people');
}
