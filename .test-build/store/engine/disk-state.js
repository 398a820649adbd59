/** Whether the disk takes writes. After a write that it refused, it is tried every second until it takes one. */ import { DiskFault } from "../storage/faults.js";
/** Milliseconds between two tries. */ const probeMs = 1000;
/** The state of the disk under a store. */ export class DiskState {
    #options;
    #fault;
    #timer;
    constructor(options){
        this.#options = options;
    }
    /** Why the last write was refused; undefined while the disk takes writes. */ get fault() {
        return this.#fault;
    }
    /** A write was refused. */ refused(fault) {
        if (this.#fault === undefined) {
            this.#options.onWarning(`${fault.message} Writes are refused until the disk takes them again; reads go on.`);
            this.#timer = setInterval(()=>this.probe(), probeMs);
            this.#timer.unref();
        }
        this.#fault = fault;
    }
    /** A write was taken. */ took() {
        if (this.#fault === undefined) return;
        this.close();
        this.#fault = undefined;
        this.#options.onWarning('The disk takes writes again.');
    }
    /** Tries whether the disk takes a write. */ probe() {
        try {
            this.#options.probe();
            this.took();
        } catch (error) {
            if (error instanceof DiskFault) this.refused(error);
            else {
                this.close();
                this.#options.onFatal(error instanceof Error ? error : new Error(String(error)));
            }
        }
    }
    /** Stops trying. */ close() {
        clearInterval(this.#timer);
    }
}
