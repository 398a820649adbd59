/** Turns at something of which only so many may be done at once; the others wait, in the order in which they came. */ import { busy } from "../errors.js";
export function makeTurns(atOnce, mostWaiting) {
    const waiting = [];
    let taken = 0;
    const give = ()=>{
        const next = waiting.shift();
        // whoever is next takes over the turn
        if (next === undefined) taken -= 1;
        else next();
    };
    return {
        async take () {
            if (taken < atOnce) taken += 1;
            else if (waiting.length >= mostWaiting) throw busy();
            else await new Promise((begin)=>waiting.push(begin));
            let held = true;
            return ()=>{
                if (held) give();
                held = false;
            };
        }
    };
}
