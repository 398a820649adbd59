/** The audit log: a collection that the server only adds to. Its records expire; nothing else removes or changes them. */
import type { AccountEvent, AccountEvents, FailedLogin } from '../../auth/events/contract.ts';
import {
  type Author,
  type ClientSession,
  type Collection,
  inSession,
  internalCollection,
  type ModelEntry,
  ObjectId,
  type Recorder,
  type Registry,
  type Row,
  type Settings,
  type States,
} from '../../core.ts';
import { isFirst } from '../../models/database-errors.ts';
import { isId } from '../../models/fields/values/ids-and-dates.ts';
import type { SharedState } from '../../shared/contract.ts';
import type { UnitOfWork } from '../../write/contract.ts';
import { record } from '../../write/mutation/record.ts';
import { auditEventsOf, isAudited, isWholly } from './audited.ts';
import type { AuditRecord } from './kinds.ts';
import { auditModel } from './model.ts';

/** Failed logins of one account from one address are one record a minute, with a count. */
const minuteMs = 60_000;
const dayMs = 86_400_000;

interface AuditParts {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly clock: () => Date;
  readonly shared: Pick<SharedState, 'failedLogin'>;
}

export class AuditLog implements Recorder<AuditRecord>, AccountEvents {
  readonly name = 'audit';
  readonly needs = isAudited;
  readonly needsBoth = isWholly;
  readonly #collection: Collection;

  constructor(private readonly parts: AuditParts) {
    this.#collection = internalCollection(parts.registry, `_${auditModel.name}`);
  }

  entriesOf(model: ModelEntry, states: States, { user: who, origin }: Author): readonly AuditRecord[] {
    return auditEventsOf(model, states).map((event) => ({ ...event, ...origin, who }));
  }

  async write(records: readonly AuditRecord[], session: ClientSession | undefined): Promise<void> {
    const now = this.parts.clock();
    await this.#collection.insertMany(
      records.map((record) => this.#rowOf(record, now)),
      inSession(session),
    );
  }

  record(unit: UnitOfWork, { what, ...event }: AccountEvent): void {
    record(unit, this, { ...event, what: typeof what === 'string' ? what : what.name });
  }

  /** Failed logins of one account, address and method are counted in one record a minute. */
  async failed(failure: FailedLogin): Promise<void> {
    const now = this.parts.clock();
    const { whom, address, method } = failure;
    const key = JSON.stringify([whom, address, method]);
    const { id, isOver } = await this.parts.shared.failedLogin(Math.floor(now.getTime() / minuteMs), key);
    const [_id, counted] = [new ObjectId(id), isOver ? {} : failure];
    const $setOnInsert = this.#rowOf({ ...counted, what: 'login.failed' }, now);
    const count = (): Promise<object> =>
      this.#collection.updateOne({ _id }, { $setOnInsert, $inc: { count: 1 } }, { upsert: true });
    // another failure may have inserted the record meanwhile
    if (!(await isFirst(count))) await count();
  }

  #rowOf(record: AuditRecord, when: Date): Row {
    const { what, who, whom, address, method, by, for: person, via, model, document, paths } = record;
    const { audit_days } = this.parts.settings;
    return {
      who: idOf(who),
      whom: model === undefined ? idOf(whom) : (whom ?? null),
      what,
      when,
      address: address ?? null,
      method: method ?? null,
      ...(by === undefined ? {} : { by: idOf(by) }),
      ...(person === undefined ? {} : { for: idOf(person) }),
      ...(via === undefined ? {} : { via }),
      ...(model === undefined ? {} : { model }),
      ...(paths === undefined ? {} : { document, paths }),
      ...(audit_days === 0 ? {} : { expires: new Date(when.getTime() + audit_days * dayMs) }),
    };
  }
}

const idOf = (id: unknown): unknown => (isId(id) ? new ObjectId(id) : (id ?? null));
