/** Changes of what belongs to a user, with the event that records them: both or neither. */
import type { ClientSession } from '../../models/mongoose.ts';
import { withDbErrors } from '../../models/with-db-errors.ts';
import type { Services } from '../../services.ts';
import { transaction, type Writer } from '../../write/commit.ts';
import type { Actor } from '../contract.ts';
import type { AccountEvent } from './contract.ts';

interface Event {
  readonly what: AccountEvent['what'];
  /** Id of the user concerned. */
  readonly whom: string;
  readonly by: Actor;
}

/** @param work returns undefined or false where it has changed nothing, which is not recorded */
export const recorded = <T>(
  services: Writer['services'] & Pick<Services, 'accountEvents'>,
  { what, whom, by }: Event,
  work: (session: ClientSession | undefined) => Promise<T>,
): Promise<T> =>
  withDbErrors(() =>
    transaction({ services }, async ({ unit }) => {
      const done = await work(unit.session);
      const { user: who, ...origin } = by;
      if (done !== undefined && done !== false) services.accountEvents.record(unit, { what, who, whom, ...origin });
      return done;
    }),
  );
