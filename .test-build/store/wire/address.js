/** The addresses that a store listens on: a socket file that only its owner can reach, or a port of loopback. */ import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
/** The only hosts that a store listens on. */ export const loopbackHosts = [
    '127.0.0.1',
    '::1'
];
/** Bytes of a socket's name that every system takes. */ const longestPath = 90;
/** Bytes of what is added to the folder of temporary files. */ const addedToFolder = 30;
/**
 * Makes the place for a socket file: in the folder of temporary files, or in /tmp where that one's name is too long.
 * @returns undefined where there are no socket files that a driver can reach
 */ export function makeSocketPlace(platform = process.platform, temporary = tmpdir()) {
    if (platform === 'win32') return undefined;
    const base = [
        temporary,
        '/tmp'
    ].find((folder)=>Buffer.byteLength(folder) + addedToFolder <= longestPath);
    if (base === undefined) return undefined;
    try {
        const folder = mkdtempSync(join(base, 'store-'));
        chmodSync(folder, 0o700);
        return {
            path: join(folder, 's.sock'),
            remove: ()=>rmSync(folder, {
                    recursive: true,
                    force: true
                })
        };
    } catch  {
        return undefined;
    }
}
/** A host and a port as they stand in an address. */ export const hostAndPort = (host, port)=>host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
/** The address for a driver. */ export function urlOf(address, account) {
    const where = address.kind === 'socket' ? encodeURIComponent(address.path) : hostAndPort(address.hosts[0] ?? '127.0.0.1', address.port);
    if (account === undefined) return `mongodb://${where}/?directConnection=true`;
    const who = `${encodeURIComponent(account.user)}:${encodeURIComponent(account.password)}`;
    return `mongodb://${who}@${where}/?authSource=admin&directConnection=true`;
}
