/** Functions of models, by name: only those that a model lists. */ import { parametersNamed } from "../language/parameters.js";
import { functionParameters } from "../openapi/parameters.js";
import { any, object } from "../openapi/shapes.js";
import { callForDocument, callStatic } from "../statics.js";
import { data } from "./answer.js";
import { perOperation } from "./operation.js";
const shared = {
    effect: 'write',
    access: perOperation,
    hook: 'call',
    answers: {
        200: object({
            data: any('What the function returned')
        })
    }
};
const sent = {
    query: parametersNamed('_silence'),
    body: {
        schema: any('Passed to the function'),
        optional: true
    }
};
const inQuery = {
    query: [
        functionParameters
    ],
    freeQuery: true
};
export const calls = {
    title: 'Functions',
    operations: [
        {
            ...shared,
            name: 'functions.call',
            http: {
                method: 'POST',
                path: '/call/:model/:method'
            },
            summary: 'Calls a function with the body',
            input: sent,
            run: async (context)=>data(await callStatic(context, context.body))
        },
        {
            ...shared,
            name: 'functions.callByQuery',
            http: {
                method: 'GET',
                path: '/call/:model/:method'
            },
            summary: 'Calls a function with the query string',
            input: inQuery,
            run: async (context)=>data(await callStatic(context, ownParameters(context)))
        },
        {
            ...shared,
            name: 'functions.callForDocument',
            http: {
                method: 'POST',
                path: '/call/:model/:id/:method'
            },
            summary: 'Calls a function for a document',
            input: sent,
            run: async (context)=>data(await callForDocument(context, context.body))
        },
        {
            ...shared,
            name: 'functions.callForDocumentByQuery',
            http: {
                method: 'GET',
                path: '/call/:model/:id/:method'
            },
            summary: 'The same with the query string',
            input: inQuery,
            run: async (context)=>data(await callForDocument(context, ownParameters(context)))
        }
    ]
};
/** The query string without the credentials in it. */ const ownParameters = ({ query })=>Object.fromEntries(Object.entries(query).filter(([name])=>name !== 'apikey' && name !== 'jwt'));
