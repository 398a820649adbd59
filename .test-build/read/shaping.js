/** Rows and their linked rows → shaped documents, by way of plain objects. */ import { shape } from "../access/shape.js";
import { withFields } from "../access/with-fields.js";
import { computedRowOf, modelOf } from "../registry/mongoose.js";
import { idsOf } from "./bytes/placed.js";
import { plainRow } from "./bytes/plain.js";
import { fetchLinked } from "./fetch.js";
/** Shapes rows, fetching the linked ones by one query a link. */ export async function shapeRows(plan, rows, source, withId = true) {
    const placed = await Promise.all(plan.links.map((link)=>placedLink(link, rows, source)));
    const also = plan.links.map(({ link })=>link.path);
    return rows.map((bytes)=>{
        const row = plainRow(bytes);
        const whole = plan.model.computed ? computed(plan, row, also) : row;
        return shape(whole, plan.fields, placed, withId);
    });
}
async function placedLink({ link, rows: plan, identityOnly }, rows, source) {
    const ids = idsOf(rows, link.path);
    const found = ids.length === 0 ? [] : await fetchLinked(plan, ids, source);
    const shaped = await shapeRows(plan, found, source, !identityOnly);
    const byId = new Map(shaped.map((document)=>[
            String(document['_id']),
            document
        ]));
    return {
        path: link.path,
        as: link.as,
        array: link.array,
        find: (id)=>byId.get(id)
    };
}
/** The row with the schema's virtuals and getters, cut to what is asked for. */ function computed({ model, fields }, row, also) {
    const plain = withFields(computedRowOf(modelOf(model).hydrate(row)), fields, also);
    return row['score'] === undefined ? plain : {
        ...plain,
        score: row['score']
    };
}
