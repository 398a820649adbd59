/** Several writes in one request: all or nothing, or one after the other. */
import {
  type Answer,
  busy,
  type Context,
  openAccess,
  type OperationGroup,
  type ServerDescription,
  serverValue,
  shapes,
} from '../../core.ts';
import { notImplemented } from '../../errors/errors.ts';
import type { PartAnswer, PartDone, Parts } from '../../operations/contract.ts';
import { type BatchOperation, batchSchema, ofOperation, readBatch, refuseBatch } from './batch-body.ts';
import { References } from './references.ts';

/** @param described whose writes of documents a batch may contain */
export const batches = ({ groups }: Pick<ServerDescription, 'groups'>): OperationGroup => ({
  title: 'Batch',
  after: 'Documents',
  operations: [
    {
      name: 'batch.run',
      http: { method: 'POST', path: '/batch' },
      summary: 'Runs several writes, all or nothing',
      access: openAccess('each operation requires its own right'),
      openToScopes: true,
      input: { body: { schema: batchSchema, refuse: refuseBatch } },
      // all groups are known later
      get parts() {
        return groups()
          .flatMap(({ operations }) => operations)
          .filter(({ writesDocument }) => writesDocument === true);
      },
      isUnit: ({ body, services }) => services.isReplicaSet && isAtomic(body),
      isMultiStep: true,
      isBulk: true,
      conflicts: true,
      failures: [403, 404, 405, 412, 501],
      answers: {
        200: shapes.object({
          status: shapes.status,
          data: shapes.listOf(shapes.object({ status: shapes.integer, body: { type: 'object' } })),
        }),
      },
      run,
    },
  ],
});

const isAtomic = (body: unknown): boolean => (body as { readonly atomic?: boolean }).atomic !== false;

async function run(context: Context): Promise<Answer> {
  const { parts, body, services } = context;
  if (parts === undefined) throw new Error('a batch requires parts');
  const batch = readBatch(body, parts);
  if (batch.isAtomic && !services.isReplicaSet)
    throw notImplemented(
      'this database has no transactions: send "atomic": false to run the operations one after the other',
    );
  const answers = await invokeAll(context, parts, batch.operations, batch.isAtomic);
  const data = answers.map((answer) => ({ status: answer.status, body: answer.body }));
  const subjects = answers.flatMap((answer) => ('subject' in answer ? [answer.subject] : []));
  return { kind: 'json', status: 200, value: serverValue({ status: 'ok', data }), subjects: subjects };
}

/** @throws Failure of the first operation that fails, where they are all or nothing; otherwise the answers say what has failed */
async function invokeAll(
  { services, unit, signal }: Context,
  parts: Parts,
  operations: readonly BatchOperation[],
  isUnit: boolean,
): Promise<readonly (PartAnswer | PartDone)[]> {
  const references = new References(services.settings.max_body_size);
  const answers: (PartAnswer | PartDone)[] = [];
  for (const [at, sent] of operations.entries()) {
    // the time limit is reached, or the caller has disconnected
    if (signal.aborted) throw busy();
    try {
      const request = { ...sent, path: references.path(sent.path), body: references.body(sent.body) };
      const answer = await parts.invoke(request, unit);
      if (sent.ref !== undefined) references.keep(sent.ref, answer.body);
      answers.push(answer);
    } catch (error) {
      if (isUnit) throw ofOperation(at, parts.failureFrom(error), error);
      if (sent.ref !== undefined) references.keep(sent.ref, undefined);
      answers.push(parts.refuse(error, sent));
    }
  }
  return answers;
}
