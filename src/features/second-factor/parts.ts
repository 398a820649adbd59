/** What the files of the second factor use of identities, and what they add. */
import { makeStoredSealer } from '../../adapters/sealing.ts';
import type { Claims } from '../../auth/credentials/jwt.ts';
import { type AddedPurpose, type AuthCore, digest, internalCollection, type Registry, type Row } from '../../core.ts';
import { unlessTaken } from '../../models/database-errors.ts';
import { Factors } from './factors.ts';

/** The JWT that is a ticket: what the right password gives, and a code completes within five minutes. */
export const codeTicket: AddedPurpose = { name: 'code', seconds: 300 };

export interface FactorParts extends AuthCore {
  readonly factors: Factors;
  readonly factorTickets: FactorTickets;
}

export const factorParts = (core: AuthCore): FactorParts => ({
  ...core,
  factors: new Factors(core.registry, makeStoredSealer(core.secrets, 'second factors'), core.clock),
  factorTickets: makeFactorTickets(core.registry),
});

/**
 * Tickets: what a caller gets for the right password of a user with a second factor, and exchanges for a session with a code. A
 * ticket is a JWT, so it ends when the sessions of its user do.
 */
const maxTries = 5;

/** The state of tickets, on all servers together. */
interface FactorTickets {
  /** Counts a try of a ticket. @returns whether the ticket allows it: it was not used, and has tries left */
  takeTry(ticket: Claims): Promise<boolean>;
  /** Uses a ticket of which a try was taken. @returns whether it was not used before */
  use(ticket: Claims): Promise<boolean>;
}

const idOf = ({ id }: Claims): string => digest(`tries:${id}`);

function makeFactorTickets(registry: Registry): FactorTickets {
  const collection = internalCollection(registry, '_used');
  const options = { upsert: true, returnDocument: 'after' } as const;
  const count = async (_id: string, until: Date): Promise<number> => {
    const update = { $inc: { tries: 1 }, $setOnInsert: { until } };
    const row = await unlessTaken<Row | null>(() => collection.findOneAndUpdate({ _id } as Row, update, options));
    // another request may have inserted it meanwhile
    return row === undefined ? count(_id, until) : Number(row?.['tries']);
  };
  return {
    takeTry: async (ticket) => (await count(idOf(ticket), ticket.expires)) <= maxTries,
    use: async (ticket) => {
      // without tries left, so that another code is refused before it is accepted, and so spent
      const unused = { _id: idOf(ticket), used: { $ne: true } } as Row;
      const { modifiedCount } = await collection.updateOne(unused, { $set: { used: true, tries: maxTries } });
      return modifiedCount === 1;
    },
  };
}
