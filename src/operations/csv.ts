/** Lists as comma-separated text. */
import type { ModelContext } from '../context.ts';
import { text, type Answer } from './answer.ts';
import { letter, type RouteGroup } from './operation.ts';
import { csv as csvOf } from '../read/csv.ts';

export const csvs: RouteGroup = {
  title: 'CSV',
  endpoints: [
    {
      method: 'GET',
      path: '/csv/:model',
      access: letter('r'),
      hook: 'csv',
      summary: 'Lists documents as comma-separated text',
      run: csv,
    },
  ],
};

async function csv(context: ModelContext): Promise<Answer> {
  const { body, next } = await csvOf(context);
  return text('text/csv; charset=utf-8', body, {
    'Content-Disposition': `attachment; filename="${context.model.name}.csv"`,
    // RFC 8288
    ...(next === undefined ? {} : { Link: `<${next}>; rel="next"` }),
  });
}
