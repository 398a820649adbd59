/** Users as the auth code sees them: what is known of one, and their password hash. */
import type { KnownUser } from '../access/principal.ts';
import { notDeleted } from '../registry/deleted.ts';
import { fromDatabase } from '../registry/database-errors.ts';
import { isId } from '../registry/cast.ts';
import { modelOf, ObjectId, type Row } from '../registry/mongoose.ts';
import type { Registry } from '../registry/registry.ts';

export interface StoredUser {
  readonly known: KnownUser;
  readonly hash: string | undefined;
}

export interface Users {
  byEmail(email: string): Promise<StoredUser | undefined>;
  byId(id: string): Promise<StoredUser | undefined>;
}

/** Emails are compared trimmed and in lower case. */
export const plainEmail = (email: string): string => email.trim().toLowerCase();

export function makeUsers(registry: Registry): Users {
  const { collection } = modelOf(registry.internal('user'));
  const find = async (filter: Row): Promise<StoredUser | undefined> => {
    try {
      const row = (await collection.findOne({ ...filter, ...notDeleted })) as Row | null;
      return row === null
        ? undefined
        : { known: knownFrom(row), hash: typeof row['password'] === 'string' ? row['password'] : undefined };
    } catch (error) {
      throw fromDatabase(error);
    }
  };
  return {
    byEmail: (email) => find({ email: plainEmail(email) }),
    byId: async (id) => (isId(id) ? find({ _id: new ObjectId(id) }) : undefined),
  };
}

function knownFrom(row: Row): KnownUser {
  const id = String(row['_id']);
  const { groups, name } = row;
  return Object.freeze({
    _id: id,
    id,
    email: String(row['email'] ?? ''),
    ...(typeof name === 'string' ? { name } : {}),
    admin: row['admin'] === true,
    groups: Array.isArray(groups) ? groups.filter((group): group is string => typeof group === 'string') : [],
  });
}
