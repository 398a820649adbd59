/** Lists as comma-separated text. */
import { type Answer, letter, type ModelContext, type OperationGroup, shapes, text } from '../../core.ts';
import { withExplain } from '../../operations/reading/explain.ts';
import { exportIntent } from '../../operations/reading/intents.ts';
import { listParameters } from '../../query/parameter-table.ts';
import { explainList } from '../../read/explain.ts';
import { csv as csvOf } from './csv.ts';

export const csvs: OperationGroup = {
  title: 'CSV',
  after: 'Queries',
  operations: [
    withExplain(
      {
        name: 'documents.export',
        http: { method: 'GET', path: '/csv/:model' },
        summary: 'Lists documents as comma-separated text',
        access: letter('r'),
        readsMany: true,
        hook: 'csv',
        input: { query: listParameters },
        answers: { 200: shapes.textOf('text/csv') },
        run: csv,
      },
      (context) => explainList(context, exportIntent(context)),
    ),
  ],
};

async function csv(context: ModelContext): Promise<Answer> {
  const { body, next } = await csvOf(context, exportIntent(context));
  return text('text/csv; charset=utf-8', body, {
    'Content-Disposition': `attachment; filename="${context.model.name}.csv"`,
    // RFC 8288
    ...(next === undefined ? {} : { Link: `<${next}>; rel="next"` }),
  });
}
