/** What models write through Mongoose → changes on the bus. */ import { modelOf, sameRow } from "../registry/mongoose.js";
/** @returns what models are compiled with, where the database does not tell what they write */ export function hearModelWrites(bus, log) {
    /** Told in the order in which they come. */ let queue = Promise.resolve();
    return {
        wantsBefore: (model)=>bus.wantsBefore(model),
        touched: (model)=>bus.touched(model),
        wrote (model, writes) {
            // whoever keeps what it read of this model does not wait until it is known what changed
            bus.touched(model);
            queue = queue.then(async ()=>bus.publish(await changesOf(model, writes))).catch((error)=>log.error('a write of a model could not be told', error));
        }
    };
}
/** The documents as they are now. */ async function changesOf(model, writes) {
    const filter = {
        _id: {
            $in: writes.map(({ id })=>id)
        }
    };
    const rows = await modelOf(model).collection.find(filter).toArray();
    const now = new Map(rows.map((row)=>[
            String(row['_id']),
            row
        ]));
    return writes.flatMap(({ id, isNew, before })=>{
        const after = now.get(String(id));
        if (after === undefined ? isNew : before !== undefined && sameRow(before, after)) return [];
        const event = eventOf(isNew, before, after);
        return {
            event,
            model,
            id: String(id),
            before,
            after,
            user: undefined,
            silent: false,
            origin: 'elsewhere'
        };
    });
}
function eventOf(isNew, before, after) {
    if (after === undefined) return 'del';
    if (after['_deleted'] === true) return before?.['_deleted'] === true ? 'put' : 'del';
    return isNew || before?.['_deleted'] === true ? 'post' : 'put';
}
