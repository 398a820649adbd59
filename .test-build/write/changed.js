/** Tells the bus what a request has written. Caches, sessions and subscribers listen. */ import { flagOf } from "../language/tree.js";
/** Whether the caller keeps events and post-hooks back (`_silence` in query or body). @throws 400 for an odd flag */ export function isSilent({ query, body }) {
    const inBody = typeof body === 'object' && body !== null && '_silence' in body ? body._silence : undefined;
    return flagOf(query, '_silence') || inBody === true || inBody === 1 || inBody === 'true' || inBody === '1';
}
/** Publishes changes in the name of the caller. */ export function changed(context, changes) {
    const user = context.principal.user?.id;
    const silent = isSilent(context);
    context.services.bus.publish(changes.map((change)=>({
            ...change,
            user,
            silent
        })));
}
