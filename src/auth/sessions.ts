/** Sessions: begun by a login, found by their token, ended by a logout. Only digests of tokens are stored. */
import { fromDatabase } from '../registry/database-errors.ts';
import { modelOf, ObjectId, type Row } from '../registry/mongoose.ts';
import type { Registry } from '../registry/registry.ts';
import type { Settings } from '../settings/types.ts';
import { digest, newToken } from './tokens.ts';

export interface NewSession {
  readonly token: string;
  readonly token_expires: string;
  readonly refresh_token: string;
  readonly refresh_token_expires: string;
}

export interface FoundSession {
  readonly id: string;
  readonly user: string;
  readonly expires: Date;
}

export interface Sessions {
  /** A new session; older ones beyond `MAX_SESSIONS` end. */
  begin(user: string): Promise<NewSession>;
  byToken(token: string): Promise<FoundSession | undefined>;
  end(session: string): Promise<void>;
  endAll(user: string): Promise<void>;
}

export function makeSessions(registry: Registry, settings: Settings, clock: () => Date): Sessions {
  const { collection } = modelOf(registry.internal('_session'));
  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw fromDatabase(error);
    }
  };
  /** The newest sessions stay; which is newest, the database's ids tell. */
  const trim = async (user: InstanceType<typeof ObjectId>): Promise<void> => {
    const kept = await collection
      .find({ user_id: user }, { projection: { _id: 1 } })
      .sort({ createdAt: -1, _id: -1 })
      .limit(settings.max_sessions)
      .toArray();
    await collection.deleteMany({ user_id: user, _id: { $nin: kept.map(({ _id }) => _id) } });
  };
  return {
    begin: (user) =>
      asked(async () => {
        const now = clock().getTime();
        const made = { token: newToken('access'), refresh: newToken('refresh') };
        const expires = new Date(now + settings.token_expiry * 1000);
        const refreshExpires = new Date(now + settings.refresh_token_expiry * 1000);
        const user_id = new ObjectId(user);
        await collection.insertOne({
          user_id,
          token_digest: digest(made.token),
          refresh_digest: digest(made.refresh),
          token_expires: expires,
          refresh_token_expires: refreshExpires,
          createdAt: new Date(now),
        });
        await trim(user_id);
        return {
          token: made.token,
          token_expires: expires.toISOString(),
          refresh_token: made.refresh,
          refresh_token_expires: refreshExpires.toISOString(),
        };
      }),
    byToken: (token) =>
      asked(async () => {
        const row = (await collection.findOne({ token_digest: digest(token) })) as Row | null;
        const expires = row?.['token_expires'];
        if (row === null || !(expires instanceof Date) || expires <= clock()) return undefined;
        return { id: String(row['_id']), user: String(row['user_id']), expires };
      }),
    end: (session) => asked(async () => void (await collection.deleteOne({ _id: new ObjectId(session) }))),
    endAll: (user) => asked(async () => void (await collection.deleteMany({ user_id: new ObjectId(user) }))),
  };
}
