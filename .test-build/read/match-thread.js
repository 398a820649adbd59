/** A thread that matches rows with filters, and is stopped when one filter takes too long. */ import { startThread } from "../thread.js";
/** Milliseconds in which a thread has to be there. */ const startsWithin = 30_000;
export function startMatchThread() {
    const worker = startThread('./match-worker', import.meta.url);
    let hear = (_answer)=>undefined;
    let isGone = false;
    const leave = ()=>{
        isGone = true;
        hear(undefined);
    };
    const stop = async ()=>{
        leave();
        await worker.terminate();
    };
    /** The next answer, unless the thread ends before. */ const answer = (milliseconds)=>new Promise((done)=>{
            const timer = setTimeout(()=>void stop(), milliseconds);
            hear = (message)=>{
                clearTimeout(timer);
                done(message);
            };
            if (isGone) hear(undefined);
        });
    worker.on('message', (message)=>hear(message));
    // an error is followed by the end of the thread
    worker.on('error', leave);
    worker.on('exit', leave);
    worker.unref();
    const ready = answer(startsWithin);
    return {
        async run ({ row, key, filter }, budget) {
            worker.ref();
            await ready;
            const verdict = answer(budget);
            worker.postMessage({
                row,
                key,
                filter
            });
            const message = await verdict;
            worker.unref();
            return typeof message === 'boolean' ? message : undefined;
        },
        stop
    };
}
