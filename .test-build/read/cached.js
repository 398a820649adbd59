/** Which reads are kept, and under which key: the plan, in which the caller's rights are, so that only those who see the same share an answer. */ import { createHash } from 'node:crypto';
import { mongo } from "../registry/mongoose.js";
import { pageUrl } from "./next.js";
import { baseUrl } from "../settings/public-url.js";
/** A read of rows, kept under its plan. */ export function cachedRows(context, plan, make) {
    const list = 'page' in plan ? {
        sort: plan.sort,
        page: plan.page,
        scored: plan.scored
    } : {};
    return cached(context, modelsOf(plan), ()=>({
            ...canonical(plan),
            ...list
        }), make);
}
/** Any read, kept under what it is made of. @param models whose changes make it old */ export function cached(context, models, of, make) {
    const { cache, settings } = context.services;
    if (cache === undefined || models.some(({ options })=>!options.cache)) return make();
    // answers hold the addresses of other pages
    const url = pageUrl(context.url, 1, baseUrl(settings));
    // BSON keeps apart what JSON would show alike, such as an id and its text
    const bytes = mongo.BSON.serialize({
        url,
        ...of()
    });
    return cache.through(createHash('sha256').update(bytes).digest('base64'), models, make);
}
const canonical = ({ model, filter, fields, links })=>({
        model: model.name,
        filter,
        fields,
        links: links.map(({ link, rows, identityOnly })=>({
                path: link.path,
                identityOnly,
                rows: canonical(rows)
            }))
    });
function modelsOf({ model, links }) {
    return [
        ...new Set([
            model,
            ...links.flatMap(({ rows })=>modelsOf(rows))
        ])
    ];
}
