/** Turns of other requests between the documents of one that brings many. */ import { setImmediate as nextTurn } from 'node:timers/promises';
/** Milliseconds of work after which others have a turn. */ const longest = 20;
export class Turns {
    #since = performance.now();
    /** Lets others in when they have waited long enough. */ async others() {
        if (performance.now() - this.#since < longest) return;
        await nextTurn();
        this.#since = performance.now();
    }
}
