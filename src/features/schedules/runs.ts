/** The rows of runs: over all servers, one process has each run. All of it is atomic writes of single documents. */
import { randomUUID } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import {
  type ClientSession,
  type Collection,
  inSession,
  internalCollection,
  type Row,
  type Services,
} from '../../core.ts';
import { isFirst, unlessTaken } from '../../models/database-errors.ts';
import type { ProcessPlace } from '../../ports/parts.ts';
import { runModel } from './models.ts';
import type { Schedule } from './schedule.ts';

type Outcome = 'ok' | 'failed' | 'interrupted';

/** A run as it is stored. */
export interface RunRow {
  readonly _id: string;
  readonly name: string;
  readonly planned: Date;
  /** 1 for the first run of a planned time. */
  readonly attempt: number;
  /** Whether an admin has asked for it. */
  readonly by_hand?: true;
  readonly open?: 'running' | 'waiting' | 'again';
  /** Names the process's hold on a run that is under way, until a time unless it is renewed. */
  readonly token?: string;
  readonly until?: Date;
  readonly server?: string;
  readonly started?: Date;
  readonly ended?: Date;
  readonly outcome?: Outcome;
  readonly error?: string;
}

/** What else is stored. */
interface StoredRun extends RunRow {
  /** When its planned time was skipped. */
  readonly skipped?: Date;
  /** The process that runs it, as `ProcessPlace` names it. */
  readonly process?: string | null;
}

/** A run that this process has. */
export type OwnRun = RunRow & { readonly token: string; readonly started: Date };

export interface RunResult {
  readonly outcome: Outcome;
  readonly error?: string;
}

/** Milliseconds after which a run is interrupted whose process gives no sign of life. */
const leaseMs = 15_000;
/** Milliseconds between two signs of life, and those without one after which the process itself ends the run. */
export const renewEveryMs = leaseMs / 3;
export const lostAfterMs = leaseMs * 0.8;

/** Runs of one planned time, where each is interrupted: what ends its server each time does not do so without end. */
const maxAttempts = 3;

/** Milliseconds by which clocks may differ: servers run different planned times at the same moment then, one after the other. */
const toleranceMs = 2000;

/** Runs that are kept of a schedule. */
const maxKept = 100;

type NewRun = Pick<RunRow, '_id' | 'name' | 'planned' | 'attempt' | 'by_hand'>;

const runId = (name: string, planned: Date): string => `${name} ${planned.toISOString()}`;

/** Every method throws the driver's errors. */
export class Runs {
  readonly #collection: Collection<StoredRun>;
  /** Holds that are ahead of the clock, by the run, and when they were first seen, by the monotonic clock. */
  readonly #ahead = new Map<string, { readonly key: string; readonly at: number }>();

  /** @param server names this process for admins @param place names it for the processes after it */
  constructor(
    private readonly services: Pick<Services, 'registry' | 'shared'>,
    private readonly server: string,
    private readonly place: ProcessPlace,
  ) {
    this.#collection = internalCollection(services.registry, `_${runModel.name}`);
  }

  /** Ends the time of what processes run that have ended, so that it need not run out. */
  async freeEnded(): Promise<void> {
    const { ended } = this.place;
    if (ended.length === 0) return;
    const ofEnded = ended === 'all' ? {} : { process: { $in: ended } };
    await this.#collection.updateMany({ open: 'running', ...ofEnded }, { $set: { until: await this.#now() } });
  }

  /**
   * Decides what becomes of a planned time, once over all servers: it runs here, waits for the run before, or is skipped.
   * @returns the run, if this process has it
   */
  async decide({ name, overlap }: Schedule, planned: Date, stop: AbortSignal): Promise<OwnRun | undefined> {
    const run = { _id: runId(name, planned), name, planned, attempt: 1 };
    for (;;) {
      const begun = await this.#begin(run);
      if (begun !== 'busy') return begun === 'taken' ? undefined : begun;
      if (overlap === 'wait' && (await this.#insert({ ...run, open: 'waiting' }))) return undefined;
      const now = await this.#now();
      if (now.getTime() - planned.getTime() > toleranceMs || stop.aborted) {
        await this.#insert({ ...run, skipped: now });
        return undefined;
      }
      await later(toleranceMs / 20);
    }
  }

  /** Adds a run that an admin asks for. @returns false where one waits, or runs and the schedule does not wait */
  async ask({ name, overlap }: Schedule, session: ClientSession | undefined): Promise<boolean> {
    const planned = await this.#now();
    const filter = { name, open: 'running' } as const;
    if (overlap === 'skip' && (await this.#collection.findOne(filter, inSession(session))) !== null) return false;
    const _id = `${runId(name, planned)} ${randomUUID()}`;
    return this.#insert({ _id, name, planned, attempt: 1, by_hand: true, open: 'waiting' }, session);
  }

  /** @returns false when this process no longer has the run */
  async renew({ _id, token }: OwnRun): Promise<boolean> {
    const $set = { until: await this.#leaseEnd() };
    return (await this.#collection.updateOne({ _id, token }, { $set })).matchedCount === 1;
  }

  /** Stores how a run has ended. @returns false when this process no longer had it */
  async end(schedule: Schedule, run: OwnRun, result: RunResult): Promise<boolean> {
    return this.#close({ _id: run._id, token: run.token }, schedule, run, result);
  }

  /** Takes what servers that are gone have left, and what waits and may run now. @returns the runs that this process has now */
  async takeOver(schedules: ReadonlyMap<string, Schedule>): Promise<readonly OwnRun[]> {
    const now = await this.#now();
    for (const row of await this.#open('running'))
      if (row.until !== undefined && (row.until <= now || this.#isStale(row, now))) {
        const held = { _id: row._id, token: row.token, until: row.until };
        this.#ahead.delete(row._id);
        await this.#close(held, schedules.get(row.name), row, { outcome: 'interrupted' });
      }
    const taken: OwnRun[] = [];
    for (const row of [...(await this.#open('again')), ...(await this.#open('waiting'))]) {
      if (!schedules.has(row.name)) continue;
      const run = row.open === 'again' ? await this.#repeat(row) : await this.#promote(row);
      if (run !== undefined) taken.push(run);
    }
    return taken;
  }

  /**
   * Whether a hold that ends later than any can, because the clock has been set back, has not been renewed for the time of one: its process
   * has ended.
   */
  #isStale({ _id, until }: RunRow, now: Date): boolean {
    const key = `${_id} ${until?.getTime()}`;
    if (until === undefined || until.getTime() <= now.getTime() + leaseMs) return false;
    const seen = this.#ahead.get(_id);
    if (seen?.key === key) return performance.now() - seen.at >= leaseMs;
    this.#ahead.set(_id, { key, at: performance.now() });
    return false;
  }

  /** The run of a schedule that waits, if it may run now. */
  async takeWaiting(name: string): Promise<OwnRun | undefined> {
    const row = await this.#collection.findOne({ name, open: 'waiting' });
    return row === null ? undefined : this.#promote(row);
  }

  /** The last planned time that was decided. @param until the latest that counts, in milliseconds; any by default */
  async lastPlanned(name: string, until = Infinity): Promise<Date | undefined> {
    const options = { sort: { planned: -1 }, projection: { planned: 1 } } as const;
    const counted = until === Infinity ? {} : { planned: { $lte: new Date(until) } };
    const row = await this.#collection.findOne({ name, by_hand: { $exists: false }, ...counted }, options);
    return row?.planned;
  }

  /** Runs that have begun, the newest first. @param after the place of the one before */
  async list(name: string, after: Pick<OwnRun, 'started' | '_id'> | undefined, limit: number): Promise<OwnRun[]> {
    const older = after && {
      $or: [{ started: { $lt: after.started } }, { started: after.started, _id: { $lt: after._id } }],
    };
    const filter = { name, started: { $exists: true }, ...older };
    const rows = this.#collection.find<OwnRun>(filter).sort({ started: -1, _id: -1 }).limit(limit);
    return rows.toArray();
  }

  /** Removes old runs. */
  async prune(name: string): Promise<void> {
    const [oldest] = await this.#collection
      .find<OwnRun>({ name, started: { $exists: true } })
      .sort({ started: -1, _id: -1 })
      .skip(maxKept)
      .limit(1)
      .toArray();
    if (oldest === undefined) return;
    await this.#collection.deleteMany({ name, started: { $lte: oldest.started }, open: { $exists: false } });
  }

  /** @returns `taken` where the planned time is decided, `busy` while another run of the schedule is under way */
  async #begin(run: NewRun): Promise<OwnRun | 'taken' | 'busy'> {
    const begun: OwnRun = { ...run, ...(await this.#held()) };
    if (await this.#insert({ ...begun })) return begun;
    return (await this.#collection.findOne({ _id: run._id })) === null ? 'busy' : 'taken';
  }

  /** @returns false where its id is taken, or another one of the schedule is open in this way */
  #insert(row: StoredRun, session?: ClientSession): Promise<boolean> {
    return isFirst(() => this.#collection.insertOne(row, inSession(session)));
  }

  async #promote({ _id, name, planned, attempt }: RunRow): Promise<OwnRun | undefined> {
    const held = await this.#held();
    // undefined while another one runs
    const done = await unlessTaken(() => this.#collection.updateOne({ _id, open: 'waiting' }, { $set: held }));
    return done?.matchedCount === 1 ? { _id, name, planned, attempt, ...held } : undefined;
  }

  /** Begins a run again that was interrupted. What crashes in between leaves it open. */
  async #repeat({ _id, name, planned, attempt, by_hand }: RunRow): Promise<OwnRun | undefined> {
    const first = attempt === 1 ? _id : _id.slice(0, _id.lastIndexOf('~'));
    const again = { _id: `${first}~${attempt + 1}`, name, planned, attempt: attempt + 1 };
    const begun = await this.#begin(by_hand === true ? { ...again, by_hand } : again);
    if (begun === 'busy') return undefined;
    await this.#collection.updateOne({ _id, open: 'again' }, { $unset: { open: '' } });
    return begun === 'taken' ? undefined : begun;
  }

  async #close(
    held: Row,
    schedule: Schedule | undefined,
    { attempt }: Pick<RunRow, 'attempt'>,
    { outcome, error }: RunResult,
  ): Promise<boolean> {
    const ended = { ended: await this.#now(), outcome, ...(error === undefined ? {} : { error }) };
    const isRepeated = outcome === 'interrupted' && schedule?.missed === 'once' && attempt < maxAttempts;
    const close = async (open: Row): Promise<boolean> => {
      const filter = { ...held, open: 'running' } as const;
      return (await this.#collection.updateOne(filter, open)).matchedCount === 1;
    };
    const $unset = { token: '', until: '' };
    // undefined where one is to be repeated already
    const isClosed = isRepeated
      ? await unlessTaken(() => close({ $set: { ...ended, open: 'again' }, $unset }))
      : undefined;
    return isClosed ?? close({ $set: ended, $unset: { ...$unset, open: '' } });
  }

  #open(open: 'running' | 'waiting' | 'again'): Promise<readonly RunRow[]> {
    return this.#collection.find({ open }).toArray();
  }

  async #held(): Promise<Required<Pick<OwnRun, 'open' | 'token' | 'until' | 'server' | 'started'>> & Row> {
    const started = await this.#now();
    const until = new Date(started.getTime() + leaseMs);
    return {
      open: 'running',
      token: randomUUID(),
      until,
      server: this.server,
      process: this.place.id ?? null,
      started,
    };
  }

  async #leaseEnd(): Promise<Date> {
    return new Date((await this.services.shared.clock.now()) + leaseMs);
  }

  async #now(): Promise<Date> {
    return new Date(await this.services.shared.clock.now());
  }
}
