/** Changes of documents as they happen. The transport delivers them: Server-Sent Events, or the WebSocket. */ import { badParameter } from "../errors.js";
import { filterFromQuery } from "../language/filter.js";
import { filterFromJson } from "../language/guard.js";
import { allOf } from "../language/merge.js";
import { parametersNamed } from "../language/parameters.js";
import { textOf } from "../language/tree.js";
import { castId } from "../registry/cast.js";
import { filter } from "../openapi/marks.js";
import { object, textOf as textBody } from "../openapi/shapes.js";
import { fieldsOf } from "./fields.js";
import { letter } from "./operation.js";
const shared = {
    effect: 'read',
    access: letter('r'),
    answers: {
        200: textBody('text/event-stream')
    },
    run: subscription
};
/** A GET has no body (RFC 9110, 9.3.1); the WebSocket sends filters in it. */ const body = {
    schema: object({}, {
        filter
    }),
    optional: true
};
export const subscribeToModel = {
    ...shared,
    name: 'events.subscribe',
    http: {
        method: 'GET',
        path: '/events/:model'
    },
    summary: 'Tells of changes as they happen',
    hook: 'get',
    input: {
        query: parametersNamed('filter', 'since'),
        body
    }
};
export const subscribeToDocument = {
    ...shared,
    name: 'events.subscribeToDocument',
    http: {
        method: 'GET',
        path: '/events/:model/:id'
    },
    summary: 'Tells of changes of one document',
    hook: 'getOne',
    input: {
        query: parametersNamed('since'),
        body
    }
};
export const events = {
    title: 'Events',
    operations: [
        subscribeToModel,
        subscribeToDocument
    ]
};
/** What the caller subscribes to. A query string has the filter as text, a body as JSON. @throws 400 */ function subscription(context) {
    const { model, params, query, body, restrictions, headers, services } = context;
    const { id } = params;
    const { filter: json } = fieldsOf(body);
    const filters = [
        filterFromQuery(query['filter'], model.schema),
        json === undefined ? undefined : filterFromJson(json, model.schema, services.clock()),
        restrictions.hook
    ].filter((one)=>one !== undefined);
    return {
        kind: 'subscription',
        request: {
            model,
            id: id === undefined ? undefined : castId('id', id).toHexString(),
            filter: filters.length === 0 ? undefined : allOf(filters),
            since: lastEventId(headers['last-event-id']) ?? textOf(query, 'since')
        }
    };
}
/** A browser that connects again sends the id of the last event beside the address that it began with. */ function lastEventId(header) {
    if (header !== undefined && typeof header !== 'string') throw badParameter('Last-Event-ID', 'takes one value');
    return header === '' ? undefined : header;
}
