/** What servers keep of each schedule: whether it is paused, and since when its planned times count. */
import { type ClientSession, type Collection, inSession, internalCollection, type Services } from '../../core.ts';
import { unlessTaken } from '../../models/database-errors.ts';
import { scheduleModel } from './models.ts';
import type { Schedule } from './schedule.ts';

/** A schedule as it is stored, by its name. */
interface StateRow {
  readonly _id: string;
  /** Its expression and time zone. */
  readonly times: string;
  readonly since: Date;
  readonly paused: boolean;
}

/** Every method throws the driver's errors. */
export class ScheduleStates {
  readonly #collection: Collection<StateRow>;

  constructor(private readonly services: Pick<Services, 'registry' | 'shared'>) {
    this.#collection = internalCollection(services.registry, `_${scheduleModel.name}`);
  }

  /** Adds a schedule that is new. @returns since when its planned times count */
  async begin({ name: _id, cron, zone }: Schedule): Promise<Date> {
    const [times, now] = [`${cron} ${zone}`, await this.#now()];
    const added = { $setOnInsert: { times, since: now, paused: false } };
    // another server may add it
    await unlessTaken(() => this.#collection.updateOne({ _id }, added, { upsert: true }));
    await this.#collection.updateOne({ _id, times: { $ne: times } }, { $set: { times, since: now } });
    const row = await this.#collection.findOne({ _id });
    return row?.since ?? now;
  }

  /** The names of those that are paused. */
  async paused(): Promise<ReadonlySet<string>> {
    const rows = await this.#collection.find({ paused: true }).toArray();
    return new Set(rows.map(({ _id }) => _id));
  }

  async isPaused(name: string): Promise<boolean> {
    return (await this.#collection.findOne({ _id: name, paused: true })) !== null;
  }

  /** @returns false where it is so already */
  async pause({ name: _id }: Schedule, paused: boolean, session: ClientSession | undefined): Promise<boolean> {
    // what was planned meanwhile was not missed
    const $set = { paused, ...(paused ? {} : { since: await this.#now() }) };
    const filter = { _id, paused: !paused };
    return (await this.#collection.updateOne(filter, { $set }, inSession(session))).matchedCount === 1;
  }

  async #now(): Promise<Date> {
    return new Date(await this.services.shared.clock.now());
  }
}
