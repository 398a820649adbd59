/** Where `$out` and `$merge` may write: not over users, the server's own collections, models with secrets, or other databases. */ import { decide } from "../access/decide.js";
import { badPipeline, forbidden } from "../errors.js";
import { namesSecrets } from "../registry/secret-parts.js";
const needs = {
    $out: [
        'c',
        'd'
    ],
    $merge: [
        'c',
        'u'
    ]
};
/** Names under which servers keep credentials, here or beside us in the same database. */ const reserved = new Set([
    'users',
    'tokens',
    'refreshtokens',
    'sessions',
    'apikeys',
    'usergroups'
]);
const plainName = /^[A-Za-z][\w-]{0,99}$/;
/** @throws 400 for a name that is none, 403 for one that may not be written */ export function writeTarget(context, stage, given) {
    const name = nameOf(stage, given);
    const { all } = context.services.registry;
    const model = all.find((entry)=>entry.collection === name) ?? all.find((entry)=>entry.name === name);
    if (reserved.has(name)) throw forbidden(`${stage} may not write ${name}`);
    if (model === undefined) return {
        collection: name,
        model
    };
    // password-named fields are hashed by the writers only
    if (model.name === 'user' || model.options.internal || namesSecrets(model.schema)) throw forbidden(`${stage} may not write ${model.name}`);
    for (const letter of needs[stage])if (decide(context.principal, letter, model)?.rows !== 'all') throw forbidden(`you may not write ${model.name} by ${stage}`);
    return {
        collection: model.collection,
        model
    };
}
function nameOf(stage, given) {
    if (typeof given === 'object' && given !== null) throw forbidden(`${stage} may not write other databases`);
    if (typeof given !== 'string' || !plainName.test(given)) throw badPipeline(`${stage} needs the name of a collection: letters, digits, _ and -`);
    return given;
}
