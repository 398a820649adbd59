/** Which user somebody at a provider is: known by their id there, else found by a verified email, else created, where allowed. */ import { incarnationPath } from "../registry/built-in/incarnation.js";
import { ownWrite } from "../registry/model-writes.js";
import { modelOf, ObjectId, storedRow } from "../registry/mongoose.js";
import { asked, isTaken } from "./asked.js";
import { digest } from "./tokens.js";
/** Why somebody is nobody here; the code that the browser brings to `fail_uri`. */ export class NoUser extends Error {
    code;
    constructor(code){
        super(code);
        this.name = 'NoUser';
        this.code = code;
    }
}
export function makeUserOf(core) {
    const { registry, users, bus, oneAtATime } = core;
    const model = registry.internal('user');
    const identities = modelOf(registry.internal('_identity')).collection;
    /** @throws NoUser when the user is deleted; an identity of a user who is gone for good counts for nothing, also where another has the id */ const linked = async (_id)=>{
        const identity = await identities.findOne({
            _id
        });
        if (identity === null) return undefined;
        const { user_id, incarnation } = identity;
        const user = await modelOf(model).collection.findOne({
            _id: user_id
        });
        if (user !== null && user[incarnationPath] === incarnation) {
            if (user['_deleted'] === true) throw new NoUser('user_deleted');
            return String(user['_id']);
        }
        await identities.deleteOne({
            _id,
            user_id,
            incarnation
        });
        return undefined;
    };
    /** @returns undefined when somebody has this email, if deleted */ const create = async (email, fields)=>{
        const _id = new ObjectId();
        const document = new (modelOf(model))({
            ...fields,
            email,
            _id,
            _owner_id: _id
        });
        try {
            await ownWrite(document).save();
        } catch (error) {
            if (isTaken(error)) return undefined;
            throw error;
        }
        const after = storedRow(document);
        const id = _id.toHexString();
        bus.publish([
            {
                event: 'post',
                model,
                id,
                after,
                user: id,
                silent: false
            }
        ]);
        return {
            id,
            incarnation: String(after[incarnationPath])
        };
    };
    const found = async (provider, { email, verified, fields })=>{
        if (email === undefined) throw new NoUser('email_missing');
        if (verified === false) throw new NoUser('email_not_verified');
        let user = await users.byEmail(email);
        if (user === undefined) {
            if (provider.create === false) throw new NoUser('unknown_user');
            const created = await create(email, {
                ...fields,
                email_verified: verified === true
            });
            if (created !== undefined) return created;
            user = await users.byEmail(email);
        }
        if (user === undefined || provider.find_by_email === false) throw new NoUser('email_taken');
        // whoever could name any email at a provider would be anybody here
        if (verified !== true) throw new NoUser('email_not_verified');
        // an unverified email may belong to another person, whose login this user would get
        const bound = user.verified ? await users.bound(user) : undefined;
        if (bound === undefined) throw new NoUser('email_taken');
        return bound;
    };
    /** What the provider has verified is verified here, as long as it is the user's email. */ const noteVerified = async (id, { email, verified })=>{
        const user = verified === true && email !== undefined ? await users.byId(id) : undefined;
        if (user === undefined || user.verified || user.known.email !== email) return;
        const bound = await users.bound(user);
        if (bound !== undefined) await users.verify(bound);
    };
    const userOf = (_id, name, provider, profile)=>asked(async ()=>{
            const known = await linked(_id);
            if (known !== undefined) {
                await noteVerified(known, profile);
                return known;
            }
            try {
                const { id, incarnation } = await found(provider, profile);
                await identities.insertOne({
                    _id,
                    provider: name,
                    user_id: new ObjectId(id),
                    incarnation
                });
                return id;
            } catch (error) {
                // the same person at another server: the first has made the user or the identity
                const first = isTaken(error) || error instanceof NoUser ? await linked(_id) : undefined;
                if (first !== undefined) return first;
                throw error;
            }
        });
    // the same person in two tabs is one user: who comes second finds what the first has made
    return (name, provider, profile)=>{
        const _id = digest(JSON.stringify([
            name,
            profile.id
        ]));
        return oneAtATime(`identity ${_id}`, ()=>userOf(_id, name, provider, profile));
    };
}
