/** A document as a collection keeps it, and the bytes of documents that are kept for the next answer. */ import { encode } from "../values/encode.js";
/** Entries of no use that are put up with before they are cleared away. */ const slack = 1000;
/** Keeps the encoded form of recently used documents, up to a number of bytes; the oldest go first. */ export class EncodedBytes {
    #limit;
    /** Oldest first, from `#first` on; one whose bytes are gone is of no use any more. */ #queue = [];
    #first = 0;
    #kept = 0;
    #total = 0;
    constructor(limit){
        this.#limit = limit;
    }
    /** The document as BSON. */ of(stored) {
        if (stored.bytes !== undefined) return stored.bytes;
        const bytes = encode(stored.doc, stored.size);
        stored.bytes = bytes;
        this.keep(stored);
        return bytes;
    }
    /** Counts the bytes of a version that has just been encoded, and drops the oldest beyond the limit. */ keep(stored) {
        if (stored.bytes === undefined) return;
        this.#queue.push(stored);
        this.#kept += 1;
        this.#total += stored.size;
        while(this.#total > this.#limit)this.#drop();
        if (this.#queue.length > 2 * this.#kept + slack) {
            this.#queue = this.#queue.slice(this.#first).filter(({ bytes })=>bytes !== undefined);
            this.#first = 0;
        }
    }
    #drop() {
        const oldest = this.#queue[this.#first];
        this.#first += 1;
        if (oldest !== undefined) this.forget(oldest);
    }
    /** Drops the bytes of a version that is no longer current. */ forget(stored) {
        if (stored.bytes === undefined) return;
        this.#kept -= 1;
        this.#total -= stored.size;
        stored.bytes = undefined;
    }
}
