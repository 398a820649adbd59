/** The thread that matches rows with filters that the main thread has no time for. */ import { parentPort } from 'node:worker_threads';
import { encodedMatcher } from "./matches.js";
/** Filters that are kept compiled. */ const maxCompiled = 1000;
function serve() {
    const compiled = new Map();
    const compiledOf = ({ key, filter })=>{
        const known = compiled.get(key);
        if (known !== undefined) return known;
        if (compiled.size >= maxCompiled) compiled.clear();
        const matcher = encodedMatcher(filter);
        compiled.set(key, matcher);
        return matcher;
    };
    const answer = (message)=>parentPort?.postMessage(message);
    parentPort?.on('message', (task)=>answer(compiledOf(task)(task.row)));
    answer('ready');
}
serve();
