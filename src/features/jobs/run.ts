/** Runs jobs: entries of the outbox. */
import { programLog, reasonForAdmins } from '../../api/programs.ts';
import { anyOf } from '../../async/signals.ts';
import type { Mail } from '../../auth/contract.ts';
import type { Core, Principal, Services } from '../../core.ts';
import { isHindrance } from '../../models/database-errors.ts';
import type { Entry, OutboxKind, RunOutcome } from '../../outbox/contract.ts';
import { PendingOutbox } from '../../write/mutation/record.ts';
import { makeProgress } from '../../write/progress.ts';
import { functionNamed, type JobFunction, unknownFunction } from './functions.ts';
import { dataOf, type JobData, jobKind, principalOf } from './job.ts';
import { mailGroup, sendMail } from './mail.ts';

/** Milliseconds for which jobs are kept after their end. */
const keepMs = 30 * 86_400_000;
/** Milliseconds after which a try has failed. */
const timeoutMs = 3_600_000;
/** Tries that may end with their process, besides the retries: what ends its process each time does not do so without end. */
const maxCrashes = 10;
/** Milliseconds that a job has to end when the server stops. */
const graceMs = 5000;

/** Undefined for a worker that runs none, because the others of its server run as many as the setting allows. */
export function jobsOf({ services, auth, worker }: Core): OutboxKind | undefined {
  const { concurrency: all } = services.settings.jobs;
  const concurrency = Math.floor(all / worker.of) + (worker.number <= all % worker.of ? 1 : 0);
  if (concurrency === 0) return undefined;
  const counter = 'dossier_jobs_total';
  // one function that takes long leaves a place for the others
  const groupConcurrency = Math.max(1, concurrency - 1);
  return {
    ...{ kind: jobKind, concurrency, groupConcurrency, keepMs, counter },
    functionOf: ({ group }) => group,
    run: (entry, signal) =>
      entry.group === mailGroup ? runMail(services, auth.mail, entry) : run(services, entry, signal),
  };
}

async function run(services: Services, entry: Entry, signal: AbortSignal): Promise<RunOutcome> {
  const data = dataOf(entry);
  if (entry.attempts > data.retries + 1 + maxCrashes)
    return { status: 'dead', set: { error: `its process ended in ${maxCrashes} tries` } };
  const found = functionNamed(services.registry, entry.group);
  // another version of the application may have it
  if (found === undefined) return failed(services, entry, new Error(unknownFunction(services.registry, entry.group)));
  const principal = await principalOf(data.asker, services);
  if (principal === undefined)
    return { status: 'dead', set: { error: 'the user who asked for it no longer exists or is locked' } };
  try {
    await call(services, { entry, data, found, principal }, signal);
    return { status: 'ok', set: { error: null } };
  } catch (error) {
    // the entry waits again, as if it had not run
    if (signal.aborted || isHindrance(error)) throw error;
    return failed(services, entry, error);
  } finally {
    services.bus.invalidate(found.model);
  }
}

/** A message that has been sent is not kept. */
async function runMail(services: Services, mail: Mail, entry: Entry): Promise<RunOutcome> {
  try {
    await sendMail(mail, entry);
    return { status: 'ok', set: { error: null, input: null } };
  } catch (error) {
    return failed(services, entry, error);
  }
}

interface Job {
  readonly entry: Entry;
  readonly data: JobData;
  readonly found: JobFunction;
  readonly principal: Principal;
}

/** @throws what the function throws, and when it does not end */
async function call(services: Services, { entry, data, found, principal }: Job, stop: AbortSignal): Promise<void> {
  const late = new AbortController();
  const signal = anyOf(stop, late.signal);
  const at = `job ${found.name}`;
  const pending = new PendingOutbox(services.outbox);
  const progress = makeProgress();
  const request = {
    principal,
    address: at,
    ip: at,
    headers: {},
    signal,
    requestId: data.request_id,
    pending,
    progress,
  };
  const api = services.apis.of(request);
  const log = programLog(services.log, { job: entry.id, function: found.name });
  const input: unknown = data.input === null ? undefined : JSON.parse(data.input);
  const use = { user: principal.user, api, log, signal, attempt: entry.attempts };
  const clock = timer();
  const givenUp = async (): Promise<never> => {
    await Promise.race([clock.wait(timeoutMs), aborted(stop)]);
    if (stop.aborted) await clock.wait(graceMs);
    const error = new Error(stop.aborted ? 'the server stops' : `the job did not end within ${timeoutMs / 60_000} min`);
    late.abort(error);
    // the next try must not meet what this one would still write
    progress.end();
    throw error;
  };
  const giveUp = givenUp();
  giveUp.catch(() => undefined);
  try {
    await pending.during(() => Promise.race([Promise.resolve().then(() => found.call(input, use)), giveUp]));
  } finally {
    clock.clear();
  }
}

/** Waits that end without a trace when they are no longer needed: an aborted timer makes an error. */
function timer(): { readonly wait: (ms: number) => Promise<void>; readonly clear: () => void } {
  let current: NodeJS.Timeout | undefined;
  const clear = (): void => clearTimeout(current);
  const wait = (ms: number): Promise<void> =>
    new Promise((done) => {
      clear();
      current = setTimeout(done, ms).unref();
    });
  return { wait, clear };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
  });

/** Waits for the next try, if there is one. */
async function failed(services: Services, entry: Entry, error: unknown): Promise<RunOutcome> {
  const { settings, shared, log } = services;
  const { retries } = dataOf(entry);
  log.error('a job failed', error, { job: entry.id, function: entry.group, attempt: entry.attempts });
  const set = { error: reasonForAdmins(error, settings) };
  if (entry.attempts > retries) return { status: 'dead', set };
  const pauses = settings.jobs.retries;
  const pause = pauses[Math.min(entry.attempts, pauses.length) - 1] ?? 0;
  return { status: 'waiting', due: new Date((await shared.clock.now()) + pause), set };
}
