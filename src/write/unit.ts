/** Runs a request as one unit of work, and again where it conflicts with another one. */
import type { ModelActor } from '../context.ts';
import { overtaken } from '../errors/errors.ts';
import { withCauses } from '../errors/failure.ts';
import type { ModelEntry } from '../models/entry.ts';
import { documentId } from '../models/fields/document-id.ts';
import { mongo } from '../models/mongoose.ts';
import type { Services } from '../services.ts';
import type { UnitOfWork } from './contract.ts';
import type { Writer } from './mutation/writer.ts';
import { transaction } from './transaction.ts';

/** Thrown by a unit that must not run beside others, to run it again when none does. */
class NeedsExclusiveRun extends Error {}

/** The name under which units, and writes that may remove admins, run one at a time. */
const exclusiveKey = 'alone';

/**
 * Maximum tries of a unit that runs alone: others may still change its documents, by writes outside of units, and by their own first tries.
 * The driver waits between them, longer each time: together half a second on average, which first tries of many others take on a loaded
 * machine.
 */
const maxTries = 12;

type Unit = Pick<Writer, 'unit' | 'runsAlone' | 'progress'> & {
  readonly services: Writer['services'] & Pick<Services, 'shares'>;
  /** Aborted when the caller has disconnected or the time limit is reached. */
  readonly signal: AbortSignal;
};

/**
 * Runs work in one transaction. The first try runs beside all others; after a conflict, those that had one run one at a time.
 * @param work may run several times; what it wrote before is rolled back
 * @throws 503 when others keep changing its documents; what the work throws
 */
export async function atomically<C extends Unit, T>(
  actor: C,
  work: (inner: C & { readonly unit: UnitOfWork }) => Promise<T>,
): Promise<T> {
  try {
    return await runUnit(actor, work, actor.runsAlone === true);
  } catch (error) {
    if (!needsExclusiveRun(error)) throw error;
  }
  return actor.services.shares.keyedMutex(exclusiveKey, () => runUnit(actor, work, true), actor);
}

function runUnit<C extends Unit, T>(
  actor: C,
  work: (inner: C & { readonly unit: UnitOfWork }) => Promise<T>,
  isExclusive: boolean,
): Promise<T> {
  let left = isExclusive ? maxTries : 1;
  const tryWork = (inner: C & { readonly unit: UnitOfWork }): Promise<T> => {
    if (left-- > 0) return work(inner);
    throw isExclusive ? overtaken() : new NeedsExclusiveRun();
  };
  return transaction(actor, async (inner) => tryWork(inner), isExclusive);
}

/** Runs work that must not run beside other such work. In a unit, the whole unit does, until its commit. */
export function runExclusively<C extends Unit, T>(actor: C, work: (inner: C) => Promise<T>): Promise<T> {
  const { services, unit } = actor;
  if (unit === undefined)
    return services.shares.keyedMutex(exclusiveKey, () => work({ ...actor, runsAlone: true }), actor);
  if (unit.isExclusive !== true) throw new NeedsExclusiveRun();
  return work(actor);
}

/** Runs work with the same name one at a time. A transaction does not wait: the holder of the mutex may be waiting for its commit. */
export const underMutex = <T>(actor: Unit, name: string, work: () => Promise<T>): Promise<T> =>
  actor.unit?.session === undefined ? actor.services.shares.keyedMutex(name, work, actor) : work();

/** The name of a document's mutex. */
export const documentKey = ({ name }: ModelEntry, id: unknown): string => `${name} ${String(id)}`;

/**
 * Runs work on a document, one request at a time. Of several mutexes, that of an upsert is taken first, then that
 * of the document, then the one of exclusive runs.
 */
export const onDocument = <T>(
  actor: Unit & Pick<ModelActor, 'model'>,
  id: string | undefined,
  work: () => Promise<T>,
): Promise<T> => underMutex(actor, documentKey(actor.model, documentId(actor.model, 'id', id)), work);

/** The error that runs a unit again because another writer has overtaken it. */
export function overtakenError(cause: unknown): Error {
  const error = new mongo.MongoError('another writer has overtaken the transaction', { cause: cause as Error });
  error.addErrorLabel(mongo.MongoErrorLabel.TransientTransactionError);
  return error;
}

/** Whether an error, or a cause of it, asks to run the unit alone. */
function needsExclusiveRun(error: unknown): boolean {
  for (const at of withCauses(error)) if (at instanceof NeedsExclusiveRun) return true;
  return false;
}
