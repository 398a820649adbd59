/** Users as the auth code sees them: what is known of one, their password hash, and the changes that it makes to them. */ import { plainEmail } from "../email.js";
import { notUnique } from "../errors.js";
import { incarnationPath, newIncarnation } from "../registry/built-in/incarnation.js";
import { notDeleted } from "../registry/deleted.js";
import { isId } from "../registry/cast.js";
import { modelOf, ObjectId } from "../registry/mongoose.js";
import { asked } from "./asked.js";
export const isBound = (user)=>user.incarnation !== undefined;
export function makeUsers(registry, bus, clock) {
    const model = registry.internal('user');
    const { collection } = modelOf(model);
    const find = (filter)=>asked(async ()=>{
            const row = await collection.findOne({
                ...filter,
                ...notDeleted
            });
            return row === null ? undefined : storedFrom(row);
        });
    /** One atomic update, told to the bus. */ const changeOne = (filter, update, by)=>asked(async ()=>{
            const stamps = {
                updatedAt: clock(),
                ...by === undefined ? {} : {
                    _updated_by_id: new ObjectId(by)
                }
            };
            const whole = {
                ...update,
                $set: {
                    ...update['$set'],
                    ...stamps
                },
                $inc: {
                    __v: 1
                }
            };
            const after = await collection.findOneAndUpdate({
                ...filter,
                ...notDeleted
            }, whole, {
                returnDocument: 'after'
            });
            if (after !== null) bus.publish([
                {
                    event: 'put',
                    model,
                    id: String(after['_id']),
                    after,
                    user: by,
                    silent: false
                }
            ]);
            return after;
        });
    /** Changes a user who is still the same one. @param as fields that must be as they were read */ const changeSame = async ({ id, incarnation }, as, $set)=>await changeOne({
            _id: new ObjectId(id),
            [incarnationPath]: incarnation,
            ...as
        }, {
            $set
        }, id) !== null;
    const isOthers = async (email, id)=>await collection.findOne({
            email,
            _id: {
                $ne: new ObjectId(id)
            }
        }, {
            projection: {
                _id: 1
            }
        }) !== null;
    return {
        byEmail: (email)=>find({
                email: plainEmail(email)
            }),
        byId: async (id)=>isId(id) ? find({
                _id: new ObjectId(id)
            }) : undefined,
        stateOf: (id)=>asked(async ()=>{
                const row = await collection.findOne({
                    _id: new ObjectId(id)
                }, {
                    projection: {
                        _deleted: 1
                    }
                });
                return row === null ? 'gone' : row['_deleted'] === true ? 'deleted' : 'active';
            }),
        async bound (user) {
            if (isBound(user)) return user;
            const _id = new ObjectId(user.id);
            const fresh = {
                $set: {
                    [incarnationPath]: newIncarnation()
                }
            };
            await asked(()=>collection.updateOne({
                    _id,
                    [incarnationPath]: null
                }, fresh));
            const now = await find({
                _id
            });
            return now !== undefined && isBound(now) ? now : undefined;
        },
        setHash: (user, password)=>changeSame(user, {
                password: user.hash ?? null
            }, {
                password
            }),
        recover: (user, password)=>changeSame(user, {
                email: user.known.email
            }, {
                password,
                email_verified: true
            }),
        verify: async (user)=>void await changeSame(user, {
                email: user.known.email
            }, {
                email_verified: true
            }),
        async setEmail (user, email) {
            const as = {
                email: user.known.email,
                password: user.hash ?? null
            };
            try {
                return await changeSame(user, as, {
                    email,
                    email_verified: false
                });
            } catch (error) {
                if (await asked(()=>isOthers(email, user.id))) throw notUnique([
                    'email'
                ]);
                throw error;
            }
        },
        of: async (id)=>isId(id) ? (await find({
                _id: new ObjectId(id)
            }))?.known.groups : undefined,
        change: async (id, update, by)=>{
            const after = await changeOne({
                _id: new ObjectId(id)
            }, groupsUpdate(update), by);
            return after === null ? undefined : knownFrom(after).groups;
        }
    };
}
function groupsUpdate({ add, remove, replace }) {
    if (replace !== undefined) return {
        $set: {
            groups: [
                ...new Set(replace)
            ]
        }
    };
    return remove === undefined ? {
        $addToSet: {
            groups: {
                $each: add ?? []
            }
        }
    } : {
        $pull: {
            groups: {
                $in: remove
            }
        }
    };
}
function storedFrom(row) {
    const known = knownFrom(row);
    const { password, email_verified, [incarnationPath]: incarnation } = row;
    return {
        id: known.id,
        known,
        hash: typeof password === 'string' ? password : undefined,
        verified: email_verified === true,
        incarnation: typeof incarnation === 'string' ? incarnation : undefined
    };
}
function knownFrom(row) {
    const id = String(row['_id']);
    const { groups, name } = row;
    return Object.freeze({
        _id: id,
        id,
        email: String(row['email'] ?? ''),
        ...typeof name === 'string' ? {
            name
        } : {},
        admin: row['admin'] === true,
        groups: Array.isArray(groups) ? groups.filter((group)=>typeof group === 'string') : []
    });
}
