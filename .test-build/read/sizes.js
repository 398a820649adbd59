/** Estimated sizes of collections: asked at most once a second for a model, and followed by this server's own writes in between. */ import { fromDatabase } from "../registry/database-errors.js";
import { modelOf } from "../registry/mongoose.js";
const oldest = 1000;
export function makeSizes(bus, clock) {
    const known = new Map();
    bus.subscribe((changes)=>{
        for (const { event, model } of changes){
            const entry = known.get(model);
            if (entry !== undefined && event === 'post') entry.added += 1;
        }
    });
    return {
        async of (model) {
            const now = clock().getTime();
            const before = known.get(model);
            if (before !== undefined && now - before.at < oldest) return await before.size + before.added;
            const size = modelOf(model).collection.estimatedDocumentCount();
            const entry = {
                at: now,
                size,
                added: 0
            };
            known.set(model, entry);
            try {
                return await size + entry.added;
            } catch (error) {
                known.delete(model);
                throw fromDatabase(error);
            }
        }
    };
}
