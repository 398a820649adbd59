/**
 * Opens the embedded store, a MongoDB-compatible server in memory or in a data folder: for this process alone, or shared
 * with others of the machine.
 */ import { defaultLimits } from "./engine/limits.js";
import { startHere } from "./engine/start.js";
import { ownPlace, placeUrl, sharedPlace } from "./place.js";
import { lockFolder } from "./storage/lock.js";
import { StoreThread } from "./worker-thread.js";
export { defaultLimits } from "./engine/limits.js";
/**
 * Opens a store.
 * @throws Error when the data folder is in use by another process, its data file is damaged, or the port is taken
 */ export async function open(options = {}) {
    const { dir, sharing } = options;
    const lock = dir === undefined ? undefined : lockFolder(dir);
    let place;
    let store;
    try {
        place = sharing === undefined ? await ownPlace(options.transport) : await sharedPlace(sharing, dir);
        store = await start(options, place);
        place.keep();
        return shown(store, place, lock);
    } catch (error) {
        await store?.close();
        place?.remove();
        lock?.release();
        throw error;
    }
}
function start(options, { address, credentials }) {
    const { dir, thread = dir !== undefined } = options;
    const reports = {
        onWarning: options.onWarning ?? (()=>undefined),
        onFatal: options.onFatal ?? (()=>undefined)
    };
    const given = {
        dir,
        address,
        credentials,
        limits: {
            ...defaultLimits,
            ...options.limits
        }
    };
    return thread ? StoreThread.start(given, reports) : startHere(given, reports);
}
function shown(store, place, lock) {
    return {
        url: placeUrl(place, store.address),
        address: store.address,
        user: place.credentials?.user,
        newAccount: place.made ? place.account : undefined,
        close: async ()=>{
            try {
                await store.close();
            } finally{
                place.remove();
                lock?.release();
            }
        }
    };
}
