/** A change as subscribers are told of it: shaped and written as JSON once, however many hear of it. */ import { shape } from "../access/shape.js";
import { computedRow } from "../write/row.js";
export function makeNews() {
    const made = new WeakMap();
    return (change, event)=>{
        const known = made.get(change) ?? {};
        made.set(change, known);
        return known[event] ??= newsOf(change, event);
    };
}
function newsOf(change, event) {
    const { position, model, user } = change;
    const item = itemOf(change, event);
    const json = JSON.stringify({
        event,
        modelname: model.name,
        item,
        user_id: user ?? null,
        position
    });
    return {
        position,
        json,
        bytes: Buffer.from(json)
    };
}
/** The document as it is now; of one that is gone, or that the subscriber may see no longer, only the id. */ function itemOf({ model, id, after }, event) {
    if (event === 'del' || after === undefined) return {
        _id: id,
        id
    };
    return shape(computedRow(model, {
        ...after
    }));
}
