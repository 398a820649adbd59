/** Bulk writes (docs/bulk-writes.md). */
import type { ModelContext } from '../../context.ts';
import { update } from '../../docs/openapi/advanced.ts';
import {
  counts,
  filter,
  flag,
  type JsonSchema,
  listOf,
  newDocumentMark,
  object,
  status,
} from '../../docs/openapi/shapes.ts';
import { badBody, type Failure, tooMany } from '../../errors/errors.ts';
import { json } from '../../operations/answer.ts';
import { type Fault, ownCheck } from '../../operations/body-check.ts';
import { type OperationGroup, perOperation } from '../../operations/operation.ts';
import { valuesIntent } from '../../operations/write-intents.ts';
import { parametersNamed } from '../../query/parameter-table.ts';
import { flagOf } from '../../query/parameter-tree.ts';
import type { BulkIntent } from '../../write/bulk/actor.ts';
import type { Feature } from '../feature.ts';
import { bulkOperations, bulkWrite, maxOperations } from './bulk-write.ts';
import { bulkConfig } from './config.ts';

/** The schemas of the parts of operations, by their names. */
const parts: Readonly<Record<string, unknown>> = {
  document: newDocumentMark,
  replacement: newDocumentMark,
  filter,
  update,
  upsert: flag,
};

/** An object with one operation. */
const bulkOperation: JsonSchema = {
  oneOf: [...bulkOperations].map(([name, { keys }]) => {
    const schemas = Object.fromEntries(keys.map((key) => [key, parts[key] ?? {}]));
    const { upsert, ...needed } = schemas;
    return object({ [name]: object(needed, upsert === undefined ? {} : { upsert }) });
  }),
};

const bulkWrites: OperationGroup = {
  title: 'Bulk writes',
  after: 'Models',
  operations: [
    {
      name: 'documents.bulkWrite',
      http: { method: 'POST', path: '/bulkwrite/:model' },
      summary: 'Runs many write operations',
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

const bulkIntent = (context: ModelContext): BulkIntent => ({
  ...valuesIntent(context),
  input: context.body as readonly unknown[],
  permanently: flagOf(context.query, '_permaDelete'),
});

function refuse({ keyword }: Fault): Failure {
  if (keyword === 'maxItems') return tooMany('operations', maxOperations);
  return badBody(keyword === 'minItems' ? 'the list must contain at least one operation' : 'send a list of operations');
}

export const bulk: Feature = {
  name: 'bulk',
  config: bulkConfig,
  operations: [bulkWrites],
};
