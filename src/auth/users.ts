/** Users as the auth code sees them: what is known of one, their password hash, and the changes that it makes to them. */
import type { KnownUser } from '../access/principal.ts';
import { notDeleted } from '../registry/deleted.ts';
import { isId } from '../registry/cast.ts';
import { modelOf, ObjectId, type Row } from '../registry/mongoose.ts';
import type { Registry } from '../registry/registry.ts';
import type { Bus, Groups, GroupsUpdate } from '../services.ts';
import { asked } from './asked.ts';

export interface StoredUser {
  readonly known: KnownUser;
  readonly hash: string | undefined;
}

export interface Users extends Groups {
  byEmail(email: string): Promise<StoredUser | undefined>;
  byId(id: string): Promise<StoredUser | undefined>;
  /** Sets the password hash. @returns false when the user is gone, or the hash is not `before` any more (where it is given) */
  setHash(id: string, hash: string, before?: string): Promise<boolean>;
}

/** Emails are compared trimmed and in lower case. */
export const plainEmail = (email: string): string => email.trim().toLowerCase();

export function makeUsers(registry: Registry, bus: Bus, clock: () => Date): Users {
  const model = registry.internal('user');
  const { collection } = modelOf(model);
  const find = (filter: Row): Promise<StoredUser | undefined> =>
    asked(async () => {
      const row = (await collection.findOne({ ...filter, ...notDeleted })) as Row | null;
      return row === null
        ? undefined
        : { known: knownFrom(row), hash: typeof row['password'] === 'string' ? row['password'] : undefined };
    });
  /** One atomic update, told to the bus. */
  const changeOne = (filter: Row, update: Row, by: string | undefined): Promise<Row | null> =>
    asked(async () => {
      const stamps = { updatedAt: clock(), ...(by === undefined ? {} : { _updated_by_id: new ObjectId(by) }) };
      const whole = { ...update, $set: { ...(update['$set'] as Row | undefined), ...stamps }, $inc: { __v: 1 } };
      const after = (await collection.findOneAndUpdate({ ...filter, ...notDeleted }, whole, {
        returnDocument: 'after',
      })) as Row | null;
      if (after !== null)
        bus.publish([{ event: 'put', model, id: String(after['_id']), after, user: by, silent: false }]);
      return after;
    });
  return {
    byEmail: (email) => find({ email: plainEmail(email) }),
    byId: async (id) => (isId(id) ? find({ _id: new ObjectId(id) }) : undefined),
    setHash: async (id, hash, before) => {
      const filter = { _id: new ObjectId(id), ...(before === undefined ? {} : { password: before }) };
      return (await changeOne(filter, { $set: { password: hash } }, id)) !== null;
    },
    of: async (id) => (isId(id) ? (await find({ _id: new ObjectId(id) }))?.known.groups : undefined),
    change: async (id, update, by) => {
      const after = await changeOne({ _id: new ObjectId(id) }, groupsUpdate(update), by);
      return after === null ? undefined : knownFrom(after).groups;
    },
  };
}

function groupsUpdate({ add, remove, replace }: GroupsUpdate): Row {
  if (replace !== undefined) return { $set: { groups: [...new Set(replace)] } };
  return remove === undefined
    ? { $addToSet: { groups: { $each: add ?? [] } } }
    : { $pull: { groups: { $in: remove } } };
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
