/** Where no feature checks second factors: a user who has one on is refused where it would be needed. */
import { secondFactorNeeded } from '../../errors.ts';
import type { FactorCheck } from '../contract.ts';
import type { Accounts } from './accounts.ts';

export const uncheckedFactors = (accounts: Accounts): FactorCheck => ({
  refusal: () => secondFactorNeeded(),
  async prove({ id }) {
    if ((await accounts.find(id))?.hasFactor === true) throw secondFactorNeeded();
  },
});
