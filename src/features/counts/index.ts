/** The numbers of documents of all models in one answer, such as for a menu of models. */
import type { Sender } from 'dossier-client';
import {
  busy,
  type Context,
  data,
  Failure,
  type Feature,
  type ModelEntry,
  openAccess,
  type OperationGroup,
  ownService,
  type PlainOperation,
  policyFor,
  provide,
  Semaphore,
  serverValue,
  shapes,
} from '../../core.ts';

const modelCount = shapes.object({
  model: shapes.text,
  count: shapes.count,
  count_is: { ...shapes.text, enum: ['exact', 'at_least'] },
});

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
      answers: { 200: shapes.object({ data: shapes.listOf(modelCount) }) },
      run: async (context) => data(serverValue(await countsFor(context))),
    },
  ] satisfies readonly PlainOperation[],
};

/** Counts at the database at a time, for all callers of a process together. */
const permits = 4;

const countSemaphore = (): Semaphore => new Semaphore({ permits });

export const counts: Feature = {
  name: 'counts',
  operations: [countOperations],
  provides: [provide(ownService, countSemaphore)],
};

/** The number of a model's documents as its lists have it (docs/queries.md, `count=capped`). */
interface ModelCount {
  readonly model: string;
  readonly count: number;
  readonly count_is: 'exact' | 'at_least';
}

/** The counts of the models that the caller lists; a model whose list is refused or fails has none. @throws 503 when time is up */
async function countsFor(context: Context): Promise<readonly ModelCount[]> {
  const { services, principal, signal } = context;
  const readable = services.registry.served.filter((model) => policyFor(principal, model).permits('r'));
  const semaphore = services.of(countSemaphore);
  const sender = services.apis.sender(context);
  const countOne = ({ name }: ModelEntry): Promise<ModelCount | undefined> =>
    semaphore.run({ signal }, () => counted(context, sender, name));
  const found = await Promise.all(readable.map(countOne));
  if (signal.aborted) throw busy();
  return found.filter((one) => one !== undefined);
}

async function counted(context: Context, sender: Sender, model: string): Promise<ModelCount | undefined> {
  const parameters = [
    [['limit'], '1'],
    [['fields'], '_id'],
    [['count'], 'capped'],
  ] as const;
  const call = { operation: 'documents.list', params: { model }, parameters, repeat: 'safe' } as const;
  try {
    const { count, count_is } = await sender.json<Partial<ModelCount>>(call);
    return count === undefined || count_is === undefined ? undefined : { model, count, count_is };
  } catch (error) {
    const { cause } = error as Error;
    const isRefusal = cause instanceof Failure && cause.status < 500;
    if (!isRefusal && !context.signal.aborted) context.services.log.error(`${model} is not counted`, cause);
    return undefined;
  }
}
