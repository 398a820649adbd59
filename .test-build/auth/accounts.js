/** What the server keeps of a user beside their document: the API key's salt and digest, the session epoch, the number of logins. */ import { modelOf, ObjectId } from "../registry/mongoose.js";
import { asked, isTaken } from "./asked.js";
import { digest, newSalt } from "./tokens.js";
export function makeAccounts(registry, tokens, clock) {
    const { collection } = modelOf(registry.internal('_account'));
    const newKey = (user)=>{
        const key_salt = newSalt();
        const key = tokens.key(user, key_salt);
        return {
            key,
            fields: {
                key_salt,
                key_digest: digest(key)
            }
        };
    };
    const find = async (user)=>accountFrom(await collection.findOne(idOf(user)));
    return {
        find: (user)=>asked(()=>find(user)),
        findOrMake: ({ id, incarnation }, mark)=>asked(async ()=>{
                const found = await find(id);
                if (found?.incarnation === incarnation) return found;
                // an epoch that no earlier account of this id has reached
                const epoch = Math.max(clock().getTime(), (found?.epoch ?? 0) + 1);
                const fresh = {
                    ...newKey(id).fields,
                    incarnation,
                    epoch,
                    mark,
                    logins: 0
                };
                const earlier = {
                    ...idOf(id),
                    incarnation: found?.incarnation ?? null
                };
                try {
                    await collection.updateOne(earlier, {
                        $set: fresh
                    }, {
                        upsert: found === undefined
                    });
                } catch (error) {
                    if (!isTaken(error)) throw error;
                }
                return find(id);
            }),
        moveOn: (user, from, mark)=>asked(async ()=>{
                const filter = {
                    ...idOf(user),
                    epoch: from.epoch,
                    mark: from.mark
                };
                const update = {
                    $inc: {
                        epoch: 1
                    },
                    $set: {
                        mark
                    }
                };
                return accountFrom(await collection.findOneAndUpdate(filter, update, after));
            }),
        claim: (user, epoch)=>asked(async ()=>{
                const done = await collection.updateOne({
                    ...idOf(user),
                    epoch
                }, {
                    $inc: {
                        epoch: 1
                    }
                });
                return done.modifiedCount === 1;
            }),
        end: (user)=>asked(async ()=>{
                const row = await collection.findOneAndUpdate(idOf(user), {
                    $inc: {
                        epoch: 1
                    }
                }, after);
                return accountFrom(row)?.epoch;
            }),
        nextLogin: (user, epoch)=>asked(async ()=>{
                const filter = {
                    ...idOf(user),
                    epoch
                };
                const row = await collection.findOneAndUpdate(filter, {
                    $inc: {
                        logins: 1
                    }
                }, after);
                if (row === null) return undefined;
                return {
                    serial: Number(row['logins']),
                    key: tokens.key(user, String(row['key_salt']))
                };
            }),
        renewKey: ({ id, incarnation })=>asked(async ()=>{
                const { key, fields } = newKey(id);
                const done = await collection.updateOne({
                    ...idOf(id),
                    incarnation
                }, {
                    $set: fields
                });
                return done.matchedCount === 1 ? key : undefined;
            }),
        userByKey: (key)=>asked(async ()=>{
                const options = {
                    projection: {
                        incarnation: 1
                    }
                };
                const row = await collection.findOne({
                    key_digest: digest(key)
                }, options);
                return row === null ? undefined : {
                    id: String(row['_id']),
                    incarnation: String(row['incarnation'])
                };
            })
    };
}
const after = {
    returnDocument: 'after'
};
const idOf = (user)=>({
        _id: new ObjectId(user)
    });
const accountFrom = (row)=>row === null ? undefined : {
        incarnation: typeof row['incarnation'] === 'string' ? row['incarnation'] : undefined,
        epoch: Number(row['epoch']),
        mark: String(row['mark'])
    };
