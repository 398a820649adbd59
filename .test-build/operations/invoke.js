/** The story of a request, whatever its transport: what every operation goes through, in this order and no other. */ import { shapeValue } from "../access/shape.js";
import { neverEnded, switchedOff } from "../errors.js";
import { preload } from "../preload.js";
import { revisionsIn } from "../read/revision.js";
import { castFilter } from "../registry/cast-filter.js";
import { within } from "../within.js";
import { isSilent } from "../write/changed.js";
import { valueOf } from "./answer.js";
import { authoriseModel, authorisePlain } from "./authorise.js";
import { compileCheck } from "./body-check.js";
import { isOfModel } from "./operation.js";
import { checkParameters } from "./parameters.js";
/** An operation, ready to be invoked: what can be decided once is decided here. */ export function prepare(operation, services) {
    const { config, settings } = services;
    const checkBody = bodyChecker(operation);
    const run = runner(operation, services);
    const guard = operation.access.kind === 'open' ? operation.access.guard : undefined;
    const freeQuery = operation.input?.freeQuery === true;
    const mayBeSilent = operation.input?.query?.some(({ name })=>name === '_silence') === true;
    return async (request, caller, hooks)=>{
        let context = contextFor(operation, services, request, caller);
        await guard?.(context);
        if (!freeQuery) checkParameters(request.query, config.extra_parameters);
        if (hooks !== undefined) {
            const hooked = await hooks.before(context);
            if (hooked === undefined) return undefined;
            context = narrowed(context, hooked);
        }
        checkBody(context.body);
        const answer = await run(context, caller.stop);
        // only writes may be silent, since a post-hook may take something out of what is read
        if (hooks?.after === undefined || mayBeSilent && isSilent(context)) return answer;
        return afterHooks(answer, hooks.after, settings.query_limits.max_response_size);
    };
}
/** @throws 401, 403, 404 */ function contextFor(operation, services, request, caller) {
    const { principal, verify, address, stop } = caller;
    const { params, query, body, headers, url } = request;
    const given = {
        services,
        params,
        query,
        body,
        headers,
        url,
        principal,
        verify,
        address,
        signal: stop.signal
    };
    const restrictions = {
        hook: undefined,
        precondition: preconditionOf(operation, headers['if-match'])
    };
    if (!isOfModel(operation)) return {
        ...given,
        restrictions,
        grant: authorisePlain(operation.access, principal, params)
    };
    const model = services.registry.get(params['model'] ?? '');
    const grant = authoriseModel(operation.access, principal, model);
    const { needs } = operation;
    if (needs !== undefined && !model.options.advanced_queries[needs]) throw switchedOff(needs, model.name);
    return {
        ...given,
        restrictions,
        model,
        grant
    };
}
/** The revisions that a write of a document may touch; undefined when it may touch any. */ const preconditionOf = ({ input }, header)=>header === undefined || input?.condition !== 'If-Match' ? undefined : revisionsIn(header);
/** The context after the pre-hooks. @throws 400 for a filter that the schema cannot cast */ function narrowed(context, { body, filter }) {
    const { model } = context;
    const hook = filter === undefined || model === undefined ? filter : castFilter(model, filter);
    return {
        ...context,
        body,
        restrictions: {
            ...context.restrictions,
            hook
        }
    };
}
/** @returns a check of bodies against the row @throws what the row refuses bodies with */ function bodyChecker({ input }) {
    const { schema, optional, refuse } = input?.body ?? {};
    if (refuse === undefined || typeof schema !== 'object') return ()=>undefined;
    const check = compileCheck(schema);
    return (body)=>{
        const fault = body === undefined && optional === true ? undefined : check(body);
        if (fault !== undefined) throw refuse(fault);
    };
}
/** The time limits that an operation on many documents gets: each of its steps has one. Less than the silence that a connection may keep. */ const manyLimits = 4;
/** Milliseconds beyond the limit of a model's code, so that its failure comes first: it names the code in the log. */ const grace = 500;
/** Runs the function of the row within its time limit. */ function runner(operation, { settings }) {
    const { access, http, many } = operation;
    // rows with a model are given a context that has one
    const work = operation.run;
    const asCaller = async (context)=>{
        const preloaded = preload();
        return preloaded === undefined ? work(context) : preloaded.asCaller(context.principal.user, ()=>work(context));
    };
    // a query has a time limit of its own
    if (access.kind === 'letter' && access.letter === 'r') return asCaller;
    const limit = settings.query_limits.max_time_ms * (many === true ? manyLimits : 1);
    return (context, stop)=>within(limit + grace, asCaller(context), ()=>{
            stop.abort();
            const { model } = context;
            return neverEnded(`${http.method} ${http.path}${model === undefined ? '' : ` of ${model.name}`}`, limit);
        });
}
/** The answer with what the post-hooks put in the place of its data. @throws 413 for a text that is too large for them */ async function afterHooks(answer, after, maxBytes) {
    if (answer.kind === 'redirect' || answer.kind === 'subscription') return answer;
    const result = await after(await valueOf(answer, maxBytes));
    if (answer.kind === 'text' && typeof result === 'string') return {
        ...answer,
        body: result
    };
    if (answer.kind === 'text') return {
        kind: 'json',
        status: 200,
        value: shapeValue(result)
    };
    const { ETag: _, ...headers } = answer.headers ?? {};
    return {
        kind: 'json',
        status: answer.status,
        value: shapeValue(result),
        headers
    };
}
