/** Carries out one run: signs of life, the timeout, and the stop of the server. */
import { runInSpan } from '../../adapters/tracing.ts';
import { programLog, reasonForAdmins } from '../../api/programs.ts';
import { anyOf } from '../../async/signals.ts';
import { operator, type Services } from '../../core.ts';
import { PendingOutbox } from '../../write/mutation/record.ts';
import { makeProgress } from '../../write/progress.ts';
import { lostAfterMs, type OwnRun, renewEveryMs, type RunResult, type Runs } from './runs.ts';
import type { Schedule } from './schedule.ts';

/** Milliseconds that a run has to end when the server stops. */
const graceMs = 5000;

interface ExecuteParts {
  readonly services: Services;
  readonly runs: Runs;
  /** Aborted when the server stops. */
  readonly stop: AbortSignal;
}

/** @returns undefined when another process has taken the run for interrupted. Never rejects. */
export async function execute(
  schedule: Schedule,
  run: OwnRun,
  { services, runs, stop }: ExecuteParts,
): Promise<RunResult | undefined> {
  const { log, settings } = services;
  const limits = new RunLimits(schedule, stop, () => runs.renew(run));
  const bound = { schedule: schedule.name };
  const failed = (error: unknown): RunResult => {
    if (stop.aborted) return { outcome: 'interrupted' };
    log.error('a schedule failed', error, bound);
    return { outcome: 'failed', error: reasonForAdmins(error, settings) };
  };
  try {
    const { signal, progress } = limits;
    const at = `schedule ${schedule.name}`;
    const pending = new PendingOutbox(services.outbox);
    const caller = { principal: operator, address: at, ip: at, headers: {} };
    const api = services.apis.of({ ...caller, signal, pending, progress });
    const use = { api, log: programLog(log, bound), signal, planned: run.planned };
    const span = { name: `run schedule ${schedule.name}`, root: true };
    const work = Promise.resolve().then(() =>
      runInSpan(
        () => span,
        () => schedule.run(use),
      ),
    );
    await pending.during(() => Promise.race([work, limits.reached]));
    return { outcome: 'ok' };
  } catch (error) {
    return limits.isLost ? undefined : failed(error);
  } finally {
    limits.clear();
    if (schedule.model !== undefined) services.bus.invalidate(schedule.model);
  }
}

class RunLimits {
  readonly #abort = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #onStop: () => void;
  #reject: (error: Error) => void = () => undefined;
  #isLost = false;
  readonly signal: AbortSignal;
  /** Ended when the run is given up. */
  readonly progress = makeProgress();
  /** Rejects when the run has to be given up. */
  readonly reached: Promise<never>;

  /** @param renew gives a sign of life; false when the run is no longer this process's */
  constructor(
    { timeoutMs }: Schedule,
    private readonly stop: AbortSignal,
    renew: () => Promise<boolean>,
  ) {
    this.signal = anyOf(stop, this.#abort.signal);
    this.reached = new Promise<never>((_, reject) => (this.#reject = reject));
    this.reached.catch(() => undefined);
    const late = (): void => this.#end(new Error(`the run did not end within ${timeoutMs / 1000} s`));
    const lose = (): void => {
      this.#isLost = true;
      this.#end(new Error('another process has taken the run for interrupted'));
    };
    let renewed = performance.now();
    const beat = async (): Promise<void> => {
      const asked = performance.now();
      const isOwn = await renew().catch(() => undefined);
      if (isOwn === true) renewed = asked;
      // without the database, before others may take it
      else if (isOwn === false || performance.now() - renewed > lostAfterMs) lose();
    };
    this.#timers.push(setTimeout(late, timeoutMs).unref(), setInterval(() => void beat(), renewEveryMs).unref());
    this.#onStop = () => void this.#timers.push(setTimeout(() => this.#end(new Error('the server stops')), graceMs));
    if (stop.aborted) this.#onStop();
    else stop.addEventListener('abort', this.#onStop);
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.stop.removeEventListener('abort', this.#onStop);
  }

  #end(error: Error): void {
    this.#abort.abort(error);
    this.progress.end();
    this.#reject(error);
  }
}
