/**
 * The models that JXP's model files hand to each other. The server compiles each schema itself, after all files are loaded: what a file
 * got before stands for the served model, and reaches it by any of its names.
 */ import mongoose from 'mongoose';
/** Served models: by the name of `mongoose.model(name, …)`, by that in lower case, by the file's name. The first one counts. */ const served = new Map();
const compile = mongoose.model.bind(mongoose);
/** What `JXPSchema.model` and `mongoose.model` of model files give. */ export function modelFor(name, schema, collection) {
    const compiled = schema === undefined ? undefined : compile(name, schema, collection);
    return standIn(()=>{
        const model = served.get(name) ?? served.get(name.toLowerCase()) ?? compiled;
        if (model !== undefined) return model;
        const known = served.size === 0 ? 'the models are served once all files are loaded' : [
            ...served.keys()
        ].join(', ');
        throw new mongoose.Error(`there is no model ${JSON.stringify(name)} (${known})`);
    });
}
/** A model that is looked up whenever it is used. */ function standIn(find) {
    const given = function() {
    // the target of a proxy that can be called with `new`
    };
    return new Proxy(given, {
        get: (_given, key)=>Reflect.get(find(), key),
        set: (_given, key, value)=>Reflect.set(find(), key, value),
        has: (_given, key)=>Reflect.has(find(), key),
        construct: (_given, values)=>new (find())(...values),
        getPrototypeOf: ()=>Reflect.getPrototypeOf(find())
    });
}
/** Makes the models of a server those that all names mean. @param callerOf what documents have as `__user` */ export function serve(all, callerOf) {
    served.clear();
    // no file has a name with _ in front: those are the server's own
    const models = all.filter(({ name })=>!name.startsWith('_'));
    const names = [
        ...models.flatMap(({ compiledAs, model })=>compiledAs === undefined ? [] : [
                [
                    compiledAs,
                    model
                ]
            ]),
        ...models.flatMap(({ model })=>Object.entries(model.discriminators ?? {})),
        ...models.flatMap(({ compiledAs = '', model })=>[
                [
                    compiledAs.toLowerCase(),
                    model
                ]
            ]),
        ...models.map(({ name, model })=>[
                name,
                model
            ])
    ];
    for (const [name, model] of names)if (name !== '' && !served.has(name)) served.set(name, model);
    for (const { model } of models)withCaller(model, callerOf);
}
/** `this.__user` of documents; no field, so that it is neither stored nor shown. */ function withCaller({ prototype }, callerOf) {
    Object.defineProperty(prototype, '__user', {
        configurable: true,
        get: callerOf,
        set (value) {
            Object.defineProperty(this, '__user', {
                value,
                configurable: true,
                writable: true
            });
        }
    });
}
