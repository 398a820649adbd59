/** Jobs for admins: `/jobs`. */
import {
  actorOf,
  adminAccess,
  type Answer,
  badParameter,
  type ClientSession,
  conflict,
  type Context,
  json,
  type OperationGroup,
  parametersNamed,
  type PlainOperation,
  readPage,
  recordEvent,
  shapes,
  success,
  suggestion,
  textOf,
  unknownDocument,
} from '../../core.ts';
import { isId } from '../../models/fields/values/ids-and-dates.ts';
import type { Entry, EntryStatus } from '../../outbox/contract.ts';
import { jobRemoved, jobRetried } from './events.ts';
import { dataOf, jobKind } from './job.ts';

const statuses: readonly EntryStatus[] = ['waiting', 'running', 'ok', 'dead'];
const job = shapes.object(
  { id: shapes.id, function: shapes.text, status: { enum: statuses }, attempts: shapes.integer, at: shapes.date },
  { due: shapes.date, error: shapes.text },
);

export const jobOperations: OperationGroup = {
  title: 'Jobs',
  after: 'Schedules',
  operations: [
    {
      name: 'jobs.list',
      http: { method: 'GET', path: '/jobs' },
      summary: 'Lists the jobs, the newest first',
      access: adminAccess,
      input: { query: parametersNamed('status', 'limit', 'after') },
      answers: {
        200: shapes.object({ data: shapes.listOf(job), limit: shapes.integer }, { next_cursor: shapes.text }),
      },
      run: list,
    },
    {
      name: 'jobs.remove',
      http: { method: 'DELETE', path: '/jobs/:id' },
      summary: 'Removes a job that waits',
      access: adminAccess,
      tracksProgress: true,
      conflicts: true,
      answers: { 200: shapes.successAnswer },
      run: remove,
    },
    {
      name: 'jobs.retry',
      http: { method: 'POST', path: '/jobs/:id/retry' },
      summary: 'Runs a job again, or at once if it waits',
      access: adminAccess,
      tracksProgress: true,
      conflicts: true,
      answers: { 200: shapes.successAnswer },
      run: retry,
    },
  ] satisfies readonly PlainOperation[],
};

/** A job as admins see it: `at` is when it was asked for, `due` when one that waits runs, `error` why the last try has failed. */
function shown(entry: Entry) {
  const { status, attempts, at, due } = entry;
  const { error } = dataOf(entry);
  return {
    ...{ id: entry.id, function: entry.group, status, attempts, at: at.toISOString() },
    ...(status === 'waiting' && due !== undefined ? { due: due.toISOString() } : {}),
    ...(error === undefined || error === null ? {} : { error }),
  };
}

/** @throws 503 */
async function list(context: Context): Promise<Answer> {
  const status = statusOf(context);
  const read = (limit: number, after: string | undefined): Promise<readonly Entry[]> =>
    context.services.outbox.list({ kind: jobKind, statuses: status && [status], limit, after });
  const { rows, page } = await readPage(context, ['jobs', status], read, ({ id }) => id);
  return json({ data: rows.map(shown), ...page });
}

/** @throws 400 */
function statusOf({ query }: Context): EntryStatus | undefined {
  const given = textOf(query, 'status');
  const found = statuses.find((status) => status === given);
  if (given === undefined || found !== undefined) return found;
  const got = JSON.stringify(given.slice(0, 40));
  throw badParameter('status', `must be one of ${statuses.join(', ')}, got ${got}${suggestion(given, statuses)}`);
}

/** Removes the job and records it: both or neither. */
async function remove(context: Context): Promise<Answer> {
  const entry = await jobIn(context);
  await recordEvent(context, { what: jobRemoved, whom: entry.id, by: actorOf(context) }, async (session) => {
    const isRemoved = await context.services.outbox.removeWaiting(jobKind, entry.id, session);
    if (!isRemoved) throw conflict('only a job that waits can be removed');
    return isRemoved;
  });
  return success('job removed');
}

async function retry(context: Context): Promise<Answer> {
  const entry = await jobIn(context);
  const { outbox } = context.services;
  const again = async (session?: ClientSession): Promise<true> => {
    if (await outbox.repeatOne(jobKind, entry.id, session)) return true;
    throw conflict('a job that runs cannot be run again');
  };
  const isTogether = context.services.isReplicaSet;
  if (!isTogether && entry.status === 'running') throw conflict('a job that runs cannot be run again');
  // without transactions it is recorded first, so that no job runs again without a record
  const event = { what: jobRetried, whom: entry.id, by: actorOf(context) };
  await recordEvent(context, event, (session) => (isTogether ? again(session) : Promise.resolve(true)));
  if (!isTogether) await again();
  outbox.committed();
  return success('the job runs again');
}

/** @throws 404 */
async function jobIn({ services, params }: Context): Promise<Entry> {
  const given = params['id'] ?? '';
  const found = isId(given) ? await services.outbox.find(jobKind, given) : undefined;
  if (found === undefined) throw unknownDocument('job', given.slice(0, 40));
  return found;
}
