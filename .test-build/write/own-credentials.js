/** What users change of themselves elsewhere only: the password and the email by giving the password, the verification not at all. */ import { plainEmail } from "../email.js";
import { badValue } from "../errors.js";
import { allOf } from "../language/merge.js";
import { incarnationPath } from "../registry/built-in/incarnation.js";
import { fromDatabase } from "../registry/database-errors.js";
import { modelOf, ObjectId } from "../registry/mongoose.js";
import { unaliased } from "../registry/real-path.js";
const reasons = new Map([
    [
        'password',
        'of yourself is changed by POST /login/password'
    ],
    [
        'email',
        'of yourself is changed by PUT /login/email'
    ],
    [
        'email_verified',
        'of yourself is set by a recovery mail, an OAuth provider or another admin'
    ]
]);
/** Whether an update is about the caller's own user document. */ export const isOneself = ({ model, params, principal: { user } })=>model.name === 'user' && user !== undefined && params['id']?.toLowerCase() === user.id;
/**
 * @param body what the caller sends for their own document. The email that they have is no change
 * @throws 400 naming the endpoint that changes it
 */ export function refuseOwnCredentials({ model, principal }, body) {
    const fault = faultOf(model, principal, body);
    if (fault !== undefined) throw fault;
}
/**
 * The filter of a bulk operation, which never matches the caller where it would change their credentials: an operation before it
 * may change what the filter matches.
 * @param set the fields that it sets @throws 400 naming the endpoint, when the filter matches the caller now
 */ export async function sparingOneself(context, filter, set) {
    const { model, principal } = context;
    const { user } = principal;
    const names = Object.keys(set).map((name)=>fieldOf(model, name));
    if (model.name !== 'user' || user === undefined || !names.some((name)=>reasons.has(name))) return filter;
    const fault = faultOf(model, principal, set);
    const _id = new ObjectId(user.id);
    // an email that was the caller's a moment ago may be another by now
    if (fault === undefined) return allOf([
        filter,
        {
            $or: [
                {
                    _id: {
                        $ne: _id
                    }
                },
                {
                    email: user.email
                }
            ]
        }
    ]);
    if (await matches(model, {
        $and: [
            filter,
            {
                _id
            }
        ]
    })) throw fault;
    return filter['_id'] instanceof ObjectId ? filter : allOf([
        filter,
        {
            _id: {
                $ne: _id
            }
        }
    ]);
}
async function matches(model, filter) {
    try {
        return await modelOf(model).collection.findOne(filter, {
            projection: {
                _id: 1
            }
        }) !== null;
    } catch (error) {
        throw fromDatabase(error);
    }
}
function faultOf(model, { user, admin }, set) {
    for (const [name, value] of Object.entries(set)){
        const path = fieldOf(model, name);
        const reason = reasons.get(path);
        const isSame = path === 'email' && typeof value === 'string' && plainEmail(value) === user?.email;
        // what non-admins say of it is ignored, as of anybody
        const isIgnored = path === 'email_verified' && !admin;
        if (reason !== undefined && !isSame && !isIgnored) return badValue(path, 'own', reason);
    }
    return undefined;
}
/** Fields of users that an update changes by `$set` only, where their values are checked. */ const setOnly = new Set([
    'admin',
    'email',
    'email_verified',
    incarnationPath
]);
export const isSetOnly = (model, path)=>model.name === 'user' && setOnly.has(fieldOf(model, path));
const fieldOf = ({ schema }, name)=>unaliased(schema, name).split('.', 1)[0] ?? name;
