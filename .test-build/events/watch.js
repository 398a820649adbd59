/** Follows changes of some documents through a change stream of its own, without the documents. */ import { makeStreams } from "./stream.js";
/** Begins to follow, and goes on until the returned function is called. A stream that breaks is opened again where it was. */ export function watch(connection, log, { pipeline, changed, missed }) {
    let isBroken = false;
    const streams = makeStreams({
        connection,
        pipeline,
        withDocuments: false,
        broke (error, lost) {
            // it is tried again each second: one line is enough
            if (!isBroken) log.error('the change stream over logins broke', error);
            isBroken = true;
            if (lost) missed();
        }
    });
    const hear = (event)=>{
        changed(event);
        return undefined;
    };
    const opened = ()=>{
        isBroken = false;
        return Promise.resolve();
    };
    void streams.follow(hear, opened);
    return ()=>streams.close();
}
