/** Puts what was found in order: only as much as is wanted is kept, and a long sort lets others go first. */ import { StoreError } from "../errors.js";
import { mergeSort } from "./merge.js";
/** Items that are kept at least before a cut. */ const leastRoom = 2048;
/** Items that are to be sorted. */ export class SortBuffer {
    #sort;
    #bounds;
    #roomFor;
    #kept = [];
    #bytes = 0;
    /** What comes after this is not among those wanted. */ #last;
    constructor(sort, bounds){
        this.#sort = sort;
        this.#bounds = bounds;
        this.#roomFor = Math.max(bounds.wanted * 2, leastRoom);
    }
    /** Number of items kept so far. */ get size() {
        return this.#kept.length;
    }
    /** @throws StoreError 292 when more is kept than may be */ add(item) {
        const keyed = {
            item,
            key: this.#sort.key(this.#bounds.docOf(item))
        };
        if (this.#last !== undefined && this.#compare(keyed, this.#last) >= 0) return;
        this.#kept.push(keyed);
        this.#bytes += this.#bounds.sizeOf(item);
        if (this.#kept.length >= this.#roomFor) this.#cut();
        if (this.#bytes > this.#bounds.memoryBytes) throw tooMuch(this.#bounds.memoryBytes);
    }
    #compare = (a, b)=>this.#sort.compareKeys(a.key, b.key);
    #cut() {
        this.#kept = this.#kept.sort(this.#compare).slice(0, this.#bounds.wanted);
        this.#last = this.#kept.at(-1);
        this.#bytes = this.#kept.reduce((sum, { item })=>sum + this.#bounds.sizeOf(item), 0);
    }
    /** The items wanted, in order; the buffer is empty afterwards. */ async take() {
        const kept = this.#kept;
        this.#kept = [];
        this.#bytes = 0;
        this.#last = undefined;
        const sorted = await mergeSort(kept, this.#compare, ()=>this.#bounds.pause());
        return sorted.slice(0, this.#bounds.wanted).map(({ item })=>item);
    }
}
const tooMuch = (bytes)=>new StoreError(292, `Sort exceeded memory limit of ${bytes} bytes, but did not opt in to external sorting.`);
