/** A request → the plan of a list, a count or one document. */ import { noTextIndex } from "../errors.js";
import { fieldsFrom } from "../language/fields.js";
import { filterFromQuery } from "../language/filter.js";
import { populationsFrom } from "../language/populate.js";
import { searchFrom } from "../language/search.js";
import { sortFrom } from "../language/sort.js";
import { flagOf } from "../language/tree.js";
import { exportPage, pageFor } from "./limits.js";
import { linkPlans } from "./links.js";
import { rowsPlan } from "./rows-plan.js";
export async function planList(context, wishes = {}) {
    const { model, query, services } = context;
    const search = wishes.search === false ? undefined : checkedSearch(context);
    const scored = search?.text !== undefined;
    const showDeleted = flagOf(query, 'showDeleted');
    const rows = rowsPlan(context, model, {
        grant: context.grant,
        filters: [
            textFilter(search),
            wishes.bodyFilter,
            filterFromQuery(query['filter'], model.schema),
            ...search?.filters ?? [],
            context.restrictions.hook
        ],
        fields: fieldsFrom(query['fields'], model, {
            scored
        }),
        links: wishes.populate === false ? [] : linksOf(context, showDeleted),
        showDeleted
    });
    const sort = sortFrom(query['sort'], model.schema, scored);
    const size = await services.sizes.of(model);
    const page = (wishes.exports === true ? exportPage : pageFor)(query, model, size, services.settings.query_limits);
    return {
        ...rows,
        sort,
        scored,
        page,
        size
    };
}
/** The rows that a count counts: filters, but no search. */ export function planCount(context) {
    const { model, query } = context;
    return rowsPlan(context, model, {
        grant: context.grant,
        filters: [
            filterFromQuery(query['filter'], model.schema),
            context.restrictions.hook
        ],
        fields: undefined,
        links: [],
        showDeleted: flagOf(query, 'showDeleted')
    });
}
/** One document by its id. Whether it is deleted is told, not hidden, so the plan finds deleted ones too. */ export function planOne(context, id) {
    const { model, query } = context;
    return rowsPlan(context, model, {
        grant: context.grant,
        filters: [
            {
                _id: id
            },
            context.restrictions.hook
        ],
        fields: fieldsFrom(query['fields'], model),
        links: linksOf(context, flagOf(query, 'showDeleted')),
        showDeleted: true
    });
}
const linksOf = (context, showDeleted)=>linkPlans(context, context.model, {
        named: populationsFrom(context.query['populate']),
        all: flagOf(context.query, 'autopopulate'),
        showDeleted
    });
function checkedSearch({ query, model }) {
    const search = searchFrom(query['search'], model.schema);
    if (search?.text !== undefined && !model.textIndexed) throw noTextIndex(model.name);
    return search;
}
const textFilter = (search)=>search?.text === undefined ? undefined : {
        $text: {
            $search: search.text
        }
    };
