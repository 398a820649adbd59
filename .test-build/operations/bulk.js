/** Bulk writes, for models that allow them. */ import { badBody, tooMany } from "../errors.js";
import { parametersNamed } from "../language/parameters.js";
import { bulkOperation } from "../openapi/advanced.js";
import { counts, listOf, object, status } from "../openapi/shapes.js";
import { maxOperations } from "../write/bulk/operations.js";
import { bulkWrite } from "../write/bulk/run.js";
import { json } from "./answer.js";
import { ownCheck } from "./body-check.js";
import { perOperation } from "./operation.js";
export const bulkWrites = {
    title: 'Bulk writes',
    operations: [
        {
            name: 'documents.bulkWrite',
            http: {
                method: 'POST',
                path: '/bulkwrite/:model'
            },
            summary: 'Runs many write operations',
            effect: 'write',
            access: perOperation,
            needs: 'bulkwrite',
            hook: 'bulkwrite',
            input: {
                query: parametersNamed('_silence'),
                body: {
                    schema: {
                        ...listOf(ownCheck(bulkOperation)),
                        minItems: 1,
                        maxItems: maxOperations
                    },
                    refuse
                }
            },
            many: true,
            conflicts: true,
            answers: {
                200: object({
                    status,
                    data: counts
                })
            },
            run: async (context)=>json({
                    status: 'ok',
                    data: await bulkWrite(context)
                })
        }
    ]
};
function refuse({ keyword }) {
    if (keyword === 'maxItems') return tooMany('operations', maxOperations);
    return badBody(keyword === 'minItems' ? 'there is no operation in the list' : 'send a list of operations');
}
