/** Which statuses a failure of an operation can have. */ import { bodyOverHttp } from "../operations/operation.js";
import { statusRows } from "../operations/statuses.js";
/** Any request can meet these: by its parameters, its credentials, the number of requests, and the state of the server. */ const always = [
    400,
    401,
    429,
    500,
    503
];
/** `components.responses`: one for each status, and one for statuses that a model's function or a hook chose. */ export const failureComponents = Object.fromEntries([
    ...statusRows.map(([status, meaning])=>[
            String(status),
            responseOf(meaning)
        ]),
    [
        'failure',
        responseOf('Any other failure')
    ]
]);
function responseOf(description) {
    return {
        description,
        content: {
            'application/json': {
                schema: {
                    $ref: '#/components/schemas/_failure'
                }
            }
        }
    };
}
/** The failures of an operation, by status. */ export function failuresOf(operation) {
    const { access, http, input = {}, conflicts } = operation;
    const takes = (name)=>input.query?.some((row)=>row.name === name) === true;
    const statuses = [
        ...always,
        ...access.kind === 'open' ? [] : [
            403
        ],
        ...http.path.includes('/:') ? [
            404
        ] : [],
        ...bodyOverHttp(operation) === undefined ? [] : [
            413,
            415
        ],
        ...takes('limit') ? [
            413
        ] : [],
        ...conflicts === true ? [
            409
        ] : [],
        ...takes('since') ? [
            410
        ] : [],
        ...input.condition === 'If-Match' ? [
            412
        ] : []
    ];
    const references = statuses.map((status)=>[
            status,
            {
                $ref: `#/components/responses/${status}`
            }
        ]);
    return {
        ...Object.fromEntries(references),
        default: {
            $ref: '#/components/responses/failure'
        }
    };
}
