/**
 * A time limit for the code of model files that the server waits for: middleware and validators. One that never settles would hold
 * its request, and the line of writes behind it, for ever.
 */ import { neverEnded } from "../errors.js";
import { within } from "../within.js";
const bounded = Symbol('bounded');
/**
 * Makes all middleware and validators of a schema, and of the schemas in it, fail when they have not ended in time.
 * @param model the name that the log shows @param limit milliseconds
 */ export function boundModelCode(schema, model, limit) {
    const { s, subpaths, _applyDiscriminators: kinds } = schema;
    for (const [when, hooks] of [
        [
            'pre',
            s.hooks._pres
        ],
        [
            'post',
            s.hooks._posts
        ]
    ])for (const [name, list] of hooks)for (const [at, hook] of list.entries()){
        const late = ()=>neverEnded(`${model}: ${when} ${name}${named(hook.fn)}`, limit);
        list[at] = {
            ...hook,
            fn: withLimit(hook.fn, late, limit)
        };
    }
    for (const [path, type] of Object.entries({
        ...schema.paths,
        ...subpaths
    }))boundValidators(type, `${model}: validator of ${path}`, limit);
    for (const { schema: child } of schema.childSchemas)boundModelCode(child, model, limit);
    for (const { schema: kind } of kinds?.values() ?? [])boundModelCode(kind, model, limit);
}
const named = ({ name })=>name === '' ? '' : ` (${name})`;
function boundValidators(type, what, limit) {
    const { validators } = type;
    for (const [at, one] of validators.entries())if (one.type === 'user defined' && typeof one.validator === 'function') validators[at] = {
        ...one,
        validator: withLimit(one.validator, ()=>neverEnded(what, limit), limit)
    };
}
/** The same code, which fails when its promise, or the callback that it was given, takes longer. */ function withLimit(code, late, limit) {
    // what Mongoose adds itself is marked by symbols, and ends; a schema may be part of several models
    if (Object.getOwnPropertySymbols(code).length > 0) return code;
    const limited = function(...given) {
        const next = given.at(-1);
        // Mongoose's rule: middleware with one parameter more than there are values waits for that callback
        const called = typeof next === 'function' && given.length > 1 && code.length === given.length;
        if (!called) {
            const result = code.apply(this, given);
            return isPromise(result) ? within(limit, Promise.resolve(result), late) : result;
        }
        return within(limit, withCallback(this, code, given), late);
    };
    Object.defineProperty(limited, 'length', {
        value: code.length
    });
    Object.defineProperty(limited, 'name', {
        value: code.name
    });
    return Object.assign(limited, code, {
        [bounded]: true
    });
}
/** Calls code that either returns a promise or calls back. */ function withCallback(self, code, given) {
    return new Promise((done, failed)=>{
        const next = (error)=>{
            if (error === undefined || error === null) done(undefined);
            else failed(error instanceof Error ? error : new Error(String(error)));
        };
        const result = code.apply(self, [
            ...given.slice(0, -1),
            next
        ]);
        if (isPromise(result)) Promise.resolve(result).then(done, failed);
    });
}
const isPromise = (value)=>typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
