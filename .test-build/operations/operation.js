/** What can be requested: one row an operation. Transports, body checks, OpenAPI and the pages read the row; nothing else describes an endpoint. */ export const letter = (of)=>({
        kind: 'letter',
        letter: of
    });
export const perOperation = {
    kind: 'perOperation'
};
export const signedIn = {
    kind: 'signedIn'
};
export const admin = {
    kind: 'admin'
};
export const selfOrAdmin = (parameter)=>({
        kind: 'selfOrAdmin',
        parameter
    });
export const open = (reason, guard)=>({
        kind: 'open',
        reason,
        ...guard === undefined ? {} : {
            guard
        }
    });
/** Whether an operation has a model in its path. */ export const isOfModel = (operation)=>operation.access.kind === 'letter' || operation.access.kind === 'perOperation';
/** The body that a request over HTTP has: that of a GET has no meaning (RFC 9110, 9.3.1). */ export const bodyOverHttp = ({ http, input })=>http.method === 'GET' ? undefined : input?.body;
