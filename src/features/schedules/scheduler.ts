/** Runs schedules at their planned times. Every process of every server does it; the rows decide which of them has a run. */
import { hostname } from 'node:os';
import { pid } from 'node:process';
import { setTimeout as later } from 'node:timers/promises';
import { latestKept } from '../../adapters/planned-times.ts';
import { withoutLimit } from '../../async/signals.ts';
import { type Core, monotonicClock, type Services } from '../../core.ts';
import type { ProcessPlace } from '../../ports/parts.ts';
import { execute } from './execute.ts';
import { type OwnRun, Runs } from './runs.ts';
import { type Schedule, schedulesOf } from './schedule.ts';
import { ScheduleStates } from './states.ts';

/** Milliseconds between two looks for what other processes have left. */
const lookEveryMs = 3000;
/** Milliseconds after which an attempt that failed is repeated. */
const retryMs = 1000;
/** Milliseconds for which a process that was late makes up for each planned time. */
const lateMs = 60_000;
/** Runs of a schedule between two removals of old ones. */
const pruneEvery = 20;

interface Plan {
  readonly schedule: Schedule;
  /** The next planned time that this process has not decided, in milliseconds; undefined where there is none. */
  next: number | undefined;
  isDeciding: boolean;
  runs: number;
}

const isDue = ({ next = Infinity, isDeciding }: Plan, now: number): boolean => next <= now && !isDeciding;

/** The schedules of a server. @throws SettingsError with the faults of the config */
export const scheduler = ({ services, place }: Core): Scheduler => new Scheduler(services, place);

export class Scheduler {
  readonly schedules: ReadonlyMap<string, Schedule>;
  readonly runs: Runs;
  readonly states: ScheduleStates;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  #plans: readonly Plan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looked = -Infinity;
  #turn: Promise<void> = Promise.resolve();
  /** Whether the last attempt failed, which is logged once. */
  #isFailing = false;

  constructor(
    private readonly services: Services,
    place: ProcessPlace,
  ) {
    this.schedules = schedulesOf(services);
    this.runs = new Runs(services, `${hostname()}:${pid}`, place);
    this.states = new ScheduleStates(services);
    // each run listens
    withoutLimit(this.#stop.signal);
  }

  /** Begins to run them. A server without schedules does nothing. */
  async begin(): Promise<() => Promise<void>> {
    if (this.schedules.size === 0) return () => Promise.resolve();
    await this.runs.freeEnded();
    this.#plans = await Promise.all([...this.schedules.values()].map((schedule) => this.#planOf(schedule)));
    this.#arm(0);
    return () => this.#close();
  }

  /** Begins the run that an admin has asked for, if it may run now. */
  async runWaiting(name: string): Promise<void> {
    const schedule = this.schedules.get(name);
    const run =
      this.#stop.signal.aborted || !this.services.settings.background ? undefined : await this.runs.takeWaiting(name);
    if (schedule !== undefined && run !== undefined) this.#run(schedule, run);
  }

  /** What was planned while no server was there is missed: of several times, the last one counts. */
  async #planOf(schedule: Schedule): Promise<Plan> {
    const { times, missed, name } = schedule;
    const since = await this.states.begin(schedule);
    const now = await this.services.shared.clock.now();
    const plan = { schedule, isDeciding: false, runs: 0 };
    if (missed === 'skip') return { ...plan, next: times.next(now) };
    const kept = await this.runs.lastPlanned(name, latestKept(times, now));
    const decided = Math.max(since.getTime() > now ? 0 : since.getTime(), kept?.getTime() ?? 0);
    const last = times.last(now);
    return { ...plan, next: last !== undefined && last > decided ? last : times.next(now) };
  }

  async #close(): Promise<void> {
    this.#stop.abort(new Error('the server stops'));
    clearTimeout(this.#timer);
    await this.#turn;
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #arm(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => void (this.#turn = this.#takeTurn()), ms).unref();
  }

  async #takeTurn(): Promise<void> {
    try {
      const now = await this.services.shared.clock.now();
      for (const plan of this.#plans) {
        if (!plan.isDeciding) this.#resetTime(plan, now);
        if (isDue(plan, now)) this.#track(this.#decide(plan, now));
      }
      await this.#look();
      this.#arm(this.#untilNext());
      this.#isFailing = false;
    } catch (error) {
      this.#report(error);
      this.#arm(retryMs);
    }
  }

  /** Plans by a clock that has been set back. */
  #resetTime(plan: Plan, now: number): void {
    const { times, name: schedule } = plan.schedule;
    if (plan.next === undefined || plan.next <= latestKept(times, now)) return;
    const planned = new Date(plan.next).toISOString();
    this.services.log.warn('the clock has been set back: a schedule is planned by it', { schedule, planned });
    plan.next = times.next(now);
  }

  /** Schedules with a decided time that is ahead of the clock, which has been set back. */
  async ahead(): Promise<ReadonlyMap<string, Date>> {
    const now = await this.services.shared.clock.now();
    const found = new Map<string, Date>();
    for (const { name, times } of this.schedules.values()) {
      const last = await this.runs.lastPlanned(name);
      if (last !== undefined && last.getTime() > latestKept(times, now)) found.set(name, last);
    }
    return found;
  }

  #untilNext(): number {
    const now = this.services.shared.clock.estimate();
    const nexts = this.#plans.map(({ next = Infinity, isDeciding }) => (isDeciding ? Infinity : next - now));
    return Math.max(0, Math.min(lookEveryMs, ...nexts));
  }

  /** Decides the planned times that have come, each of them, one after the other. Others do not wait for it. Never rejects. */
  async #decide(plan: Plan, now: number): Promise<void> {
    plan.isDeciding = true;
    try {
      await this.#decideUntil(plan, now);
    } catch (error) {
      this.#report(error);
      await later(retryMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
    plan.isDeciding = false;
    this.#arm(0);
  }

  async #decideUntil(plan: Plan, now: number): Promise<void> {
    const { schedule } = plan;
    const { times, missed, name } = schedule;
    const { signal } = this.#stop;
    if (plan.next !== undefined && plan.next < now - lateMs)
      plan.next = missed === 'once' ? times.last(now) : times.next(now - lateMs);
    for (let at = plan.next; at !== undefined && at <= now && !signal.aborted; at = plan.next) {
      const planned = new Date(at);
      const run = (await this.states.isPaused(name)) ? undefined : await this.runs.decide(schedule, planned, signal);
      if (run !== undefined) this.#run(schedule, run);
      plan.next = times.next(at);
    }
  }

  /** Reports a database that is away once. */
  #report(error: unknown): void {
    if (!this.#isFailing && !this.#stop.signal.aborted) this.services.log.error('schedules cannot run', error);
    this.#isFailing = true;
  }

  /** Takes over what other processes have left. */
  async #look(): Promise<void> {
    const now = performance.now();
    if (now - this.#looked < lookEveryMs) return;
    this.#looked = now;
    for (const run of await this.runs.takeOver(this.schedules)) {
      const schedule = this.schedules.get(run.name);
      if (schedule !== undefined) this.#run(schedule, run);
    }
  }

  #run(schedule: Schedule, run: OwnRun): void {
    const running = this.#carryOut(schedule, run).catch((error: unknown) =>
      this.services.log.error('the end of a run cannot be stored', error, { schedule: schedule.name }),
    );
    this.#track(running);
  }

  /** The stop waits for it. @param work never rejects */
  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  async #carryOut(schedule: Schedule, run: OwnRun): Promise<void> {
    const { services, runs } = this;
    const elapsed = services.of(monotonicClock);
    const begun = elapsed();
    const result = await execute(schedule, run, { services, runs, stop: this.#stop.signal });
    if (result === undefined) return;
    await this.#untilStored(() => runs.end(schedule, run, result));
    const { outcome } = result;
    services.metrics.count('dossier_schedule_runs_total', [outcome]);
    const [planned, ms] = [run.planned.toISOString(), Math.round(elapsed() - begun)];
    services.log.debug('a schedule ran', { schedule: schedule.name, planned, outcome, ms });
    const plan = this.#plans.find((one) => one.schedule === schedule);
    if (plan !== undefined && ++plan.runs % pruneEvery === 0) await runs.prune(schedule.name);
    await this.runWaiting(schedule.name);
  }

  /** The database may be away for a moment; after the lease, another process takes the run for interrupted. */
  async #untilStored(store: () => Promise<boolean>): Promise<void> {
    for (let left = 10; ; left--)
      try {
        await store();
        return;
      } catch (error) {
        if (left === 0 || this.#stop.signal.aborted) throw error;
        await later(retryMs);
      }
  }
}
