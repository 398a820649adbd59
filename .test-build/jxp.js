/**
 * A preload for model files that were written for JXP. Use, once built: `node --import ./dist/jxp.js dist/main.js`; see
 * docs/migrating.md.
 */ import Module from 'node:module';
import mongoose from 'mongoose';
import { callBack } from "./jxp-preload/callbacks.js";
import { modelFor, serve } from "./jxp-preload/models.js";
import { asCaller, callBody, callerOf, isForCaller, parameters } from "./jxp-preload/requests.js";
import { JXPSchema } from "./jxp-preload/schema.js";
import { setPreload } from "./preload.js";
const { ObjectId, Mixed } = mongoose.Schema.Types;
const names = {
    JXPSchema,
    ObjectId,
    Mixed
};
/** What a program of JXP calls to start the server. */ function startedByJxp() {
    throw new Error('Dossier starts the server itself: node --import ./dist/jxp.js dist/main.js');
}
const modules = {
    jxp: Object.assign(startedByJxp, names),
    'jxp/globals': names,
    'jxp/libs/schema': Object.assign(JXPSchema, {
        default: JXPSchema
    })
};
/** Files that Node itself loads get the same modules, and the server's Mongoose. */ function answerRequires(answers) {
    const loader = Module;
    const { _load: load } = loader;
    loader._load = function(request, ...given) {
        return Object.hasOwn(answers, request) ? answers[request] : load.call(this, request, ...given);
    };
}
callBack();
mongoose.set('autoCreate', false);
mongoose.set('autoIndex', false);
Object.assign(mongoose, {
    model: modelFor
});
Object.assign(globalThis, names);
answerRequires({
    ...modules,
    mongoose
});
setPreload({
    modules,
    serve: (models)=>serve(models, callerOf),
    parameters,
    callBody,
    asCaller,
    isForCaller
});
