/** What the server keeps of users besides their documents goes when the documents go for good. */ import { modelOf } from "../registry/mongoose.js";
import { asked } from "./asked.js";
/** The internal models with rows of a user, and the path of the user's id in them. */ const kept = [
    [
        '_account',
        '_id'
    ],
    [
        '_session',
        'user_id'
    ],
    [
        '_identity',
        'user_id'
    ]
];
/** Whatever is left behind by a crash opens nothing: keys and identities are bound to the user's incarnation. */ export function makeLogins(registry) {
    return {
        remove: (users, session)=>asked(async ()=>{
                if (users.length === 0) return;
                const options = session === undefined ? {} : {
                    session
                };
                for (const [model, path] of kept)await modelOf(registry.internal(model)).collection.deleteMany({
                    [path]: {
                        $in: [
                            ...users
                        ]
                    }
                }, options);
            })
    };
}
