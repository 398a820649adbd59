/** A subscription: a model or one document, and a filter; and what a change means to it. */ import { randomUUID } from 'node:crypto';
import { decide, refusal } from "../access/decide.js";
import { covers } from "../access/rows.js";
import { matcherOf } from "../read/matches.js";
/** What a caller wants to hear of. @throws 401, 403 */ export function subscriptionFrom({ model, id, filter }, principal) {
    if (decide(principal, 'r', model) === undefined) throw refusal(principal, `you may not read ${model.name}`);
    return {
        key: randomUUID(),
        model,
        id,
        matcher: filter === undefined ? undefined : matcherOf(filter, model)
    };
}
/** What a subscriber is told of a change; undefined for nothing. Worth nothing when the judge does not know all that it was asked. */ export function told(change, subscription, viewer) {
    if (subscription.id !== undefined && subscription.id !== change.id) return undefined;
    if (change.event === 'del') return isGone(change, subscription, viewer) ? 'del' : undefined;
    if (change.after !== undefined && visible(change.after, subscription, viewer)) return change.event;
    return change.before !== undefined && visible(change.before, subscription, viewer) ? 'del' : undefined;
}
function isGone({ before, after }, subscription, viewer) {
    const last = before ?? after;
    // nobody knows what it was: it is told to those who could read it whatever it was
    if (last === undefined) return viewer.grant.rows === 'all';
    // it was gone already
    if (before?.['_deleted'] === true) return false;
    return visible(viewer.judge.undeleted(last), subscription, viewer);
}
function visible(row, { model, matcher }, { grant, judge }) {
    if (row['_deleted'] === true) return false;
    if (!covers(grant, model, row)) return false;
    return matcher === undefined || judge.matches(row, matcher);
}
