/**
 * Sessions: a login begins one, its access token finds it, its refresh token extends it, and a logout ends it. Only digests are
 * stored.
 */
import {
  type ClientSession,
  type Collection,
  inSession,
  internalCollection,
  ObjectId,
  type Row,
} from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import type { Settings } from '../../settings/types.ts';
import type { SessionClient } from '../contract.ts';
import { digest, tokenKinds, type Tokens } from '../credentials/tokens.ts';
import { LastUse, latestByUser } from '../last-use.ts';
import type { SessionAnswer } from './contract.ts';
import { type FoundSession, type NewSession, newTokens, sessionAnswer, storedClient } from './session-row.ts';

/** The result of a refresh token: a session that continues, or one that the token's second use has ended. */
interface Refreshed {
  readonly user: string;
  readonly epoch: number;
  /** Undefined when the session has ended. */
  readonly session: NewSession | undefined;
}

/** The epoch and the serial number of a new session, and the admin who begins it as the user. */
interface Begun {
  readonly epoch: number;
  readonly serial: number;
  readonly by: string | undefined;
}

/** How often sessions are deleted that others keep changing. */
const maxDeletions = 10;

export class Sessions {
  readonly #collection: Collection;
  /** When sessions were last used. */
  readonly uses: LastUse;
  /** Milliseconds without a use after which a session ends. */
  readonly #idleMs: number;

  constructor(
    registry: Registry,
    private readonly tokens: Tokens,
    private readonly settings: Settings,
    private readonly clock: () => Date,
  ) {
    this.#collection = internalCollection(registry, '_session');
    this.#idleMs = settings.session_idle === 0 ? Infinity : settings.session_idle * 1000;
    this.uses = new LastUse(
      (id, at) => this.#collection.updateOne({ _id: new ObjectId(id) }, { $max: { last_used_at: at } }),
      clock,
      // other servers read when a session was used last: at most a tenth of the allowed time ago
      Math.min(maxLastUseMs, this.#idleMs / 10),
    );
  }

  /**
   * Begins a session; `endOldest` ends earlier ones. @param dbSession of the transaction that it is a part of
   * @throws the driver's errors
   */
  async begin(
    user: string,
    { epoch, serial, by }: Begun,
    client: SessionClient,
    dbSession: ClientSession | undefined,
  ): Promise<NewSession> {
    const now = this.clock();
    const _id = new ObjectId();
    const user_id = new ObjectId(user);
    const fresh = {
      token: this.tokens.newAccess(),
      refresh: this.tokens.newWithId(tokenKinds.refresh, _id.toHexString()),
    };
    const { stored, returned } = newTokens(now, fresh, this.settings);
    const begun = {
      epoch,
      serial,
      ...(by === undefined ? {} : { by }),
      ...stored,
      used: [],
      createdAt: now,
      last_used_at: now,
      ...storedClient(client),
    };
    await this.#collection.insertOne({ _id, user_id, ...begun }, inSession(dbSession));
    return returned;
  }

  async byToken(token: string): Promise<FoundSession | undefined> {
    return this.#validSession(await this.#find({ token_digest: digest(token) }));
  }

  async byId(session: string): Promise<FoundSession | undefined> {
    return this.#validSession(await this.#find({ _id: new ObjectId(session) }));
  }

  /** The sessions of a user's epoch that continue, the newest first. */
  async list(user: string, epoch: number): Promise<readonly SessionAnswer[]> {
    const filter = { user_id: new ObjectId(user), epoch, refresh_token_expires: { $gt: this.clock() } } as Row;
    const rows = (await this.#collection.find(filter).sort({ serial: -1, _id: -1 }).toArray()) as Row[];
    return rows
      .filter((row) => this.#idleAt(row) > this.clock().getTime())
      .map((row) => sessionAnswer(row, this.#lastUse(row)));
  }

  /** When sessions of users were last used, by the ids of the users. */
  async lastUses(users: readonly string[]): Promise<ReadonlyMap<string, Date>> {
    const filter = { user_id: { $in: users.map((user) => new ObjectId(user)) } } as Row;
    const rows = await this.#collection.find(filter).project({ user_id: 1, last_used_at: 1 }).toArray();
    return latestByUser((rows as Row[]).map((row) => [String(row['user_id']), this.#lastUse(row)]));
  }

  /**
   * Replaces both tokens. A token that was used before the grace period ends the session.
   * @param check receives the user of the session before anything is changed; may throw
   */
  async refresh(token: string, check: (user: string) => void): Promise<Refreshed | undefined> {
    const _id = new ObjectId(this.tokens.idIn(tokenKinds.refresh, token));
    const row = await this.#find({ _id });
    const expires = row?.['refresh_token_expires'];
    if (row === null || !(expires instanceof Date) || expires <= this.clock()) return undefined;
    check(String(row['user_id']));
    if (await this.#endIdle(row)) return refreshed(row, undefined);
    const current = row['refresh_digest'] === digest(token) ? await this.#rotate(row, token) : undefined;
    const result = current ?? this.#repeatRefresh(await this.#find({ _id }), token);
    if (result !== undefined) {
      this.uses.record(String(_id));
      return result;
    }
    await this.#collection.deleteOne({ _id });
    return refreshed(row, undefined);
  }

  async end(session: string): Promise<void> {
    await this.#delete({ _id: new ObjectId(session) });
  }

  /** Ends one session of a user. @returns false when there is none */
  async endOne(user: string, session: string): Promise<boolean> {
    return this.#delete({ _id: new ObjectId(session), user_id: new ObjectId(user) });
  }

  async endOthers(user: string, session: string): Promise<void> {
    const filter = { user_id: new ObjectId(user), _id: { $ne: new ObjectId(session) } };
    await this.#delete(filter);
  }

  /** @param before ends only sessions of epochs before this one */
  async endAll(user: string, before?: number): Promise<void> {
    const earlier = before === undefined ? {} : { epoch: { $lt: before } };
    await this.#collection.deleteMany({ user_id: new ObjectId(user), ...earlier });
  }

  /**
   * Deletes all sessions of a filter. DocumentDB misses a document that another request updates at the same moment, as the one that
   * records its use does; so what is still there is deleted again. @returns whether there were any
   */
  async #delete(filter: Row): Promise<boolean> {
    let deleted = 0;
    for (let tries = 0; tries < maxDeletions; tries++) {
      deleted += (await this.#collection.deleteMany(filter)).deletedCount;
      if ((await this.#find(filter)) === null) break;
    }
    return deleted > 0;
  }

  async #find(filter: Row): Promise<Row | null> {
    return await this.#collection.findOne(filter);
  }

  /** A session that is not idle, and whose access token has not expired. */
  async #validSession(row: Row | null): Promise<FoundSession | undefined> {
    const expires = row?.['token_expires'];
    if (row === null || !(expires instanceof Date) || expires <= this.clock()) return undefined;
    if (await this.#endIdle(row)) return undefined;
    const until = new Date(Math.min(expires.getTime(), this.#idleAt(row)));
    const by = typeof row['by'] === 'string' ? row['by'] : undefined;
    return { id: String(row['_id']), user: String(row['user_id']), epoch: Number(row['epoch']), expires, until, by };
  }

  #lastUse(row: Row): Date | undefined {
    return this.uses.latest(String(row['_id']), row['last_used_at']);
  }

  /** When a session ends unless it is used again, in milliseconds. One that is older than the record of uses is not idle. */
  #idleAt(row: Row): number {
    return (this.#lastUse(row)?.getTime() ?? Infinity) + this.#idleMs;
  }

  /** Ends a session that is idle, unless another server has seen a use meanwhile. @returns whether it is idle */
  async #endIdle(row: Row): Promise<boolean> {
    if (this.#idleAt(row) > this.clock().getTime()) return false;
    const { _id, last_used_at } = row;
    await this.#collection.deleteOne({ _id, last_used_at } as Row);
    return true;
  }

  /**
   * Ends all but the newest `MAX_SESSIONS` sessions. Concurrent calls are safe: each removes a session only if it has found enough newer
   * ones.
   */
  async endOldest(user: string): Promise<void> {
    const older = await this.#collection
      .find({ user_id: new ObjectId(user) }, { projection: { _id: 1 } })
      .sort({ serial: -1, _id: -1 })
      .skip(this.settings.max_sessions)
      .toArray();
    if (older.length > 0) await this.#collection.deleteMany({ _id: { $in: older.map(({ _id }) => _id) } });
  }

  /** Replaces the tokens of a session. @returns undefined when another request has done so in the meantime */
  async #rotate(row: Row, token: string): Promise<Refreshed | undefined> {
    const now = this.clock();
    const made = newTokens(now, this.tokens.successors(token), this.settings);
    const recently = usedOf(row).filter(({ at }) => isWithin(at, this.settings.refresh_grace, now));
    const used = [...recently, { digest: digest(token), at: now }].slice(-maxUsed);
    const _id = row['_id'] as ObjectId;
    const filter = { _id, refresh_digest: digest(token) } as Row;
    const done = await this.#collection.updateOne(filter, { $set: { ...made.stored, used } });
    if (done.matchedCount !== 1) return undefined;
    this.#dropUsedLater(_id, digest(token));
    return refreshed(row, made.returned);
  }

  /**
   * A timer ends the grace period, because the clock may be set back. The stored time is for a server that stops before the timer
   * fires.
   */
  #dropUsedLater(_id: ObjectId, token: string): void {
    const pull = { $pull: { used: { digest: token } } } as Row;
    const drop = (): void => void this.#collection.updateOne({ _id }, pull).catch(() => undefined);
    setTimeout(drop, this.settings.refresh_grace * 1000).unref();
  }

  /** Returns the same successors again within the grace period. */
  #repeatRefresh(row: Row | null, token: string): Refreshed | undefined {
    const used = usedOf(row).find((one) => one.digest === digest(token));
    if (row === null || used === undefined) return undefined;
    if (!isWithin(used.at, this.settings.refresh_grace, this.clock())) return undefined;
    return refreshed(row, newTokens(used.at, this.tokens.successors(token), this.settings).returned);
  }
}

/** Maximum milliseconds between a use and the stored time of the last use. */
const maxLastUseMs = 60_000;

interface Used {
  readonly digest: string;
  readonly at: Date;
}

/** Maximum used tokens that are kept within the grace period; beyond it the oldest is dropped. */
const maxUsed = 20;

const usedOf = (row: Row | null): readonly Used[] => (Array.isArray(row?.['used']) ? (row['used'] as Used[]) : []);
/**
 * Whether a time lies within the last seconds. Clocks of servers differ slightly; a time far in the future was recorded before a
 * clock was set back.
 */
const isWithin = (at: Date, seconds: number, now: Date): boolean =>
  Math.abs(now.getTime() - at.getTime()) < seconds * 1000;

const refreshed = (row: Row, session: NewSession | undefined): Refreshed => ({
  user: String(row['user_id']),
  epoch: Number(row['epoch']),
  session,
});
