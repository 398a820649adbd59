/** An operation made ready to be sent: which documents it may touch, and what the database is told to do with them. */ import { fieldsIn } from "../../access/fields-in.js";
import { rowFilter } from "../../access/rows.js";
import { allOf } from "../../language/merge.js";
import { flagOf } from "../../language/tree.js";
import { castId } from "../../registry/cast.js";
import { notDeleted } from "../../registry/deleted.js";
import { modelOf } from "../../registry/mongoose.js";
import { deletedFlag } from "../deleted-flag.js";
import { changedBy } from "../changer.js";
import { newRow } from "../document.js";
import { kindOf, namesOne } from "../kind.js";
import { takesAdmins } from "../last-admin.js";
import { listFault, noLists } from "../positions.js";
import { refusesReferenced } from "../referenced.js";
import { deletion } from "../remove.js";
import { preparedUpdate } from "./mongoose-update.js";
import { replacing } from "./replacement.js";
import { seedOf, valuesOf } from "./upsert.js";
const makers = {
    insert,
    update,
    replace,
    delete: remove
};
/** @throws the faults of the operation's values: casting, validation, the model's middleware */ export async function stepFor(context, operation, at) {
    const make = makers[operation.kind];
    return {
        takesAdmins: false,
        removesUsers: false,
        ...await make(context, operation),
        at
    };
}
const matching = (context, filter, grant, deleted)=>allOf([
        filter,
        deleted,
        context.restrictions.hook,
        rowFilter(grant, context.model)
    ]);
async function insert(context, { document }) {
    const fresh = await newRow(context, document);
    const none = {
        _id: fresh['_id']
    };
    return {
        kind: 'insert',
        many: false,
        filter: none,
        fresh,
        act: ()=>({
                insertOne: {
                    document: fresh
                }
            })
    };
}
async function update(context, operation) {
    const { model, services } = context;
    const { set, flag } = settable(context, operation.update);
    const { $setOnInsert: _, ...operators } = operation.update;
    const change = {
        ...operators,
        $set: set,
        $inc: {
            ...operation.update['$inc'],
            __v: 1
        }
    };
    const all = matching(context, operation.filter, operation.grant, flag.filter);
    const kind = operation.many || !namesOne(operation.filter) ? modelOf(model) : await kindOf(model, all);
    const { filter, update } = await preparedUpdate(kind, all, change);
    const { many, upsert, numbered } = operation;
    const fault = await listFault(model, filter, numbered);
    if (fault !== undefined) throw fault;
    const act = (filter)=>many ? {
            updateMany: {
                filter,
                update
            }
        } : {
            updateOne: {
                filter,
                update
            }
        };
    return {
        kind: 'change',
        many,
        filter,
        // operations before this one may put a list there
        act: (filter)=>act(allOf([
                filter,
                noLists(numbered)
            ])),
        takesAdmins: takesAdmins(model, set),
        ...flag.deletes ? refusal(context, false) : {},
        ...upsert ? await toMake(context, {
            ...seedOf(operation.filter),
            ...valuesOf({
                ...operation.update,
                $set: set
            }, services.clock())
        }) : {}
    };
}
/** The `$set` with the caller's stamps and what `_deleted` means. */ function settable(context, update) {
    const set = {
        ...update['$set']
    };
    const flag = deletedFlag(context, set);
    if (typeof set['_owner_id'] === 'string') set['_owner_id'] = castId('_owner_id', set['_owner_id']);
    return {
        set: {
            ...set,
            ...changedBy(context.principal)
        },
        flag
    };
}
async function replace(context, operation) {
    const fields = await newRow(context, operation.replacement);
    const update = replacing(context, fields);
    return {
        kind: 'change',
        many: false,
        filter: matching(context, operation.filter, operation.grant, notDeleted),
        act: (filter)=>({
                updateOne: {
                    filter,
                    update
                }
            }),
        takesAdmins: takesAdmins(context.model, {
            admin: fields['admin']
        }),
        ...operation.upsert ? await toMake(context, {
            ...seedOf(operation.filter),
            ...operation.replacement
        }) : {}
    };
}
/** The document that an upsert makes goes through the same door as a body. */ async function toMake(context, values) {
    try {
        return {
            fresh: await newRow(context, fieldsIn(values, context.model, context.principal, false))
        };
    } catch (unfit) {
        return {
            unfit
        };
    }
}
function remove(context, { many, filter, grant }) {
    const forGood = flagOf(context.query, '_permaDelete');
    const update = deletion(context);
    const soft = (filter)=>many ? {
            updateMany: {
                filter,
                update
            }
        } : {
            updateOne: {
                filter,
                update
            }
        };
    const hard = (filter)=>many ? {
            deleteMany: {
                filter
            }
        } : {
            deleteOne: {
                filter
            }
        };
    return Promise.resolve({
        kind: 'delete',
        many,
        filter: matching(context, filter, grant, forGood ? undefined : notDeleted),
        act: forGood ? hard : soft,
        takesAdmins: context.model.name === 'user',
        removesUsers: context.model.name === 'user' && forGood,
        ...refusal(context, forGood)
    });
}
const refusal = (context, forGood)=>refusesReferenced(context) ? {
        refusal: {
            forGood
        }
    } : {};
