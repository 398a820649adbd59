/** How a document was before a change, read only while somebody listens who must be told when it stops matching. */ import { fromDatabase } from "../registry/database-errors.js";
import { modelOf } from "../registry/mongoose.js";
export async function rowBefore({ model, services }, filter) {
    if (!services.bus.wantsBefore(model)) return undefined;
    try {
        return await modelOf(model).collection.findOne(filter) ?? undefined;
    } catch (error) {
        throw fromDatabase(error);
    }
}
