/** Replaces the permanent API key of a user, and records that in the audit log. */
import { transaction } from '../write/commit.ts';
import { record } from '../write/record.ts';
import type { Origin } from './contract.ts';
import type { AuthCore } from './core.ts';
import type { BoundUser } from './users.ts';
import { withDbErrors } from './with-db-errors.ts';

/** @returns the new key; undefined when the account is gone */
export const renewKey = (core: AuthCore, user: BoundUser, origin: Origin): Promise<string | undefined> =>
  withDbErrors(() =>
    transaction({ services: core }, async ({ unit }) => {
      const key = await core.accounts.renewKey(user, unit.session);
      if (key !== undefined) record(unit, { what: 'apikey.renewed', who: user.id, whom: user.id, ...origin });
      return key;
    }),
  );
