/** Aggregation pipelines. */
import type { ModelContext } from '../context.ts';
import { switchedOff } from '../errors.ts';
import { bytes, type Answer } from './answer.ts';
import { letter, type RouteGroup } from './operation.ts';
import { aggregate as aggregateOf, planAggregate } from '../read/aggregate.ts';

export const aggregates: RouteGroup = {
  title: 'Aggregation',
  endpoints: [
    {
      method: 'POST',
      path: '/aggregate/:model',
      access: letter('r'),
      hook: 'aggregate',
      summary: 'Runs an aggregation pipeline',
      run: aggregate,
    },
  ],
};

async function aggregate(context: ModelContext): Promise<Answer> {
  const { model } = context;
  if (!model.options.advanced_queries.aggregate) throw switchedOff('aggregate', model.name);
  return bytes(await aggregateOf(context, planAggregate(context)));
}
