/** The OpenAPI 3.1 document for one caller: the models and methods on which they have some right. */ import { mayCall } from "../access/calls.js";
import { decide, maySee } from "../access/decide.js";
import { bodyOverHttp, isOfModel } from "../operations/operation.js";
import { stage } from "./advanced.js";
import { failureComponents, failuresOf } from "./failures.js";
import { placed } from "./marks.js";
import { exportLimit, parameterComponents } from "./parameters.js";
import { sentSchema, shownSchema } from "./schemas.js";
import { failure, modelDescription } from "./shapes.js";
export function openApi({ groups, models, principal, url }) {
    const seen = models.filter((model)=>maySee(principal, model));
    const names = new Set(seen.map(({ name })=>name));
    const described = {
        paths: {},
        ids: new Set()
    };
    for (const { title, operations } of groups)for (const operation of operations)for (const model of modelsOf(operation, seen, principal))for (const name of functionsOf(operation, model, principal))add(described, operation, title, {
        model,
        name
    });
    const { paths } = described;
    return {
        openapi: '3.1.0',
        info: {
            title: 'Dossier',
            version: '4.0.0',
            description: 'A REST interface over documents of models.'
        },
        servers: [
            {
                url: url ?? '/'
            }
        ],
        tags: tagsIn(paths).map((name)=>({
                name
            })),
        paths,
        components: {
            schemas: Object.assign({
                _failure: failure,
                _model: modelDescription,
                _stage: stage
            }, ...seen.map((model)=>schemasOf(model, names))),
            parameters: parameterComponents,
            responses: failureComponents,
            securitySchemes
        },
        security: [
            {},
            ...Object.keys(securitySchemes).map((name)=>({
                    [name]: []
                }))
        ]
    };
}
const tagsIn = (paths)=>[
        ...new Set(Object.values(paths).flatMap((methods)=>Object.values(methods).flatMap(({ tags })=>tags)))
    ];
const securitySchemes = {
    basic: {
        type: 'http',
        scheme: 'basic'
    },
    bearer: {
        type: 'http',
        scheme: 'bearer'
    },
    apikeyHeader: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-key'
    },
    apikey: {
        type: 'apiKey',
        in: 'query',
        name: 'apikey'
    },
    jwt: {
        type: 'apiKey',
        in: 'query',
        name: 'jwt'
    }
};
const schemasOf = (model, known)=>({
        [model.name]: shownSchema(model, known),
        [`${model.name}.create`]: sentSchema(model, 'create'),
        [`${model.name}.change`]: sentSchema(model, 'change')
    });
/** The models that have an operation; `undefined` stands for an operation without a model. Nothing when it is not this caller's. */ function modelsOf(operation, seen, principal) {
    if (!isOfModel(operation)) return mayUse(operation.access, principal) ? [
        undefined
    ] : [];
    const { access, needs } = operation;
    const offered = seen.filter(({ options })=>needs === undefined || options.advanced_queries[needs]);
    return access.kind === 'letter' ? offered.filter((model)=>decide(principal, access.letter, model) !== undefined) : offered;
}
const mayUse = ({ kind }, principal)=>kind === 'open' || (kind === 'admin' ? principal.admin : principal.user !== undefined);
/** The functions that the caller may call by a row of `/call`; `undefined` stands for a row of anything else. */ function functionsOf({ http: { path } }, model, principal) {
    if (!path.includes(':method') || model === undefined) return [
        undefined
    ];
    const target = path.includes(':id') ? 'document' : 'model';
    return [
        ...model.options.callable_statics
    ].flatMap(([name, rule])=>mayCall(principal, model, rule, target) ? [
            name
        ] : []);
}
function add({ paths, ids }, operation, title, { model, name }) {
    const { method, path } = operation.http;
    const shownPath = path.replace(':model', model?.name ?? ':model').replace(':method', name ?? ':method').replace(/:(\w+)/g, '{$1}');
    (paths[shownPath] ??= {})[method.toLowerCase()] = {
        operationId: ownId(ids, [
            operation.name,
            model?.name,
            name
        ].filter((part)=>part !== undefined).join('.')),
        tags: [
            model?.name ?? title
        ],
        summary: operation.summary,
        parameters: parametersOf(operation, shownPath),
        ...bodyOf(operation, model),
        responses: {
            ...answersOf(operation, model),
            ...failuresOf(operation)
        }
    };
}
/** Names of models and functions may have dots. */ function ownId(taken, wanted) {
    let id = wanted;
    for(let next = 2; taken.has(id); next++)id = `${wanted}_${next}`;
    taken.add(id);
    return id;
}
const mediaTypeOf = ({ contentMediaType })=>typeof contentMediaType === 'string' ? contentMediaType : 'application/json';
function parametersOf({ input = {}, answers }, shownPath) {
    const { query = [], condition } = input;
    const inPath = [
        ...shownPath.matchAll(/\{(\w+)\}/g)
    ].map(([, name])=>({
            name,
            in: 'path',
            required: true,
            schema: {
                type: 'string'
            }
        }));
    const exports = Object.values(answers).some((answer)=>answer !== 'none' && mediaTypeOf(answer) === 'text/csv');
    const names = [
        ...query.map(({ name })=>name),
        ...condition === undefined ? [] : [
            condition
        ]
    ];
    const component = (name)=>name === 'limit' && exports ? exportLimit : name;
    return [
        ...inPath,
        ...names.map((name)=>({
                $ref: `#/components/parameters/${component(name)}`
            }))
    ];
}
function bodyOf(operation, model) {
    const body = bodyOverHttp(operation);
    if (body === undefined) return {};
    const schema = placed(body.schema, model?.name ?? '');
    return {
        requestBody: {
            required: body.optional !== true,
            content: {
                'application/json': {
                    schema
                }
            }
        }
    };
}
function answersOf({ answers, input }, model) {
    const described = Object.entries(answers).map(([status, answer])=>[
            status,
            answer === 'none' ? {
                description: 'Redirect'
            } : {
                description: 'Success',
                content: {
                    [mediaTypeOf(answer)]: {
                        schema: placed(answer, model?.name ?? '')
                    }
                }
            }
        ]);
    return {
        ...Object.fromEntries(described),
        ...input?.condition === 'If-None-Match' ? {
            304: {
                description: 'The document is as the caller knows it'
            }
        } : {}
    };
}
