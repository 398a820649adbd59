/** `populate` → plans of their own for the linked rows, each through the caller's rights. */ import { decide } from "../access/decide.js";
import { badParameter, forbidden } from "../errors.js";
import { suggestion } from "../nearest.js";
import { fieldsFrom } from "../language/fields.js";
import { rowsPlan } from "./rows-plan.js";
/** The links to show. @throws 400 for a name that is no link, 403 for one that the caller may not read */ export function linkPlans(context, model, wishes) {
    const plans = new Map();
    if (wishes.all) for (const link of model.links){
        const plan = linkPlan(context, link, {
            name: link.as,
            fields: undefined,
            inner: []
        }, wishes);
        if (plan !== undefined) plans.set(link, plan);
    }
    for (const [link, wish] of wishes.named.flatMap((named)=>linksNamed(model, named))){
        const plan = linkPlan(context, link, wish, wishes);
        if (plan === undefined) throw forbidden(`you may not read ${link.model}`);
        plans.set(link, plan);
    }
    return [
        ...plans.values()
    ];
}
/** The links that a name means; the dots of `holder.part` may also lead into a nested document. @throws 400 */ function linksNamed(model, wish) {
    const { name, inner } = wish;
    const link = model.links.find(({ as, path })=>as === name || path === name) ?? nested(model, name);
    if (link !== undefined) return [
        [
            link,
            wish
        ]
    ];
    if (inner.length === 0) {
        const names = model.links.flatMap(({ as, path })=>[
                as,
                path
            ]);
        throw badParameter('populate', `${name} is no link of ${model.name}${suggestion(name, names)}`);
    }
    return inner.flatMap((below)=>linksNamed(model, {
            ...below,
            name: `${name}.${below.name}`
        }));
}
/** A link inside a nested document is named by its last part when that is the only one of that name. */ function nested(model, name) {
    const found = model.links.filter(({ as, path })=>as.endsWith(`.${name}`) || path.endsWith(`.${name}`));
    return found.length === 1 ? found[0] : undefined;
}
function linkPlan(context, link, wish, wishes) {
    const model = context.services.registry.internal(link.model);
    const grant = model.options.internal ? undefined : decide(context.principal, 'r', model);
    const isPerson = link.path === '_owner_id' || link.path === '_updated_by_id';
    const identityOnly = isPerson && model.name === 'user' && grant?.rows !== 'all';
    if (grant === undefined && !identityOnly) return undefined;
    // of a person whom the caller may not read, no name of a link is told either
    const inner = identityOnly ? [] : linkPlans(context, model, {
        named: wish.inner,
        all: false,
        showDeleted: wishes.showDeleted
    });
    const fields = identityOnly ? {
        mode: 'only',
        paths: [
            'name'
        ]
    } : fieldsFrom(wish.fields, model, {
        name: 'populate'
    });
    const rows = rowsPlan(context, model, {
        // whose name is shown is decided by the document that shows it
        grant: identityOnly ? undefined : grant,
        filters: [],
        fields,
        links: inner,
        showDeleted: wishes.showDeleted
    });
    return {
        link,
        rows,
        identityOnly
    };
}
