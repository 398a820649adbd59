/** Server-Sent Events (WHATWG HTML, 9.2): one subscription as the body of an answer. */ import { costlyFilter } from "./reasons.js";
import { maxUnsent, roomBelow } from "./unsent.js";
/** Milliseconds after which a browser connects anew. */ const retry = 2000;
/** The same after a filter that costs too much. */ const retryCostly = 60_000;
/** What has been said and not been read: pieces wait here until the connection takes them. */ class Pieces {
    cut;
    #pieces = [];
    #unsent = 0;
    #ended = false;
    #wake;
    #wanting = new Set();
    constructor(cut){
        this.cut = cut;
    }
    send(news) {
        this.say(news.map(({ position, json })=>`id: ${position}\ndata: ${json}\n\n`).join(''));
    }
    beat(position) {
        this.say(`id: ${position}\n: ping\n\n`);
    }
    say(piece) {
        if (this.#ended) return;
        this.#pieces.push(piece);
        this.#unsent += piece.length;
        this.#wake?.();
    }
    get isFull() {
        return !this.#ended && this.#unsent > maxUnsent;
    }
    room() {
        if (this.#ended || this.#unsent < roomBelow) return Promise.resolve();
        return new Promise((done)=>this.#wanting.add(done));
    }
    /** A stream is one subscription. A browser that connects anew waits, since the same document is there still. */ drop() {
        this.say(`retry: ${retryCostly}\nevent: ended\ndata: ${JSON.stringify({
            message: costlyFilter
        })}\n\n`);
        this.#finish();
    }
    end(why) {
        // whoever does not read does not come to the end either
        if (why === 'too slow') this.cut.abort();
        this.#finish();
    }
    #finish() {
        this.#ended = true;
        this.#wake?.();
        this.#release();
    }
    /** The pieces one after the other, until it ends. */ async *taken() {
        for(;;){
            const piece = this.#pieces.shift();
            if (piece !== undefined) {
                yield piece;
                this.#unsent -= piece.length;
                if (this.#unsent < roomBelow) this.#release();
            } else if (this.#ended) return;
            else await new Promise((wake)=>this.#wake = wake);
        }
    }
    #release() {
        for (const done of this.#wanting)done();
        this.#wanting.clear();
    }
}
/**
 * The text of a stream. Its first piece is empty and comes when everything that can be refused has not been; whoever stops taking
 * pieces must return the generator.
 * @throws 400, 401, 403, 410, 503 from the first piece
 */ export async function* eventStream(wish, parts) {
    const { live, principal, verify, caller, address, signal, cut, feed } = parts;
    const pieces = new Pieces(cut);
    const listener = live.join(pieces, address, caller);
    const hangUp = ()=>pieces.end('stopping');
    signal.addEventListener('abort', hangUp);
    try {
        listener.signIn(principal, verify);
        await listener.subscribe(wish);
        pieces.say(`retry: ${retry}\n: hello\n\n`);
        // behind what has been told until now
        const position = feed.position();
        listener.enqueue(()=>pieces.beat(position));
        if (signal.aborted) hangUp();
        yield '';
        yield* pieces.taken();
    } finally{
        signal.removeEventListener('abort', hangUp);
        listener.leave();
    }
}
