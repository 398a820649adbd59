/** Aggregation pipelines. */ import { badBody } from "../errors.js";
import { parametersNamed } from "../language/parameters.js";
import { pipeline } from "../openapi/advanced.js";
import { listOf, object } from "../openapi/shapes.js";
import { aggregate, planAggregate } from "../read/aggregate.js";
import { bytes } from "./answer.js";
import { letter } from "./operation.js";
export const aggregates = {
    title: 'Aggregation',
    operations: [
        {
            name: 'documents.aggregate',
            http: {
                method: 'POST',
                path: '/aggregate/:model'
            },
            summary: 'Runs an aggregation pipeline',
            // what `$out` and `$merge` write is decided in the pipeline
            effect: 'read',
            access: letter('r'),
            needs: 'aggregate',
            hook: 'aggregate',
            input: {
                query: parametersNamed('allowDiskUse', 'showDeleted'),
                body: {
                    schema: {
                        oneOf: [
                            pipeline,
                            object({
                                query: pipeline
                            })
                        ]
                    },
                    refuse: ()=>badBody('send a list of stages, or {"query": [<stages>]}')
                }
            },
            answers: {
                200: object({
                    data: listOf({
                        type: 'object'
                    })
                })
            },
            run: async (context)=>bytes(await aggregate(context, planAggregate(context)))
        }
    ]
};
