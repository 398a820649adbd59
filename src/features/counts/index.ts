/** The numbers of documents of all models in one answer, such as for a menu of models. */
import { count, listOf, object, text } from '../../docs/openapi/shapes.ts';
import { data, serverValue } from '../../operations/answer.ts';
import { openAccess, type OperationGroup, type PlainOperation } from '../../operations/operation.ts';
import { provide } from '../../ports/port.ts';
import type { Feature } from '../feature.ts';
import { ownService } from '../ports.ts';
import { countSemaphore, countsFor } from './counting.ts';

const modelCount = object({ model: text, count, count_is: { ...text, enum: ['exact', 'at_least'] } });

const countOperations: OperationGroup = {
  title: 'Counts',
  after: 'models.rights',
  operations: [
    {
      name: 'counts.list',
      http: { method: 'GET', path: '/count' },
      summary: 'Counts the documents of all models, up to 10,000 each',
      access: openAccess('counts only documents that the caller lists'),
      openToScopes: true,
      isMultiStep: true,
      hasOwnQueue: true,
      answers: { 200: object({ data: listOf(modelCount) }) },
      run: async (context) => data(serverValue(await countsFor(context))),
    },
  ] satisfies readonly PlainOperation[],
};

export const counts: Feature = {
  name: 'counts',
  operations: [countOperations],
  provides: [provide(ownService, countSemaphore)],
};
