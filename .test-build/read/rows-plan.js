/** Which rows of a model a request reads: caller AND hook AND rights AND deletion. The only maker of plans. */ import { rowFilter } from "../access/rows.js";
import { projectionOf, withNested } from "../language/fields.js";
import { allOf } from "../language/merge.js";
import { notDeleted } from "../registry/deleted.js";
export function rowsPlan(context, model, wishes) {
    const { grant, filters, links, showDeleted } = wishes;
    const linkPaths = links.map(({ link })=>link.path);
    const fields = withNested(wishes.fields, linkPaths);
    return {
        model,
        filter: allOf([
            ...filters,
            grant === undefined ? undefined : rowFilter(grant, model),
            showDeleted ? undefined : notDeleted
        ]),
        fields,
        projection: model.computed ? undefined : projectionOf(fields, linkPaths),
        links,
        maxTimeMS: context.services.settings.query_limits.max_time_ms
    };
}
