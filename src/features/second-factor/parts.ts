/** What the files of the second factor use of identities, and what they add. */
import type { AuthCore } from '../../auth/core.ts';
import type { AddedPurpose } from '../../auth/credentials/jwt.ts';
import { makeStoredSealer } from '../../sealing.ts';
import { Factors } from './factors.ts';
import { type FactorTickets, makeFactorTickets } from './tickets.ts';

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
