/** How many requests of a kind work at once: the others wait their turn, so that every other kind finds a connection to the database. */ import { busy } from "../errors.js";
/** @param atOnce how many work at once @param patience milliseconds that a request waits at most; then it is a 503 */ export function makeShare(atOnce, patience) {
    const waiting = new Set();
    let working = 0;
    const turn = (signal)=>new Promise((begin, refuse)=>{
            if (signal.aborted) return refuse(busy());
            const leave = ()=>{
                waiting.delete(next);
                clearTimeout(timer);
                signal.removeEventListener('abort', giveUp);
            };
            const next = ()=>{
                leave();
                begin();
            };
            const giveUp = ()=>{
                leave();
                refuse(busy());
            };
            const timer = setTimeout(giveUp, patience);
            signal.addEventListener('abort', giveUp);
            waiting.add(next);
        });
    return async (signal, work)=>{
        if (working < atOnce) working += 1;
        else await turn(signal);
        try {
            return await work();
        } finally{
            const [next] = waiting;
            // whoever is next takes over the place
            if (next === undefined) working -= 1;
            else next();
        }
    };
}
