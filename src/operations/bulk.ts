/** Bulk writes, for models that allow them. */
import type { ModelContext } from '../context.ts';
import { switchedOff } from '../errors.ts';
import { json, type Answer } from './answer.ts';
import { perOperation, type RouteGroup } from './operation.ts';
import { bulkWrite } from '../write/bulk/run.ts';

export const bulkWrites: RouteGroup = {
  title: 'Bulk writes',
  endpoints: [
    {
      method: 'POST',
      path: '/bulkwrite/:model',
      access: perOperation,
      hook: 'bulkwrite',
      many: true,
      summary: 'Runs many write operations',
      run,
    },
  ],
};

async function run(context: ModelContext): Promise<Answer> {
  const { model } = context;
  if (!model.options.advanced_queries.bulkwrite) throw switchedOff('bulkwrite', model.name);
  return json({ status: 'ok', data: await bulkWrite(context) });
}
