/** Aggregation pipelines. */
import type { ModelContext } from '../context.ts';
import { switchedOff } from '../errors.ts';
import { data, type Answer } from '../middleware/answer.ts';
import { letter, type RouteGroup } from '../middleware/endpoint.ts';
import { aggregateRows, planAggregate } from '../read/aggregate.ts';

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
  const plan = planAggregate(context);
  const rows: unknown[] = [];
  for await (const { value } of aggregateRows(context, plan)) rows.push(value);
  return data(rows);
}
