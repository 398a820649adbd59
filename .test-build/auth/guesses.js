/**
 * The login throttle: failures are counted by address and by account, whichever door they came through. A password is not even
 * tried once the limit is reached; tokens, keys and JWTs that are good always work, since nobody can guess them.
 */ import { createHash } from 'node:crypto';
import { Failure, throttled } from "../errors.js";
import { makeGates } from "./gates.js";
const mostRemembered = 10_000;
export function makeGuesses(throttle, store, clock) {
    if (!throttle.enabled) return unlimited;
    const { login_max: most, window_ms } = throttle;
    /** Until when a key is known to have had its failures. */ const full = new Map();
    const gates = makeGates();
    const refused = (until)=>{
        const seconds = Math.max(1, Math.ceil((until - clock().getTime()) / 1000));
        return throttled(seconds, {
            'RateLimit-Policy': `"logins"; q=${most}; w=${Math.ceil(window_ms / 1000)}`,
            RateLimit: `"logins"; r=0; t=${seconds}`
        });
    };
    const remember = (key, { totalHits, resetTime })=>{
        if (totalHits < most) return;
        if (full.size >= mostRemembered) full.clear();
        full.set(key, resetTime?.getTime() ?? clock().getTime() + window_ms);
    };
    const refuseKey = (key)=>{
        const until = full.get(key);
        if (until === undefined) return;
        if (until > clock().getTime()) throw refused(until);
        full.delete(key);
    };
    const count = async (key)=>{
        const hits = await store.increment(key);
        remember(key, hits);
        return hits.totalHits;
    };
    /** How many more may fail. @throws 429 when none */ const placesOf = async (key)=>{
        const hits = await store.get?.(key) ?? {
            totalHits: 0,
            resetTime: undefined
        };
        remember(key, hits);
        refuseKey(key);
        return most - hits.totalHits;
    };
    const spendAll = async (keys)=>{
        for (const key of keys){
            refuseKey(key);
            // the one that reaches the limit is still let through
            if (await count(key) > most) refuseKey(key);
        }
    };
    return {
        async attempt (address, account, work) {
            const keys = [
                addressKey(address),
                accountKey(account)
            ];
            const leaves = [];
            try {
                for (const key of keys)leaves.push(await gates.enter(key, ()=>placesOf(key)));
                return await work();
            } catch (error) {
                if (error instanceof Failure && error.status === 401) await Promise.all(keys.map(count));
                throw error;
            } finally{
                for (const leave of leaves)leave();
            }
        },
        refuse (address, account) {
            if (full.size === 0) return;
            refuseKey(addressKey(address));
            refuseKey(accountKey(account));
        },
        wrong: (address)=>spendAll([
                addressKey(address)
            ]),
        spend: (kind, address, account)=>spendAll([
                `${kind} ${addressKey(address)}`,
                `${kind} ${accountKey(account)}`
            ])
    };
}
const unlimited = {
    attempt: (_address, _account, work)=>work(),
    refuse: ()=>undefined,
    wrong: ()=>Promise.resolve(),
    spend: ()=>Promise.resolve()
};
/** Accounts are kept as digests: they can be of any length, and the counters may be read by others. */ const accountKey = (account)=>`account:${createHash('sha256').update(account).digest('base64url')}`;
const addressKey = (address)=>`address:${address.slice(0, 100)}`;
