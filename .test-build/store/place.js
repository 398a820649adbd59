/** Decides where a store listens and who may sign in: its own process alone, or other processes of the machine too. */ import { randomBytes } from 'node:crypto';
import { credentialsFor } from "./login/scram.js";
import { keepAccount, readAccount } from "./storage/account-file.js";
import { makeSocketPlace, urlOf } from "./wire/address.js";
/** The address for a driver, with the account where its password is known. */ export const placeUrl = (place, address)=>urlOf(address, place.account);
const nothing = ()=>undefined;
const defaultUser = 'dossier';
/** A password that nobody guesses, of letters that an address takes as they are. */ const newPassword = (bytes)=>randomBytes(bytes).toString('base64url');
/**
 * A place for this process alone: a socket file that only its owner can reach. Where there are none, a port of loopback,
 * which any local user can reach: there one has to sign in, with a secret that never leaves the process.
 */ export async function ownPlace(transport) {
    const socket = transport === 'loopback' ? undefined : makeSocketPlace();
    if (socket !== undefined) {
        const address = {
            kind: 'socket',
            path: socket.path
        };
        const remove = ()=>socket.remove();
        return {
            address,
            credentials: undefined,
            account: undefined,
            made: false,
            keep: nothing,
            remove
        };
    }
    if (transport === 'socket') throw new Error('There are no socket files on this machine that a driver can reach.');
    const account = {
        user: defaultUser,
        password: newPassword(32)
    };
    const address = {
        kind: 'loopback',
        port: 0,
        hosts: [
            '127.0.0.1'
        ]
    };
    const credentials = await credentialsFor(account.user, account.password);
    return {
        address,
        credentials,
        account,
        made: false,
        keep: nothing,
        remove: nothing
    };
}
/**
 * A place for other processes: a port of loopback, with an account whose hash is kept in the data folder.
 * @throws Error when another user than the kept one is named without a password
 */ export async function sharedPlace({ port, hosts, user, password }, dir) {
    const address = {
        kind: 'loopback',
        port,
        hosts
    };
    const place = {
        address,
        made: false,
        keep: nothing,
        remove: nothing
    };
    const kept = password !== undefined || dir === undefined ? undefined : readAccount(dir);
    if (kept !== undefined) {
        if (user !== undefined && user !== kept.user) {
            throw new Error(`The account of this data folder is ${kept.user}; to make ${user} of it, give a password too.`);
        }
        return {
            ...place,
            credentials: kept,
            account: undefined
        };
    }
    const account = {
        user: user ?? defaultUser,
        password: password ?? newPassword(24)
    };
    const credentials = await credentialsFor(account.user, account.password);
    const keep = ()=>{
        if (dir !== undefined) keepAccount(dir, credentials);
    };
    return {
        ...place,
        credentials,
        account,
        made: password === undefined,
        keep
    };
}
