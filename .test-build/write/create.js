/** POST: creates one document. */ import { shape } from "../access/shape.js";
import { ownWrite } from "../registry/model-writes.js";
import { modelOf, saveDocument, storedRow } from "../registry/mongoose.js";
import { valuesFrom } from "./body.js";
import { checkLinks } from "./check-links.js";
import { changed } from "./changed.js";
import { owned } from "./document.js";
import { checkGroups } from "./groups.js";
import { fromWrite } from "./mongoose-errors.js";
import { computedRow } from "./row.js";
export async function create(context) {
    const { model } = context;
    const values = await valuesFrom(context, false);
    checkGroups(model, values);
    await checkLinks(context, [
        values
    ]);
    const whole = owned(context, values);
    try {
        const document = new (modelOf(model))(whole);
        // a body that names `_deleted` has been stripped of it; the default holds
        await saveDocument(ownWrite(document));
        const row = storedRow(document);
        const id = String(row['_id']);
        changed(context, [
            {
                event: 'post',
                model,
                id,
                after: row
            }
        ]);
        return {
            id,
            data: shape(computedRow(model, row))
        };
    } catch (error) {
        throw fromWrite(error);
    }
}
