/** Aggregation pipelines. */
import { badBody, bytes, letter, type OperationGroup, parametersNamed, shapes } from '../../core.ts';
import { pipeline } from '../../docs/openapi/advanced.ts';
import { withExplain } from '../../operations/reading/explain.ts';
import { pipelineIntent } from '../../operations/reading/intents.ts';
import { aggregate, planAggregate } from '../../read/aggregate.ts';
import { explainPipeline } from '../../read/explain.ts';

export const aggregates: OperationGroup = {
  title: 'Aggregation',
  after: 'Queries',
  operations: [
    withExplain(
      {
        name: 'documents.aggregate',
        http: { method: 'POST', path: '/aggregate/:model' },
        summary: 'Runs an aggregation pipeline',
        effect: 'read',
        access: letter('r'),
        readsMany: true,
        requiredOption: 'aggregate',
        hasOwnQueue: true,
        hook: 'aggregate',
        input: {
          query: parametersNamed('allowDiskUse', 'showDeleted'),
          body: {
            // options of the driver beside a pipeline have no effect
            schema: { oneOf: [pipeline, { ...shapes.object({ query: pipeline }), additionalProperties: true }] },
            refuse: () => badBody('send a list of stages, or {"query": [<stages>]}'),
          },
        },
        // `$out` and `$merge` write
        conflicts: true,
        answers: { 200: shapes.object({ data: shapes.listOf(shapes.aggregatedRow) }) },
        run: async (context) => bytes(await aggregate(context, planAggregate(context, pipelineIntent(context)))),
      },
      (context) => explainPipeline(context, planAggregate(context, pipelineIntent(context))),
    ),
  ],
};
