/** What requests mean under JXP: odd numbers of pages, the caller as code of models sees them, errors whose message is for the caller. */ import { AsyncLocalStorage } from 'node:async_hooks';
const callers = new AsyncLocalStorage();
/** The user whose request is being answered; null for nobody. */ export const callerOf = ()=>callers.getStore() ?? null;
export const asCaller = (user, work)=>callers.run(user ?? null, work);
/** What is no number, and 0, is no `limit`, and the first `page`. Without a `limit`, such a `page` means nothing. */ export function parameters(query) {
    const { limit, page } = query;
    const noLimit = limit === undefined || isNothing(limit);
    const noPage = isNothing(page);
    if (!isNothing(limit) && !noPage) return query;
    const { limit: _limit, page: _page, ...rest } = query;
    const pages = noPage ? noLimit ? {} : {
        page: '1'
    } : page === undefined ? {} : {
        page
    };
    return Object.assign(Object.create(null), rest, noLimit ? {} : {
        limit
    }, pages);
}
/** Text that JXP reads as no number or as 0. */ const isNothing = (value)=>typeof value === 'string' && !Number.parseInt(value, 10);
/** The body with the caller as `__user`, whatever the body says of it. */ export function callBody(body, user) {
    if (typeof body === 'object' && body !== null && Array.isArray(body)) return body;
    if (typeof body === 'object' || body === undefined) return {
        ...body,
        __user: user ?? null
    };
    return body;
}
/** Errors of the package restify-errors: their message is what restify answers with. */ export function isForCaller(error) {
    const { body } = error;
    const isRestify = constructorsOf(error).some(({ displayName })=>displayName === 'HttpError');
    return isRestify && typeof body?.message === 'string';
}
/** The classes of an object, the nearest first. */ function constructorsOf(error) {
    const found = [];
    for(let at = Object.getPrototypeOf(error); at !== null; at = Object.getPrototypeOf(at)){
        const made = at.constructor;
        if (typeof made === 'function') found.push(made);
    }
    return found;
}
