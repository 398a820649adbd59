/** The shares of kinds of heavy work in the connections to the database, and in the memory of answers. */
import { Semaphore, type Waiting } from '../async/semaphore.ts';
import { UnsentAnswers } from '../http/unsent.ts';
import { connectionsOf } from '../models/connect.ts';
import { unavailableFrom } from '../models/database-errors.ts';
import type { Services } from '../services.ts';
import type { Launch } from './launch.ts';

/** Maximum waiting lists, and waiting pipelines. */
const maxReadsWaiting = 1000;
/** Maximum waiting bulk writes and batches. */
const maxBulksWaiting = 100;

/** What one caller may have of a kind of work: so much at a time, and so much waiting. */
const callerLimits = {
  pipelines: { permits: 1, maxWaiting: 50 },
  // one at a time would take a turn of the event loop each
  quickPipelines: { permits: 4, maxWaiting: 50 },
  // each may hold a whole body of operations, and a transaction
  bulks: { permits: 2, maxWaiting: 20 },
} as const;

/** Lists may use a fifth of the connections to the database, and so may pipelines, and bulk writes with batches. */
export function sharesOf(
  settings: Launch['settings'],
  { connection, shared }: Pick<Services, 'connection' | 'shared'>,
): Services['shares'] {
  const maxWaitMs = settings.query_limits.max_time_ms;
  const unsent = new UnsentAnswers();
  const permits = Math.ceil(connectionsOf(connection) / 5);
  const lists = new Semaphore({ permits, maxWaiting: maxReadsWaiting, maxWaitMs });
  const pipelines = new Semaphore({ permits, maxWaiting: maxReadsWaiting, maxWaitMs });
  const bulks = new Semaphore({ permits, maxWaiting: maxBulksWaiting, maxWaitMs });
  const withRoom =
    <T>(caller: Waiting | undefined, work: () => Promise<T> | T) =>
    (): Promise<T> | T =>
      unsent.enter(caller, maxWaitMs)?.then(work) ?? work();
  const pipelinesOf = (kind: 'pipelines' | 'quickPipelines'): Services['shares'][typeof kind] => {
    const ofCaller = shared.mutex({ maxWaitMs, ...callerLimits[kind] });
    return (by, caller, work) => ofCaller(`${kind} ${by}`, () => pipelines.run(caller, withRoom(caller, work)), caller);
  };
  const bulksOf = shared.mutex({ maxWaitMs, ...callerLimits.bulks });
  return {
    lists: (caller, work) => lists.run(caller, withRoom(caller, work)),
    pipelines: pipelinesOf('pipelines'),
    quickPipelines: pipelinesOf('quickPipelines'),
    bulks: (by, caller, work) => bulksOf(`bulks ${by}`, () => bulks.run(caller, work), caller),
    unsent,
    keyedMutex: shared.mutex({ maxWaitMs, sharedFailure: unavailableFrom }),
  };
}
