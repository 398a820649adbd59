/** Lists by a filter in the body. */ import { badBody, badFilter } from "../errors.js";
import { filterFromJson } from "../language/guard.js";
import { listParameters } from "../language/parameters.js";
import { filter } from "../openapi/marks.js";
import { page } from "../openapi/answers.js";
import * as read from "../read/index.js";
import { bytes } from "./answer.js";
import { letter } from "./operation.js";
export const queries = {
    title: 'Queries',
    operations: [
        {
            name: 'documents.query',
            http: {
                method: 'POST',
                path: '/query/:model'
            },
            summary: 'Lists documents by a filter in the body',
            effect: 'read',
            access: letter('r'),
            needs: 'query',
            hook: 'query',
            input: {
                query: listParameters,
                body: {
                    schema: {
                        type: 'object',
                        required: [
                            'query'
                        ],
                        properties: {
                            query: filter
                        }
                    },
                    refuse
                }
            },
            answers: {
                200: page
            },
            run: query
        }
    ]
};
function refuse({ path, keyword }) {
    if (path === 'query' && keyword === 'type') return badFilter('a filter must be an object');
    return badBody('send {"query": {<field>: <value>}}');
}
async function query(context) {
    const { model, services } = context;
    const body = context.body;
    const bodyFilter = filterFromJson(body.query, model.schema, services.clock());
    return bytes(await read.list(context, {
        bodyFilter,
        search: false
    }));
}
