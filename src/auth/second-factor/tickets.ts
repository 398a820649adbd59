/**
 * Tickets: what a caller gets for the right password of a user with a second factor, and exchanges for a session with a code. A
 * ticket is a JWT, so it ends when the sessions of its user do.
 */
import { isTaken } from '../../models/database-errors.ts';
import { internalCollection, type Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import type { Claims } from '../credentials/jwt.ts';
import { digest } from '../credentials/tokens.ts';
import { withDbErrors } from '../with-db-errors.ts';

const maxTries = 5;

/** Counts a try of a ticket, on all servers together. @returns whether the ticket allows it */
export type TakeTry = (ticket: Claims) => Promise<boolean>;

export function makeTakeTry(registry: Registry): TakeTry {
  const collection = internalCollection(registry, '_used');
  const options = { upsert: true, returnDocument: 'after' } as const;
  const count = async (_id: string, until: Date): Promise<number> => {
    try {
      const update = { $inc: { tries: 1 }, $setOnInsert: { until } };
      const row = (await collection.findOneAndUpdate({ _id } as Row, update, options)) as Row | null;
      return Number(row?.['tries']);
    } catch (error) {
      // another request has inserted it meanwhile
      if (!isTaken(error)) throw error;
      return count(_id, until);
    }
  };
  return ({ id, expires }) => withDbErrors(async () => (await count(digest(`tries:${id}`), expires)) <= maxTries);
}
