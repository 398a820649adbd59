/** Everything that lives as long as the store is open: documents, sessions, cursors and the commands under way. */ import { Cursors } from "./cursors.js";
import { startExpiry } from "./expiry.js";
import { Operation } from "./operation.js";
import { Sessions } from "./sessions.js";
import { Store } from "./store.js";
import { Unit } from "./unit.js";
/** An open store. */ export class Engine {
    store;
    sessions;
    cursors = new Cursors();
    /** Open connections. */ connections = 0;
    #operations = new Map();
    #counts = new Map();
    #stopExpiry;
    #operationId = 1;
    constructor(store){
        this.store = store;
        this.sessions = new Sessions(store);
        this.#stopExpiry = startExpiry(this);
    }
    /** Loads what the storage has and begins to work. */ static async start(storage, limits, reports) {
        const store = new Store(storage, limits, reports);
        await store.load();
        store.disk.probe();
        return new Engine(store);
    }
    /** Begins an operation; it must be finished. */ begin(name, ns) {
        const operation = new Operation(this.#operationId, name, ns, this.store.limits.sliceMs);
        this.#operationId += 1;
        this.#operations.set(operation.id, operation);
        this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
        return operation;
    }
    finish(operation) {
        this.#operations.delete(operation.id);
    }
    /** The commands under way. */ get operations() {
        return [
            ...this.#operations.values()
        ];
    }
    /** How often each command has been run. */ get counts() {
        return this.#counts;
    }
    /** Ends a command; false when there is no such one. */ kill(id) {
        const operation = this.#operations.get(id);
        operation?.end();
        return operation !== undefined;
    }
    /** Runs some work as the one writing command, and waits until what it changed is on disk. */ async write(work) {
        const { writers } = this.store;
        const unit = new Unit();
        const written = [];
        const submit = ()=>{
            const part = this.store.submit(unit);
            part.catch(()=>undefined);
            written.push(part);
            return part;
        };
        try {
            return await writers.run(async ()=>{
                await this.store.history.room();
                this.store.checkAlive();
                this.store.begin(unit);
                try {
                    return await work(unit, this.#turn(unit, submit));
                } finally{
                    void submit();
                    this.store.end(unit);
                }
            });
        } finally{
            await Promise.all(written);
        }
    }
    #turn(unit, submit) {
        const { writers, limits } = this.store;
        let begun = performance.now();
        const isFull = ()=>unit.weight >= limits.turnBytes;
        return {
            get due () {
                return isFull() || writers.wanted && performance.now() - begun >= limits.turnMs;
            },
            pass: async ()=>{
                const full = isFull();
                const part = submit();
                if (full) await part;
                await writers.pass();
                await this.store.history.room();
                this.store.checkAlive();
                begun = performance.now();
            }
        };
    }
    /** Ends everything; what was answered is on disk. */ async close() {
        this.#stopExpiry();
        for (const operation of this.operations)operation.end();
        await this.store.writers.run(()=>this.store.close());
    }
}
