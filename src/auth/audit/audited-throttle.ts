/** Records what the login throttle counts as a failure. The throttle itself refuses further attempts, which are not recorded. */
import { Failure, IncompleteLogin } from '../../errors.ts';
import type { LoginThrottle } from '../throttle/login-throttle.ts';
import type { Users } from '../users.ts';
import type { Audit } from './contract.ts';

/** @param users finds whose account it was: what a caller types is never recorded, because it may be a password */
export function auditedThrottle(throttle: LoginThrottle, audit: Audit, users: Users): LoginThrottle {
  return {
    ...bound(throttle),
    async attempt<T>(address: string, account: string, work: () => Promise<T>, method = 'password'): Promise<T> {
      let isWrong = false;
      const attempted = async (): Promise<T> => {
        try {
          return await work();
        } catch (error) {
          isWrong = error instanceof Failure && error.status === 401 && !(error instanceof IncompleteLogin);
          throw error;
        }
      };
      try {
        return await throttle.attempt(address, account, attempted);
      } catch (error) {
        // an unknown account takes as long as a known one
        if (isWrong) await audit.failed({ whom: (await users.byEmail(account))?.id, address, method });
        throw error;
      }
    },
    async wrong(address, method) {
      await throttle.wrong(address, method);
      await audit.failed({ address, method });
    },
  };
}

const bound = (throttle: LoginThrottle): Pick<LoginThrottle, 'refuse' | 'spend' | 'affords'> => ({
  refuse: (address, account) => throttle.refuse(address, account),
  spend: (kind, address, account) => throttle.spend(kind, address, account),
  affords: (kind, address, account) => throttle.affords(kind, address, account),
});
