/** Writes steps of one kind by one command, counts what it did, and tells of it. */ import { allOf } from "../../language/merge.js";
import { modelOf, mongo, ObjectId } from "../../registry/mongoose.js";
import { changed } from "../changed.js";
import { faultAt } from "./fault.js";
import { imagesBefore, tellOf } from "./images.js";
/** @returns how many documents matched @throws Failure naming the operation, after what was done before it has been told */ export async function write(context, steps, counts) {
    const { model, services } = context;
    const isHeard = steps[0]?.kind !== 'insert' && (services.bus.wantsBefore(model) || model.name === 'user');
    const before = isHeard ? await imagesBefore(context, steps) : undefined;
    if (isHeard && before === undefined) return inPieces(context, steps, counts);
    const removes = before !== undefined && steps.some(({ removesUsers })=>removesUsers);
    const sent = await (removes ? sendRemoving(context, steps, before) : send(context, steps));
    const { matched, made } = count(sent, counts);
    if (before !== undefined) await tellOf(context, before, [
        ...made.values()
    ]);
    else {
        changed(context, [
            ...made
        ].map(([{ fresh }, id])=>({
                event: 'post',
                model,
                id: String(id),
                after: fresh
            })));
        // a failure may have lost the answer of a command that was done
        if (matched > 0 || sent.failure !== undefined) services.bus.touched(model);
    }
    if (sent.failure !== undefined) throw sent.failure(counts);
    return matched;
}
/** Too many documents may be meant to look at all of them before: step by step, and a step's documents by their ids. */ async function inPieces(context, steps, counts) {
    let matched = 0;
    const [first] = steps;
    if (first === undefined || steps.length > 1) {
        for (const step of steps)matched += await write(context, [
            step
        ], counts);
        return matched;
    }
    const { collection } = modelOf(context.model);
    const { fresh, ...step } = first;
    const found = collection.find(step.filter, {
        projection: {
            _id: 1
        },
        ...step.many ? {} : {
            limit: 1
        }
    });
    const ids = (await found.toArray()).map(({ _id })=>_id);
    for(let at = 0; at < ids.length; at += pieceSize){
        const piece = ids.length === 1 ? ids[0] : {
            $in: ids.slice(at, at + pieceSize)
        };
        matched += await write(context, [
            {
                ...step,
                filter: allOf([
                    {
                        _id: piece
                    },
                    step.filter
                ])
            }
        ], counts);
    }
    // another caller may have changed or removed what was found
    const isDone = matched > 0 || step.many && fresh === undefined;
    return isDone ? matched : write(context, steps, counts);
}
const pieceSize = 1000;
/** Removes users with what the server keeps of them. @param before the users who may go */ const sendRemoving = (context, steps, before)=>context.services.inTransaction(async (session)=>{
        const sent = await send(context, steps, session);
        const ids = [
            ...before.values()
        ].map(({ _id })=>_id);
        const options = {
            projection: {
                _id: 1
            },
            ...session === undefined ? {} : {
                session
            }
        };
        const left = await modelOf(context.model).collection.find({
            _id: {
                $in: ids
            }
        }, options).toArray();
        const staying = new Set(left.map(({ _id })=>String(_id)));
        await context.services.logins.remove(ids.filter((id)=>!staying.has(String(id))), session);
        return sent;
    });
/** @param session of a transaction, of which nothing stays when it fails */ async function send({ model }, steps, session) {
    const commands = steps.flatMap(sendingsOf);
    try {
        const result = await modelOf(model).collection.bulkWrite(commands.map(({ command })=>command), {
            ordered: true,
            ...session === undefined ? {} : {
                session
            }
        });
        return {
            commands,
            result,
            done: commands.length
        };
    } catch (error) {
        if (session !== undefined || !(error instanceof mongo.MongoBulkWriteError)) throw error;
        const done = [
            error.writeErrors
        ].flat()[0]?.index ?? 0;
        const at = commands[done]?.step.at ?? 0;
        return {
            commands,
            result: error.result,
            done,
            failure: (counts)=>faultAt(error, at, counts)
        };
    }
}
/** An upsert is two: one makes the document where there is none, the other changes those that were there. */ function sendingsOf(step) {
    const { kind, filter, fresh, act } = step;
    if (kind === 'insert') return [
        {
            step,
            command: act(filter),
            makes: true
        }
    ];
    if (fresh === undefined) return [
        {
            step,
            command: act(filter),
            makes: false
        }
    ];
    const { _id, createdAt } = fresh;
    // an alternative, of which nothing comes, keeps the filter's values out of the new document
    const absent = {
        $or: [
            filter,
            {
                _id: new ObjectId()
            }
        ]
    };
    return [
        {
            step,
            command: {
                updateOne: {
                    filter: absent,
                    update: {
                        $setOnInsert: fresh
                    },
                    upsert: true
                }
            },
            makes: true
        },
        {
            step,
            command: act({
                $and: [
                    filter,
                    {
                        $nor: [
                            {
                                _id,
                                createdAt
                            }
                        ]
                    }
                ]
            }),
            makes: false
        }
    ];
}
/** @returns how many documents matched, and the ids of new ones */ function count({ commands, result, done }, counts) {
    const kind = commands[0]?.step.kind;
    const made = new Map();
    commands.slice(0, done).forEach(({ step, makes }, at)=>{
        const id = kind === 'insert' ? step.fresh?.['_id'] : result.upsertedIds[at];
        if (makes && id !== undefined) made.set(step, id);
    });
    const ids = kind === 'insert' ? counts.insertedIds : counts.upsertedIds;
    for (const [{ at }, id] of made)ids[String(at)] = String(id);
    if (kind === 'insert') counts.nInserted += made.size;
    else counts.nUpserted += made.size;
    // an upsert's first statement counts as matched where the document was there
    const idle = kind === 'insert' ? 0 : commands.slice(0, done).filter(({ makes })=>makes).length - made.size;
    const matched = result.matchedCount - idle + result.deletedCount;
    if (kind === 'delete') counts.nRemoved += matched;
    else counts.nMatched += matched;
    counts.nModified += kind === 'delete' ? 0 : result.modifiedCount;
    return {
        matched,
        made
    };
}
