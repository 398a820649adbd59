/** Schedules for admins: `/schedules`. */
import {
  actorOf,
  adminAccess,
  type Answer,
  badBody,
  contested,
  type Context,
  Failure,
  json,
  type OperationGroup,
  parametersNamed,
  type PlainOperation,
  readPage,
  recordEvent,
  shapes,
  success,
  suggestion,
} from '../../core.ts';
import { schedulePaused, scheduleResumed, scheduleRun } from './events.ts';
import type { OwnRun } from './runs.ts';
import type { Schedule } from './schedule.ts';
import { scheduler } from './scheduler.ts';

const outcomes = ['ok', 'failed', 'interrupted'] as const;
const run = shapes.object(
  {
    planned: shapes.date,
    started: shapes.date,
    ended: shapes.orNull(shapes.date),
    outcome: shapes.orNull({ enum: outcomes }),
    server: shapes.text,
  },
  { error: shapes.text },
);
const schedule = shapes.object({
  ...{ name: shapes.text, cron: shapes.text, zone: shapes.text, paused: shapes.flag },
  ...{ next: shapes.orNull(shapes.date), last: shapes.orNull(run) },
});

export const scheduleOperations: OperationGroup = {
  title: 'Schedules',
  after: 'Functions',
  operations: [
    {
      name: 'schedules.list',
      http: { method: 'GET', path: '/schedules' },
      summary: 'Lists the schedules, with their next and their last run',
      access: adminAccess,
      answers: { 200: shapes.object({ data: shapes.listOf(schedule) }) },
      run: list,
    },
    {
      name: 'schedules.pause',
      http: { method: 'PUT', path: '/schedules/:name' },
      summary: 'Pauses a schedule on all servers, or resumes it',
      access: adminAccess,
      tracksProgress: true,
      input: {
        body: {
          schema: shapes.object({ paused: shapes.flag }),
          refuse: () => badBody('send {"paused": true} or {"paused": false}'),
        },
      },
      answers: { 200: shapes.successAnswer },
      run: pause,
    },
    {
      name: 'schedules.runs',
      http: { method: 'GET', path: '/schedules/:name/runs' },
      summary: 'Lists the runs of a schedule, the newest first',
      access: adminAccess,
      input: { query: parametersNamed('limit', 'after') },
      answers: {
        200: shapes.object({ data: shapes.listOf(run), limit: shapes.integer }, { next_cursor: shapes.text }),
      },
      run: listRuns,
    },
    {
      name: 'schedules.run',
      http: { method: 'POST', path: '/schedules/:name/run' },
      summary: 'Runs a schedule now',
      access: adminAccess,
      tracksProgress: true,
      conflicts: true,
      answers: { 202: shapes.successAnswer },
      run: runNow,
    },
  ] satisfies readonly PlainOperation[],
};

const shown = ({ planned, started, ended, outcome, server, error }: OwnRun) => ({
  planned: planned.toISOString(),
  started: started.toISOString(),
  ended: ended?.toISOString() ?? null,
  outcome: outcome ?? null,
  server: server ?? '',
  ...(error === undefined ? {} : { error }),
});

/** The schedules as admins see them; one that is paused has no next run. @throws 503 */
async function shownSchedules({ services }: Context) {
  const { schedules, states, runs } = services.of(scheduler);
  const now = await services.shared.clock.now();
  const paused = await states.paused();
  return Promise.all(
    [...schedules.values()].map(async ({ name, cron, zone, times }) => {
      const [last] = await runs.list(name, undefined, 1);
      const next = paused.has(name) ? undefined : times.next(now);
      return {
        ...{ name, cron, zone, paused: paused.has(name) },
        next: next === undefined ? null : new Date(next).toISOString(),
        last: last === undefined ? null : shown(last),
      };
    }),
  );
}

async function list(context: Context): Promise<Answer> {
  return json({ data: await shownSchedules(context) });
}

/** Where a run is in the list of its schedule. */
interface RunPlace {
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly _id: string;
}

async function listRuns(context: Context): Promise<Answer> {
  const { name } = scheduleIn(context);
  const { runs } = context.services.of(scheduler);
  const read = (limit: number, after: RunPlace | undefined): Promise<readonly OwnRun[]> =>
    runs.list(name, after && { started: new Date(after.started), _id: after._id }, limit);
  const placeOf = ({ started, _id }: OwnRun): RunPlace => ({ started: started.getTime(), _id });
  const { rows, page } = await readPage(context, ['runs', name], read, placeOf);
  return json({ data: rows.map(shown), ...page });
}

async function runNow(context: Context): Promise<Answer> {
  const one = scheduleIn(context);
  const service = context.services.of(scheduler);
  await recordEvent(context, { what: scheduleRun, whom: one.name, by: actorOf(context) }, async (session) => {
    if (!(await service.runs.ask(one, session))) throw contested(`a run of ${one.name} is under way or waits`);
    return true;
  });
  // otherwise it begins after the commit of the enclosing unit
  if (context.unit === undefined) await service.runWaiting(one.name);
  return json({ status: 'ok', message: `${one.name} runs` }, 202);
}

async function pause(context: Context): Promise<Answer> {
  const one = scheduleIn(context);
  const { paused } = context.body as { readonly paused: boolean };
  const { states } = context.services.of(scheduler);
  const event = { what: paused ? schedulePaused : scheduleResumed, whom: one.name, by: actorOf(context) };
  await recordEvent(context, event, (session) => states.pause(one, paused, session));
  return success(paused ? `${one.name} is paused` : `${one.name} is not paused`);
}

/** @throws 404 */
function scheduleIn({ services, params }: Context): Schedule {
  const { schedules } = services.of(scheduler);
  const { name = '' } = params;
  const found = schedules.get(name);
  if (found !== undefined) return found;
  const hint = suggestion(name, schedules.keys());
  throw new Failure(404, 'Not found', `no schedule is named ${JSON.stringify(name.slice(0, 130))}${hint}`);
}
