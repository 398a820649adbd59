/** Sessions: begun by a login, found by their token, carried on by their refresh token, ended by a logout. Only digests are stored. */ import { modelOf, ObjectId } from "../registry/mongoose.js";
import { asked } from "./asked.js";
import { digest } from "./tokens.js";
export function makeSessions(registry, tokens, settings, clock) {
    const { collection } = modelOf(registry.internal('_session'));
    const { max_sessions, refresh_grace } = settings;
    const find = async (filter)=>await collection.findOne(filter);
    /** The newest stay. Whoever finds a session among the older ones has found enough that are newer, so the newest are never lost. */ const trim = async (user_id)=>{
        const older = await collection.find({
            user_id
        }, {
            projection: {
                _id: 1
            }
        }).sort({
            serial: -1,
            _id: -1
        }).skip(max_sessions).toArray();
        if (older.length > 0) await collection.deleteMany({
            _id: {
                $in: older.map(({ _id })=>_id)
            }
        });
    };
    const rotate = async (row, token)=>{
        const now = clock();
        const made = madeAt(now, tokens.successors(token), settings);
        const recently = usedOf(row).filter(({ at })=>isWithin(at, refresh_grace, now));
        const used = [
            ...recently,
            {
                digest: digest(token),
                at: now
            }
        ].slice(-mostUsed);
        const _id = row['_id'];
        const filter = {
            _id,
            refresh_digest: digest(token)
        };
        const done = await collection.updateOne(filter, {
            $set: {
                ...made.stored,
                used
            }
        });
        if (done.matchedCount !== 1) return undefined;
        forgetUsed(_id, digest(token));
        return refreshed(row, made.told);
    };
    /** A timer ends the grace, since a clock may be set back; its time is for when this server has stopped before. */ const forgetUsed = (_id, token)=>{
        const pull = {
            $pull: {
                used: {
                    digest: token
                }
            }
        };
        setTimeout(()=>void collection.updateOne({
                _id
            }, pull).catch(()=>undefined), refresh_grace * 1000).unref();
    };
    /** The same successors again, within the grace. */ const again = (row, token)=>{
        const used = usedOf(row).find((one)=>one.digest === digest(token));
        if (row === null || used === undefined || !isWithin(used.at, refresh_grace, clock())) return undefined;
        return refreshed(row, madeAt(used.at, tokens.successors(token), settings).told);
    };
    return {
        begin: (user, epoch, serial)=>asked(async ()=>{
                const now = clock();
                const _id = new ObjectId();
                const user_id = new ObjectId(user);
                const fresh = {
                    token: tokens.newAccess(),
                    refresh: tokens.newRefresh(_id.toHexString())
                };
                const { stored, told } = madeAt(now, fresh, settings);
                await collection.insertOne({
                    _id,
                    user_id,
                    epoch,
                    serial,
                    ...stored,
                    used: [],
                    createdAt: now
                });
                await trim(user_id);
                return told;
            }),
        byToken: (token)=>asked(async ()=>foundIn(await find({
                    token_digest: digest(token)
                }), clock())),
        byId: (session)=>asked(async ()=>foundIn(await find({
                    _id: new ObjectId(session)
                }), clock())),
        refresh: (token, check)=>asked(async ()=>{
                const _id = new ObjectId(tokens.sessionOf(token));
                const row = await find({
                    _id
                });
                const expires = row?.['refresh_token_expires'];
                if (row === null || !(expires instanceof Date) || expires <= clock()) return undefined;
                check(String(row['user_id']));
                const current = row['refresh_digest'] === digest(token) ? await rotate(row, token) : undefined;
                const result = current ?? again(await find({
                    _id
                }), token);
                if (result !== undefined) return result;
                await collection.deleteOne({
                    _id
                });
                return refreshed(row, undefined);
            }),
        end: (session)=>asked(async ()=>void await collection.deleteOne({
                    _id: new ObjectId(session)
                })),
        endAll: (user, before)=>asked(async ()=>{
                const earlier = before === undefined ? {} : {
                    epoch: {
                        $lt: before
                    }
                };
                await collection.deleteMany({
                    user_id: new ObjectId(user),
                    ...earlier
                });
            })
    };
}
/** A session whose access token is still good. */ function foundIn(row, now) {
    const expires = row?.['token_expires'];
    if (row === null || !(expires instanceof Date) || expires <= now) return undefined;
    return {
        id: String(row['_id']),
        user: String(row['user_id']),
        epoch: Number(row['epoch']),
        expires
    };
}
/** More refreshes than this within the grace make the oldest count as used up. */ const mostUsed = 20;
const usedOf = (row)=>Array.isArray(row?.['used']) ? row['used'] : [];
/** Servers' clocks differ a little; what was used long after now was used before a clock was set back. */ const isWithin = (at, seconds, now)=>Math.abs(now.getTime() - at.getTime()) < seconds * 1000;
const refreshed = (row, session)=>({
        user: String(row['user_id']),
        epoch: Number(row['epoch']),
        session
    });
/** What is stored and told of two tokens that are made at a time. */ function madeAt(at, { token, refresh }, { token_expiry, refresh_token_expiry }) {
    const token_expires = new Date(at.getTime() + token_expiry * 1000);
    const refresh_token_expires = new Date(at.getTime() + refresh_token_expiry * 1000);
    return {
        stored: {
            token_digest: digest(token),
            refresh_digest: digest(refresh),
            token_expires,
            refresh_token_expires
        },
        told: {
            token,
            token_expires: token_expires.toISOString(),
            refresh_token: refresh,
            refresh_token_expires: refresh_token_expires.toISOString()
        }
    };
}
