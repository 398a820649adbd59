/** What one command changed in the store as it is, gathered until it is handed to the group commit. */ import { Binary } from 'bson';
import { encode } from "../values/encode.js";
import { differenceOf } from "./changes/difference.js";
/** Bytes that the work of writing one change counts for, besides its values. */ const changeBytes = 4096;
/** The changes of one command. */ export class Unit {
    #changes = [];
    #steps = [];
    #failure;
    /** The newest versions of the documents that changed, by sequence; null where one went. */ #documents = new Map();
    #weight = 0;
    #collections = new Map();
    #dropped = [];
    #events = [];
    #retries = [];
    #forgotten = [];
    #writes = 0;
    #origin = {};
    /** Nothing was changed. */ get empty() {
        return this.#changes.length === 0 && this.#collections.size === 0 && this.#dropped.length === 0 && this.#retries.length === 0 && this.#forgotten.length === 0;
    }
    /** Adds `lsid` and `txnNumber` of a transaction to the events of its documents. */ markTransaction(lsid, txnNumber) {
        this.#origin = {
            txnNumber,
            lsid
        };
    }
    /** How often a document came, changed or went, with what was handed over already. */ get writes() {
        return this.#writes;
    }
    /** About how many bytes it holds that are still to be handed over. */ get weight() {
        return this.#weight;
    }
    /** A document was changed. */ change(change) {
        this.#addStep(change);
        this.record(change);
    }
    /** Changes of one document in a row are one step, so that a step does not keep each version of a growing document. */ #addStep(change) {
        const last = this.#steps.at(-1);
        const continues = typeof last === 'object' && last.collection === change.collection && last.after !== undefined && last.after === change.before;
        if (continues) this.#steps[this.#steps.length - 1] = {
            ...change,
            before: last.before
        };
        else this.#steps.push(change);
    }
    /** A document was changed by a step of its own, which takes it back, too. */ record(change) {
        const { collection, before, after } = change;
        const stored = after ?? before;
        if (stored === undefined) return;
        this.#writes += 1;
        this.#documents.set(stored.sequence, after ? {
            collection: collection.id,
            stored: after
        } : null);
        const pending = pendingOf(change, stored);
        this.#changes.push(pending);
        this.#weight += changeBytes + (pending.image?.bytes ?? 0) + (before === undefined ? stored.size : 0);
    }
    /** Changes something else than a document. @throws the failure of the unit */ alter(apply, undo) {
        this.check();
        apply();
        this.#steps.push(undo);
    }
    /** @throws the failure of the unit: its changes were taken back, and no more may follow */ check() {
        if (this.#failure !== undefined) throw this.#failure;
    }
    /** Refuses all further changes, and gives those that are to be taken back. The unit is empty afterwards. */ fail(failure) {
        this.#failure ??= failure;
        const steps = this.#steps;
        this.#clear();
        return steps;
    }
    /** Why the unit takes no changes any more. */ get failure() {
        return this.#failure;
    }
    /** Writes down what a collection is now: its name, collation and indexes. */ describe(collection) {
        this.#collections.set(collection.id, collection);
    }
    drop(collection) {
        this.#dropped.push(collection.id);
    }
    /** Something that change streams tell besides documents: a collection or database that went or was renamed. */ announce(db, collection, event) {
        this.#events.push((history)=>announceTo(history, db, collection, event));
    }
    /** Keeps the answer of a session's retryable write. */ remember(session, bytes, undo) {
        this.#retries.push({
            session,
            bytes
        });
        this.#steps.push(undo);
    }
    /** Drops what is kept of a session. */ forget(session, undo) {
        this.#forgotten.push(session);
        this.#steps.push(undo);
    }
    /** What goes to disk; makes the events. The unit is empty afterwards. */ finish(encoded, history) {
        const first = history.next;
        for (const { db, name } of this.#collections.values())announceTo(history, db, name, {
            operationType: 'modify'
        });
        const documents = new Map();
        for (const [sequence, put] of this.#documents){
            documents.set(sequence, put && {
                collection: put.collection,
                bytes: encoded.of(put.stored)
            });
        }
        for (const { collection, id, told, image } of this.#changes){
            history.add(collection.db, collection.name, {
                ...eventOf(collection, id, told, history),
                ...this.#origin
            }, image);
        }
        for (const event of this.#events)event(history);
        const contribution = {
            firstEvent: first,
            steps: this.#steps,
            documents,
            collections: [
                ...this.#collections
            ].map(([id, collection])=>({
                    id,
                    bytes: encode(recordOf(collection))
                })),
            dropped: this.#dropped,
            events: history.from(first, Number.POSITIVE_INFINITY).map(({ sequence, bytes })=>({
                    sequence,
                    bytes
                })),
            retries: this.#retries,
            forgottenRetries: this.#forgotten
        };
        this.#clear();
        return contribution;
    }
    #clear() {
        this.#changes = [];
        this.#steps = [];
        this.#documents = new Map();
        this.#weight = 0;
        this.#collections = new Map();
        this.#dropped = [];
        this.#events = [];
        this.#retries = [];
        this.#forgotten = [];
    }
}
/** What is written down of a collection. */ const recordOf = ({ db, name, uuid, collation, indexes })=>({
        db,
        name,
        uuid: new Binary(uuid, 4),
        ...collation ? {
            collation: collation.shown
        } : {},
        indexes: indexes.map((index)=>index.shown)
    });
function announceTo(history, db, collection, event) {
    const ns = collection === '' ? {
        db
    } : {
        db,
        coll: collection
    };
    const { operationType, ...rest } = event;
    history.add(db, collection, {
        operationType,
        clusterTime: history.tick(),
        wallTime: new Date(),
        ns,
        ...rest
    });
}
function pendingOf({ collection, before, after, replaced }, stored) {
    const common = {
        collection,
        id: stored.doc['_id']
    };
    if (after === undefined) return {
        ...common,
        told: {
            operationType: 'delete',
            rest: {}
        },
        image: wholeImage(stored)
    };
    const whole = {
        fullDocument: after.doc
    };
    if (before === undefined) return {
        ...common,
        told: {
            operationType: 'insert',
            rest: whole
        },
        image: undefined
    };
    if (replaced) return {
        ...common,
        told: {
            operationType: 'replace',
            rest: whole
        },
        image: wholeImage(before)
    };
    const { description, unshared } = differenceOf(before.doc, after.doc);
    return {
        ...common,
        told: {
            operationType: 'update',
            rest: {
                updateDescription: description
            }
        },
        image: {
            doc: before.doc,
            size: before.size,
            bytes: unshared
        }
    };
}
const wholeImage = ({ doc, size })=>({
        doc,
        size,
        bytes: size
    });
const eventOf = (collection, id, told, history)=>({
        operationType: told.operationType,
        clusterTime: history.tick(),
        wallTime: new Date(),
        ns: {
            db: collection.db,
            coll: collection.name
        },
        documentKey: {
            _id: id
        },
        ...told.rest
    });
