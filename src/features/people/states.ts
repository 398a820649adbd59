/** When users were there last, and how they sign in: read for many users together, with one query of each collection. */
import type { UserRef } from '../../auth/credentials/accounts.ts';
import {
  type AuthCore,
  type Core,
  internalCollection,
  modelOf,
  ObjectId,
  type Row,
  type Services,
} from '../../core.ts';
import { incarnationPath } from '../../models/built-in/incarnation.ts';
import { sessionList } from '../../ports/core.ts';

/** What an admin sees of a user (docs/users.md). */
export interface UserState {
  readonly id: string;
  /** The last use of a session or a key; of sessions that have ended, the day of the sign-in. */
  readonly last_seen: Date | null;
  readonly never_signed_in: boolean;
  /** Whether they must verify the email before they can sign in. */
  readonly unverified: boolean;
  /** Whether a second factor is on. */
  readonly factor: boolean;
  /** Whether passwords are refused for now, after too many wrong ones. */
  readonly locked: boolean;
}

const tests = {
  never_signed_in: (state) => state.never_signed_in,
  unverified: (state) => state.unverified,
  factor: (state) => state.factor,
  no_factor: (state) => !state.factor,
  locked: (state) => state.locked,
} as const satisfies Readonly<Record<string, (state: UserState) => boolean>>;

type Kind = keyof typeof tests;

export const kinds = Object.keys(tests);

export const isKind = (text: string): text is Kind => Object.hasOwn(tests, text);

/** Users that are read at once, and for one page at most. */
const [batch, maxRead] = [500, 5000];

interface PageWanted {
  /** The state of all users of the page; undefined for any. */
  readonly kind: Kind | undefined;
  readonly limit: number;
  /** The id of a user. */
  readonly after: string | undefined;
}

export const userStates = ({ services, auth }: Core): UserStates => new UserStates(services, auth);

interface KnownRow extends UserRef {
  /** What failures to sign in are counted by. */
  readonly account: string;
}

class UserStates {
  constructor(
    private readonly services: Pick<Services, 'auth' | 'registry' | 'of'>,
    private readonly core: AuthCore,
  ) {}

  /** The states of users by their ids; those that do not exist are not in it. */
  async of(ids: readonly string[]): Promise<readonly UserState[]> {
    return this.#statesOf(await this.#users({ _id: { $in: ids.map((id) => new ObjectId(id)) } }, ids.length));
  }

  /** Users who are not deleted, by their ids. It reads a limited number, so that it may find fewer than there are. @returns the place of the next page */
  async page({
    kind,
    limit,
    after,
  }: PageWanted): Promise<{ readonly found: readonly UserState[]; readonly next: string | undefined }> {
    const found: UserState[] = [];
    let last = after;
    for (let read = 0; read < maxRead; read += batch) {
      const place = last === undefined ? {} : { _id: { $gt: new ObjectId(last) } };
      const users = await this.#users({ ...place, _deleted: { $ne: true } }, batch);
      for (const state of await this.#statesOf(users)) {
        if (kind !== undefined && !tests[kind](state)) continue;
        found.push(state);
        if (found.length === limit) return { found, next: state.id };
      }
      if (users.length < batch) return { found, next: undefined };
      last = users.at(-1)?.id;
    }
    return { found, next: last };
  }

  async #users(filter: Row, limit: number): Promise<readonly KnownRow[]> {
    const { collection } = modelOf(this.services.registry.internal('user'));
    const { users } = this.core;
    const fields = { [users.loginField]: 1, [incarnationPath]: 1 };
    const rows = await collection.find(filter).project(fields).sort({ _id: 1 }).limit(limit).toArray();
    return (rows as readonly Row[]).map((row) => ({
      id: String(row['_id']),
      incarnation: String(row[incarnationPath] ?? ''),
      account: users.loginName(String(row[users.loginField] ?? '')),
    }));
  }

  async #statesOf(users: readonly KnownRow[]): Promise<readonly UserState[]> {
    if (users.length === 0) return [];
    const ids = users.map(({ id }) => id);
    const [accounts, sessions, keys] = await Promise.all([
      this.#accountsOf(ids),
      this.services.of(sessionList).lastUses(ids),
      this.services.auth.lastKeyUses(ids),
    ]);
    return users.map(({ id, incarnation, account: name }) => {
      const account = accounts.get(id);
      // the account of an earlier user with this id is not theirs
      const own = account?.['incarnation'] === incarnation ? account : undefined;
      const addresses = (own?.['addresses'] ?? []) as readonly { readonly at?: Date }[];
      const seen = [sessions.get(id), keys.get(id), ...addresses.map(({ at }) => at)].filter((at) => at !== undefined);
      const last = seen.length === 0 ? null : new Date(Math.max(...seen.map((at) => at.getTime())));
      return {
        id,
        last_seen: last,
        never_signed_in: last === null && Number(own?.['logins'] ?? 0) === 0,
        unverified: own?.['awaits'] !== undefined,
        factor: own?.['factor'] !== undefined,
        locked: this.core.loginThrottle.isBlocked(name),
      };
    });
  }

  async #accountsOf(ids: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    const filter = { _id: { $in: ids.map((id) => new ObjectId(id)) } } as Row;
    const fields = { incarnation: 1, logins: 1, awaits: 1, 'factor.step': 1, 'addresses.at': 1 };
    const rows = await internalCollection(this.services.registry, '_account').find(filter).project(fields).toArray();
    return new Map((rows as readonly Row[]).map((row) => [String(row['_id']), row]));
  }
}
