/** `/call`: which function of a model may be run, and with what. */ import { Readable } from 'node:stream';
import { grantCall } from "./access/calls.js";
import { requireLetter } from "./access/decide.js";
import { covers, notYours, rowFilter } from "./access/rows.js";
import { shapeValue } from "./access/shape.js";
import { badRequest, deletedDocument, forbidden, internal, neverEnded, unknownDocument } from "./errors.js";
import { allOf } from "./language/merge.js";
import { flagOf } from "./language/tree.js";
import { fromDatabase } from "./registry/database-errors.js";
import { castId } from "./registry/cast.js";
import { fromModelCode } from "./registry/model-code-errors.js";
import { preload } from "./preload.js";
import { modelOf } from "./registry/mongoose.js";
import { within } from "./within.js";
/** Runs a listed function with `(body, { user })`. @throws 403 for what is not listed, or where the caller's right covers own documents only */ export async function callStatic(context, body) {
    const { run } = allowed(context, 'model');
    return finished(context, ()=>run.call(modelOf(context.model), given(context, body), caller(context)));
}
/** The same with the document of the path before the body. @throws 404 when the caller may not read it, 403 when it is not theirs */ export async function callForDocument(context, body) {
    const { run, grant } = allowed(context, 'document');
    const document = await documentFor(context, grant);
    return finished(context, ()=>run.call(modelOf(context.model), document, given(context, body), caller(context)));
}
function allowed(context, target) {
    const { model, params, principal } = context;
    const name = params['method'] ?? '';
    const rule = model.options.callable_statics.get(name);
    const run = rule === undefined ? undefined : model.schema.statics[name];
    if (rule === undefined || typeof run !== 'function') throw forbidden(`${model.name} has no callable function of this name`);
    return {
        run: run,
        grant: grantCall(principal, model, rule, target)
    };
}
async function documentFor(context, grant) {
    const { model, params, principal } = context;
    const id = params['id'] ?? '';
    const readable = rowFilter(requireLetter(principal, 'r', model), model);
    const filter = allOf([
        {
            _id: castId('id', id)
        },
        context.restrictions.hook,
        readable
    ]);
    try {
        const document = await modelOf(model).findOne(filter).exec();
        if (document === null) throw unknownDocument(model.name, id);
        if (document.get('_deleted') === true && !flagOf(context.query, 'showDeleted')) throw deletedDocument(model.name, id);
        if (!covers(grant, model, document)) throw notYours(model);
        return document;
    } catch (error) {
        throw fromDatabase(error);
    }
}
const given = ({ principal }, body)=>{
    const preloaded = preload();
    return preloaded === undefined ? body : preloaded.callBody(body, principal.user);
};
/** The caller as a function sees them: no password, and frozen. */ const caller = ({ principal })=>Object.freeze({
        user: principal.user
    });
/** What the function returned, made fit to leave. @throws 500 when it does not end in time, and without its words when it fails */ async function finished(context, run) {
    const limit = context.services.settings.query_limits.max_time_ms;
    const late = ()=>neverEnded(`${context.model.name}: function ${context.params['method'] ?? ''}`, limit);
    try {
        const result = await within(limit, Promise.resolve().then(run), late);
        if (result instanceof Readable || result instanceof ReadableStream) throw badRequest('a function cannot answer with a stream');
        return shapeValue(result ?? null);
    } catch (error) {
        const known = fromModelCode(fromDatabase(error));
        throw known instanceof Error ? known : internal(known);
    } finally{
        context.services.bus.touched(context.model);
    }
}
