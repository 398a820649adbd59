/** Messages of the WebSocket: text → message or error, and the form of answers and events (contract, part 8). */ import { badRequest, Failure } from "../errors.js";
import { costlyFilter } from "../live/reasons.js";
const longestId = 200;
const mostLevels = 100;
/** The usable parts of anything that was sent. */ export function referenceOf(value) {
    const { action, msg_id } = isObject(value) ? value : {};
    return {
        action: typeof action === 'string' && action.length <= longestId ? action : undefined,
        msg_id: isId(msg_id) ? msg_id : undefined
    };
}
/** The JSON of a text; undefined where it is none. */ export function fromText(text) {
    try {
        return JSON.parse(text);
    } catch  {
        return undefined;
    }
}
/** @throws Failure 400 that says what is wrong with the message */ export function messageFrom(value) {
    if (!isObject(value)) throw badRequest('a message must be a JSON object');
    const { action, msg_id } = referenceOf(value);
    if (action === undefined) throw badRequest('a message needs an action');
    if (msg_id === undefined) throw badRequest('a message needs a msg_id: a short text or a number');
    const data = value['data'] ?? {};
    if (!isObject(data)) throw badRequest('data must be an object');
    if (levelsOf(data) > mostLevels) throw badRequest('data is nested too deep');
    return {
        action,
        msg_id,
        data
    };
}
const isObject = (value)=>typeof value === 'object' && value !== null && !Array.isArray(value);
const isId = (value)=>typeof value === 'string' && value.length <= longestId || typeof value === 'number' && Number.isFinite(value);
/** Counts levels without recursion, and stops when there are too many. */ function levelsOf(value) {
    let level = [
        value
    ];
    let depth = 0;
    for(; level.length > 0 && depth <= mostLevels; depth++)level = level.flatMap((one)=>Object.values(one).filter((inner)=>typeof inner === 'object' && inner !== null));
    return depth;
}
export const okay = ({ action, msg_id }, client, result)=>JSON.stringify({
        action,
        status: 'okay',
        msg_id,
        client_id: client,
        result
    });
/** An error answer: the reason, and nothing of the cause. */ export function refused({ action, msg_id }, client, thrown) {
    const failure = thrown instanceof Failure ? thrown : undefined;
    const message = failure === undefined ? 'something went wrong on the server' : `${failure.message}: ${failure.reason}`;
    return JSON.stringify({
        action: action ?? null,
        status: 'error',
        msg_id: msg_id ?? null,
        client_id: client,
        message
    });
}
/** An error that answers no message: the server has ended subscriptions. */ export const dropped = (subscriptions, client)=>JSON.stringify({
        action: 'unsubscribe',
        status: 'error',
        msg_id: null,
        client_id: client,
        result: {
            unsubscribed: subscriptions
        },
        message: costlyFilter
    });
/** What stands before and after the data of an event. */ export const aroundEvent = (client)=>[
        Buffer.from(`{"client_id":"${client}","data":`),
        Buffer.from('}')
    ];
