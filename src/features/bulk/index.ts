/** Bulk writes (docs/bulk-writes.md). */
import {
  badBody,
  type Failure,
  type Feature,
  flagOf,
  json,
  type JsonSchema,
  type ModelContext,
  type OperationGroup,
  ownCheck,
  parametersNamed,
  shapes,
  tooMany,
} from '../../core.ts';
import { update } from '../../docs/openapi/advanced.ts';
import type { Fault } from '../../operations/body-check.ts';
import { perOperation } from '../../operations/operation.ts';
import { valuesIntent } from '../../operations/write-intents.ts';
import type { BulkIntent } from '../../write/bulk/actor.ts';
import { bulkOperations, bulkWrite, maxOperations } from './bulk-write.ts';
import { bulkConfig } from './config.ts';

/** The schemas of the parts of operations, by their names. */
const parts: Readonly<Record<string, unknown>> = {
  document: shapes.newDocumentMark,
  replacement: shapes.newDocumentMark,
  filter: shapes.filter,
  update,
  upsert: shapes.flag,
};

/** An object with one operation. */
const bulkOperation: JsonSchema = {
  oneOf: [...bulkOperations].map(([name, { keys }]) => {
    const schemas = Object.fromEntries(keys.map((key) => [key, parts[key] ?? {}]));
    const { upsert, ...needed } = schemas;
    return shapes.object({ [name]: shapes.object(needed, upsert === undefined ? {} : { upsert }) });
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
        body: { schema: { ...shapes.listOf(ownCheck(bulkOperation)), minItems: 1, maxItems: maxOperations }, refuse },
      },
      isMultiStep: true,
      isBulk: true,
      conflicts: true,
      answers: { 200: shapes.object({ status: shapes.status, data: shapes.counts }) },
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
