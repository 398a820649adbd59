/** Which models there are, and what they are like; each caller sees those on which they have some right. */ import { maySee } from "../access/decide.js";
import { unknownModel } from "../errors.js";
import { listOf, object } from "../openapi/shapes.js";
import { describe } from "../registry/describe.js";
import { data } from "./answer.js";
import { open } from "./operation.js";
const access = open('shows only models on which the caller has some right');
const described = {
    $ref: '#/components/schemas/_model'
};
export const models = {
    title: 'Models',
    operations: [
        {
            name: 'models.list',
            http: {
                method: 'GET',
                path: '/model'
            },
            summary: 'Lists the models',
            effect: 'read',
            access,
            answers: {
                200: object({
                    data: listOf(described)
                })
            },
            run: ({ services, principal })=>data(services.registry.served.filter((model)=>maySee(principal, model)).map(describe))
        },
        {
            name: 'models.get',
            http: {
                method: 'GET',
                path: '/model/:name'
            },
            summary: 'Describes a model',
            effect: 'read',
            access,
            answers: {
                200: object({
                    data: described
                })
            },
            run: one
        }
    ]
};
function one({ services, principal, params }) {
    const model = services.registry.get(params['name'] ?? '');
    if (!maySee(principal, model)) throw unknownModel(model.name);
    return data(describe(model));
}
