/** Reading a figure. */
import {
  badBody,
  bytes,
  letter,
  type ModelContext,
  type ModelOperation,
  type OperationGroup,
  shapes,
} from '../../../core.ts';
import { aggregate } from '../../../read/aggregate.ts';
import { badView, readDeleted, valueSchemas, type ViewBody } from '../body.ts';
import { figureFrom, figureSchema } from './body.ts';
import { type FigureRequest, planFigure } from './plan.ts';

const row = shapes.object(
  { value: shapes.anyValue('A number; null where there is none'), count: shapes.integer },
  { key: shapes.anyValue('A value, or the first day of a period') },
);

export const figures: OperationGroup = {
  title: 'Figures',
  after: 'Saved views',
  operations: [
    {
      name: 'figures.read',
      http: { method: 'POST', path: '/figure/:model' },
      summary: 'Counts or adds up documents, as a whole, by periods of a date or by the values of a field',
      effect: 'read',
      access: letter('r'),
      readsMany: true,
      hasOwnQueue: true,
      hook: 'get',
      input: {
        body: {
          schema: shapes.object(
            { figure: shapes.withDescription('What the numbers are, and what they are of', figureSchema) },
            { filter: valueSchemas.filter, deleted: valueSchemas.deleted },
          ),
          refuse: (fault) => (known.test(fault.path) ? badView(fault) : badBody(example)),
        },
      },
      answers: { 200: shapes.object({ data: shapes.listOf(row) }) },
      run: async (context) => bytes(await aggregate(context, await planFigure(context, askedIn(context)))),
    },
  ] satisfies readonly ModelOperation[],
};

const known = /^(figure|filter|deleted)(\.|$)/;
const example =
  'send {"figure": {"of": "count", "by": "status"}}, with "filter" and "deleted" as saved views have them';

/** @throws 400 */
function askedIn({ body }: ModelContext): FigureRequest {
  const { figure, filter = null, deleted = null } = body as ViewBody;
  return { figure: figureFrom(figure), filter, deleted: readDeleted(deleted) };
}
