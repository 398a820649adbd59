/** Groups of users that JXP keeps in a collection of its own are moved into the users, once in the life of a database. */ import { reservedGroups } from "../access/principal.js";
import { modelOf } from "../registry/mongoose.js";
import { asked } from "./asked.js";
const source = 'usergroups';
const pieceSize = 500;
/**
 * Adds the groups in `usergroups` (`{ user_id, groups }`) to their users. It is called before the server makes its own collections,
 * by which it tells the first start: later on the collection may be a model of the application that other callers write to.
 * @returns what the operator is to know of it, in sentences
 */ export function moveGroups({ registry, connection, clock, isOfJxp }) {
    return asked(async ()=>{
        const marks = modelOf(registry.internal('_setup')).collection;
        const done = {
            _id: source
        };
        const isFirst = (await connection.db?.listCollections({
            name: marks.name
        }).toArray())?.length === 0;
        if (!(isFirst || isOfJxp) || await marks.findOne(done) !== null) return [];
        const moved = await moveAll(connection, modelOf(registry.internal('user')).collection);
        await marks.updateOne(done, {
            $setOnInsert: {
                at: clock()
            }
        }, {
            upsert: true
        });
        return moved;
    });
}
async function moveAll(connection, users) {
    const left = new Map();
    let count = 0;
    let piece = [];
    const flush = async ()=>{
        if (piece.length > 0) await users.bulkWrite(piece.flatMap(joining), {
            ordered: true
        });
        count += piece.length;
        piece = [];
    };
    for await (const row of connection.collection(source).find({}, {
        projection: {
            user_id: 1,
            groups: 1
        }
    })){
        const found = membershipIn(row, left);
        if (found !== undefined) piece.push(found);
        if (piece.length === pieceSize) await flush();
    }
    await flush();
    return [
        ...count === 0 ? [] : [
            `User groups: those of ${count} users in the collection ${source} are in the users now; it is not read again`
        ],
        ...[
            ...left
        ].map(([name, times])=>`User groups: ${JSON.stringify(name)} is the name of a role, so ${times} users are not in a group of this name; what it gave them has to be given by admin: true or another group`)
    ];
}
/** @param left counts the memberships that cannot be moved, by group */ function membershipIn({ user_id, groups }, left) {
    const names = (Array.isArray(groups) ? groups : []).filter((name)=>typeof name === 'string');
    const given = [
        ...new Set(names.map((name)=>name.trim()))
    ].filter((name)=>name !== '');
    const reserved = given.filter((name)=>reservedGroups.has(name));
    for (const name of reserved)left.set(name, (left.get(name) ?? 0) + 1);
    const kept = given.filter((name)=>!reservedGroups.has(name));
    return kept.length === 0 || user_id === undefined || user_id === null ? undefined : {
        user_id,
        groups: kept
    };
}
/** A user of JXP has no list of groups, or null. */ const joining = ({ user_id, groups })=>{
    const _id = user_id;
    return [
        {
            updateOne: {
                filter: {
                    _id,
                    groups: null
                },
                update: {
                    $set: {
                        groups: []
                    }
                }
            }
        },
        {
            updateOne: {
                filter: {
                    _id
                },
                update: {
                    $addToSet: {
                        groups: {
                            $each: [
                                ...groups
                            ]
                        }
                    }
                }
            }
        }
    ];
};
