/** The first admin: made once, only while there is no user, also when two callers come at once. */ import { conflict } from "../errors.js";
import { fromDatabase } from "../registry/database-errors.js";
import { modelOf, mongo, ObjectId } from "../registry/mongoose.js";
import { plainEmail } from "../email.js";
const mark = 'first admin';
/** A mark without a user that is older than this was left by a crash. */ const abandonedAfter = 30_000;
/** @throws 409 when there is a user */ export async function requireSetup(registry) {
    if (!await setupNeeded(registry)) throw conflict('there is a user already');
}
/** Whether there is no user at all, deleted or not. */ export async function setupNeeded(registry) {
    try {
        return await modelOf(registry.internal('user')).collection.findOne({}, {
            projection: {
                _id: 1
            }
        }) === null;
    } catch (error) {
        throw fromDatabase(error);
    }
}
/** Makes the first admin. @returns their id @throws 409 when there is a user, or somebody else is making one */ export async function makeFirstAdmin(registry, passwords, clock, given) {
    await requireSetup(registry);
    const hash = await passwords.hash(given.password, mark);
    return whileSettingUp(registry, clock, async ()=>{
        // somebody else may have finished in the meantime
        await requireSetup(registry);
        const _id = new ObjectId();
        const model = modelOf(registry.internal('user'));
        const user = new model({
            ...model.schema.path('name')?.instance === 'String' ? {
                name: given.name
            } : {},
            ...given.fields,
            _id,
            email: plainEmail(given.email),
            password: hash,
            admin: true,
            _owner_id: _id
        });
        await user.save();
        return _id.toHexString();
    });
}
/** Does what only one may do at once while there is no user, on all servers of the database. @throws 409 when somebody else is at it */ export async function whileSettingUp(registry, clock, work) {
    await claim(registry, clock());
    try {
        return await work();
    } catch (error) {
        throw fromDatabase(error);
    } finally{
        // one that cannot be taken away is abandoned by and by
        await release(registry).catch(()=>undefined);
    }
}
async function claim(registry, now) {
    const { collection } = modelOf(registry.internal('_setup'));
    const abandoned = new Date(now.getTime() - abandonedAfter);
    try {
        await collection.updateOne({
            _id: mark,
            at: {
                $lt: abandoned
            }
        }, {
            $set: {
                at: now
            }
        }, {
            upsert: true
        });
    } catch (error) {
        if (error instanceof mongo.MongoServerError && error.code === 11000) throw conflict('somebody else is setting up');
        throw fromDatabase(error);
    }
}
const release = async (registry)=>void await modelOf(registry.internal('_setup')).collection.deleteOne({
        _id: mark
    });
