/** Counts within a window: in memory for one server, in the database for several. */ import { modelOf } from "../registry/mongoose.js";
import { asked, isTaken } from "./asked.js";
const mostEntries = 10_000;
export function memoryCounters(windowMs, clock) {
    const counts = new Map();
    const alive = (key)=>{
        const count = counts.get(key);
        return count !== undefined && count.resetTime > clock() ? count : undefined;
    };
    const sweep = ()=>{
        for (const key of [
            ...counts.keys()
        ])if (alive(key) === undefined) counts.delete(key);
    };
    return {
        get: (key)=>alive(key),
        increment (key) {
            if (counts.size >= mostEntries) sweep();
            const count = alive(key) ?? {
                totalHits: 0,
                resetTime: new Date(clock().getTime() + windowMs)
            };
            count.totalHits += 1;
            counts.set(key, count);
            return count;
        }
    };
}
function databaseCounters(registry, windowMs, clock) {
    const { collection } = modelOf(registry.internal('_counter'));
    const options = {
        returnDocument: 'after'
    };
    const hitsFrom = (row)=>row === null ? undefined : {
            totalHits: Number(row['hits']),
            resetTime: row['until']
        };
    const increment = (key)=>asked(async ()=>{
            const now = clock();
            const id = {
                _id: key
            };
            const more = await collection.findOneAndUpdate({
                ...id,
                until: {
                    $gt: now
                }
            }, {
                $inc: {
                    hits: 1
                }
            }, options);
            const counted = hitsFrom(more);
            if (counted !== undefined) return counted;
            const until = new Date(now.getTime() + windowMs);
            try {
                const begun = {
                    $set: {
                        hits: 1,
                        until
                    }
                };
                await collection.updateOne({
                    ...id,
                    until: {
                        $lte: now
                    }
                }, begun, {
                    upsert: true
                });
                return {
                    totalHits: 1,
                    resetTime: until
                };
            } catch (error) {
                // somebody else has begun the window in the meantime
                if (!isTaken(error)) throw error;
                return increment(key);
            }
        });
    return {
        get: (key)=>asked(async ()=>hitsFrom(await collection.findOne({
                    _id: key,
                    until: {
                        $gt: clock()
                    }
                }))),
        increment
    };
}
/** Where failed logins are counted: in the database where several servers may share it. */ export function loginCounters({ settings, config, registry, clock, log }) {
    const { mongodb_url, throttle } = settings;
    const { throttle_stores } = config;
    const given = throttle_stores?.logins;
    // a store that fails to begin fails when it counts, too
    Promise.resolve().then(()=>given?.init?.({
            windowMs: throttle.window_ms
        })).catch((error)=>log.error('the store of the login throttle could not begin', error));
    if (given !== undefined) return given;
    return mongodb_url === undefined ? memoryCounters(throttle.window_ms, clock) : databaseCounters(registry, throttle.window_ms, clock);
}
