/** Bulk writes, for models that enable them. */
import { bulkOperation } from '../../docs/openapi/advanced.ts';
import { counts, listOf, object, status } from '../../docs/openapi/shapes.ts';
import { badBody, type Failure, tooMany } from '../../errors.ts';
import { json } from '../../operations/answer.ts';
import { type Fault, ownCheck } from '../../operations/body-check.ts';
import { type OperationGroup, perOperation } from '../../operations/operation.ts';
import { bulkIntent } from '../../operations/write-intents.ts';
import { parametersNamed } from '../../query/parameter-table.ts';
import { maxOperations } from '../../write/bulk/operations.ts';
import { bulkWrite } from '../../write/bulk/run.ts';

export const bulkWrites: OperationGroup = {
  title: 'Bulk writes',
  after: 'Models',
  operations: [
    {
      name: 'documents.bulkWrite',
      http: { method: 'POST', path: '/bulkwrite/:model' },
      summary: 'Runs many write operations',
      effect: 'write',
      access: perOperation,
      requiredOption: 'bulkwrite',
      hook: 'bulkwrite',
      input: {
        query: parametersNamed('_silence'),
        body: { schema: { ...listOf(ownCheck(bulkOperation)), minItems: 1, maxItems: maxOperations }, refuse },
      },
      isMultiStep: true,
      isBulk: true,
      conflicts: true,
      answers: { 200: object({ status, data: counts }) },
      run: async (context) => json({ status: 'ok', data: await bulkWrite(context, bulkIntent(context)) }),
    },
  ],
};

function refuse({ keyword }: Fault): Failure {
  if (keyword === 'maxItems') return tooMany('operations', maxOperations);
  return badBody(keyword === 'minItems' ? 'the list must contain at least one operation' : 'send a list of operations');
}
