/**
 * `_cascade=1`: the documents that link to a deleted one go with it, on and on; lists of links only lose the id. Everything is
 * found and checked first, then done in one transaction where the database has them, the outermost documents first elsewhere.
 */ import { forbidden } from "../errors.js";
import { fromDatabase } from "../registry/database-errors.js";
import { notDeleted } from "../registry/deleted.js";
import { modelOf } from "../registry/mongoose.js";
import { changed } from "./changed.js";
import { coversAll } from "./covers.js";
import { recorder } from "./deletions.js";
import { checkAdminStays } from "./last-admin.js";
import { deletion, stamps } from "./remove.js";
import { missing } from "./target.js";
export async function cascade(context, filter, forGood) {
    let changes = [];
    try {
        const { removed, done } = await context.services.inTransaction(async (session)=>{
            const done = [];
            // of a transaction that fails nothing stays; without one, what was done before a fault is told
            if (session === undefined) changes = done;
            return {
                removed: await run(context, filter, forGood, session, done),
                done
            };
        });
        changes = done;
        if (removed === undefined) throw await missing(context, context.grant);
        return removed;
    } catch (error) {
        throw fromDatabase(error);
    } finally{
        if (changes.length > 0) changed(context, changes);
    }
}
/** @returns undefined when there is no such document, or somebody else had it in the meantime, which only happens without transactions */ async function run(context, filter, forGood, session, changes) {
    const root = await modelOf(context.model).collection.findOne(filter, options(session));
    if (root === null) return undefined;
    const doomed = new Map([
        [
            context.model,
            new Map([
                [
                    String(root['_id']),
                    root
                ]
            ])
        ]
    ]);
    const unlinkings = await follow(context, doomed, forGood, session);
    await keepAdmins(doomed, session);
    const mark = forGood ? undefined : deletion(context);
    const record = mark && recorder(context, root['_id'], mark['$set']['updatedAt'], session);
    const unlinked = {};
    for (const step of unlinkings)await unlink(context, step, doomed, {
        session,
        record,
        unlinked,
        changes
    });
    for (const [model, rows] of doomed)await record?.(model, [
        {
            ids: [
                ...rows.values()
            ].filter((row)=>row !== root).map((row)=>row['_id'])
        }
    ]);
    const deleted = {};
    for (const [model, rows] of [
        ...doomed
    ].reverse()){
        const others = [
            ...rows.values()
        ].map((row)=>row['_id']).filter((id)=>id !== root['_id']);
        await destroy(model, {
            _id: {
                $in: others
            }
        }, mark, session);
        if (forGood && model.name === 'user') await context.services.logins.remove(others, session);
        deleted[model.name] = rows.size;
        for (const [id, before] of rows)if (before !== root) changes.push({
            event: 'del',
            model,
            id,
            before
        });
    }
    if (await destroy(context.model, filter, mark, session) === 0) return undefined;
    if (forGood && context.model.name === 'user') await context.services.logins.remove([
        root['_id']
    ], session);
    changes.push({
        event: 'del',
        model: context.model,
        id: String(root['_id']),
        before: root
    });
    return {
        deleted,
        unlinked
    };
}
/** @throws 409 when no admin would be left */ async function keepAdmins(doomed, session) {
    for (const [model, rows] of doomed)if (model.name === 'user') await checkAdminStays(model, {
        _id: {
            $in: [
                ...rows.values()
            ].map((row)=>row['_id'])
        }
    }, session);
}
const options = (session)=>session === undefined ? {} : {
        session
    };
/** Finds all that follows, level by level; cycles end because each document is taken once. */ async function follow(context, doomed, forGood, session) {
    const unlinkings = [];
    let level = [
        ...doomed
    ].map(([model, rows])=>[
            model,
            [
                ...rows.values()
            ].map((row)=>row['_id'])
        ]);
    while(level.length > 0){
        const next = new Map();
        for (const [target, ids] of level)for (const { model: name, link } of target.linkedFrom){
            const model = context.services.registry.internal(name);
            if (link.stamp || model.options.internal) continue;
            if (link.array) unlinkings.push({
                model,
                link,
                ids
            });
            else (next.get(model) ?? next.set(model, []).get(model) ?? []).push(...await take(context, doomed, model, link, ids, forGood, session));
        }
        level = [
            ...next
        ].filter(([, ids])=>ids.length > 0);
    }
    return unlinkings;
}
/** The documents that hold one of the ids in a single link, not taken before; each must be the caller's to delete. */ async function take(context, doomed, model, link, ids, forGood, session) {
    const filter = {
        [link.path]: {
            $in: ids
        },
        ...forGood ? {} : {
            _deleted: {
                $ne: true
            }
        }
    };
    const rows = await modelOf(model).collection.find(filter, options(session)).toArray();
    const taken = doomed.get(model) ?? new Map();
    const fresh = rows.filter((row)=>!taken.has(String(row['_id'])));
    if (fresh.length === 0) return [];
    mayDelete(context, model, fresh);
    doomed.set(model, taken);
    for (const row of fresh)taken.set(String(row['_id']), row);
    return fresh.map((row)=>row['_id']);
}
/** @throws 403 unless the caller may delete these documents */ function mayDelete(context, model, rows) {
    if (!coversAll(context, 'd', model, rows)) throw forbidden(`${model.name} links to this, and you may not delete it`);
}
async function unlink(context, { model, link, ids }, doomed, { session, record, unlinked, changes }) {
    const { collection } = modelOf(model);
    const filter = {
        [link.path]: {
            $in: ids
        }
    };
    const rows = await collection.find(filter, options(session)).toArray();
    const staying = rows.filter((row)=>doomed.get(model)?.has(String(row['_id'])) !== true);
    if (staying.length === 0) return;
    mayDelete(context, model, staying);
    await record?.(model, losses(link, ids, staying));
    const touched = {
        _id: {
            $in: staying.map((row)=>row['_id'])
        }
    };
    const pull = {
        $pull: {
            [link.path]: {
                $in: ids
            }
        },
        $inc: {
            __v: 1
        }
    };
    // the time of a deletion stays with the documents that it marked
    const deleted = {
        ...touched,
        _deleted: true
    };
    if (staying.some((row)=>row['_deleted'] === true)) await collection.updateMany(deleted, pull, options(session));
    const active = {
        ...touched,
        ...notDeleted
    };
    await collection.updateMany(active, {
        ...pull,
        $set: stamps(context)
    }, options(session));
    unlinked[model.name] = (unlinked[model.name] ?? 0) + staying.length;
    const after = await collection.find(touched, options(session)).toArray();
    for (const row of after)changes.push({
        event: 'put',
        model,
        id: String(row['_id']),
        after: row
    });
}
/** Which documents lose which id. A list inside of another list cannot be found again, so its links do not come back. */ function losses({ path }, ids, rows) {
    const lost = new Map(ids.map((target)=>[
            String(target),
            {
                path,
                target: target,
                ids: []
            }
        ]));
    for (const row of rows)if (Array.isArray(row[path])) for (const id of new Set(row[path].map(String)))lost.get(id)?.ids.push(row['_id']);
    return [
        ...lost.values()
    ];
}
/** @param mark the update of a soft deletion; undefined deletes for good @returns how many documents were there to delete */ async function destroy(model, these, mark, session) {
    const { collection } = modelOf(model);
    if (mark === undefined) return (await collection.deleteMany(these, options(session))).deletedCount;
    return (await collection.updateMany(these, mark, options(session))).matchedCount;
}
