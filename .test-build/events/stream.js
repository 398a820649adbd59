/** A change stream over the database: how it is opened, followed, read again from a place, and when its history is gone. */ import { setTimeout as later } from 'node:timers/promises';
import { historyGone } from "../errors.js";
import { fromDatabase } from "../registry/database-errors.js";
const tryAgainAfter = 1000;
/** Milliseconds for which the database waits for more before it says that there is nothing: of what comes, and of what has been. */ const [patience, pastPatience] = [
    500,
    20
];
/** ChangeStreamHistoryLost, ChangeStreamFatalError, InvalidResumeToken, and what a malformed token is told (MongoDB's error codes). */ const gone = new Set([
    286,
    280,
    260,
    50811
]);
/** The wire version of MongoDB 6.0, which is the first that tells how documents were before. */ const withBefore = 17;
/** The leading digits of a resume token are its time; events of one time have tokens of their own. */ const timeDigits = 18;
export function makeStreams({ connection, pipeline, withDocuments, broke }) {
    let live;
    let last;
    let closed = false;
    const database = ()=>{
        const { db } = connection;
        if (db === undefined) throw new Error('the connection to the database is closed');
        return db;
    };
    const hello = async ()=>await database().admin().command({
            hello: 1
        });
    const open = async (place, maxAwaitTimeMS)=>{
        const options = {
            maxAwaitTimeMS
        };
        if (withDocuments) {
            options.fullDocument = 'updateLookup';
            if (((await hello()).maxWireVersion ?? 0) >= withBefore) options.fullDocumentBeforeChange = 'whenAvailable';
        }
        if (place !== undefined) options.resumeAfter = {
            _data: place
        };
        return database().watch([
            ...pipeline
        ], options);
    };
    const followOnce = async (hear, opened)=>{
        live = await open(last, patience);
        for(let begun = false; !closed; begun = true){
            const event = await live.tryNext();
            if (event?.operationType === 'invalidate') throw Object.assign(new Error('the database was dropped'), {
                code: 286
            });
            last = placeOf(event === null ? live.resumeToken : event._id);
            if (event !== null) await hear(event, last);
            if (!begun) await opened(last);
        }
    };
    return {
        async follow (hear, opened) {
            while(!closed){
                try {
                    await followOnce(hear, opened);
                } catch (error) {
                    if (closed) return;
                    const lost = last === undefined || gone.has(codeOf(error));
                    if (lost) last = undefined;
                    broke(error, lost);
                    await live?.close().catch(()=>undefined);
                    live = undefined;
                    await later(tryAgainAfter, undefined, {
                        ref: false
                    });
                }
            }
        },
        reached: ()=>last,
        async time () {
            try {
                return timeOf(await hello());
            } catch (error) {
                throw known(error);
            }
        },
        async after (place) {
            const stream = await open(place, pastPatience).catch((error)=>{
                throw known(error);
            });
            try {
                const first = await stream.tryNext();
                return {
                    upTo: (end)=>eventsOf(stream, first, end),
                    close: ()=>stream.close().catch(()=>undefined)
                };
            } catch (error) {
                await stream.close().catch(()=>undefined);
                throw known(error);
            }
        },
        async close () {
            closed = true;
            await live?.close().catch(()=>undefined);
        }
    };
}
const codeOf = (error)=>error.code;
const known = (error)=>gone.has(codeOf(error)) ? historyGone() : fromDatabase(error);
/**
 * What a majority has, and so all that was acknowledged: later times may be those of writes that overtook one that is still on its way.
 * The clocks of a sharded cluster run apart, so of its time nothing is concluded.
 */ const timeOf = ({ lastWrite, msg, operationTime })=>msg === 'isdbgrid' ? undefined : (lastWrite?.majorityOpTime?.ts ?? operationTime)?.toBigInt();
const placeOf = (token)=>{
    const { _data: data } = token ?? {};
    return typeof data === 'string' ? data : '';
};
/** Whether a stream that has nothing to tell at the moment has come as far as a place. */ const hasReached = (stream, place)=>placeOf(stream.resumeToken).slice(0, timeDigits) >= place.slice(0, timeDigits);
async function* eventsOf(stream, first, end) {
    try {
        for(let event = first;; event = await stream.tryNext()){
            if (event === null) {
                if (hasReached(stream, end)) return;
                continue;
            }
            const place = placeOf(event._id);
            if (place > end) return;
            yield {
                event,
                place
            };
            if (place === end) return;
        }
    } catch (error) {
        throw known(error);
    }
}
