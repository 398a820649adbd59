/** Reports what the login throttle counts as a failure. The throttle itself refuses further attempts, which are not reported. */
import { countsAsFailedLogin, type LoginThrottle } from '../throttle/login-throttle.ts';
import type { Users } from '../users.ts';
import type { AccountEvents } from './contract.ts';

/** @param users finds whose account it was: what a caller types is never reported, because it may be a password */
export function reportingThrottle(throttle: LoginThrottle, events: AccountEvents, users: Users): LoginThrottle {
  return {
    ...bound(throttle),
    async attempt<T>(address: string, account: string, work: () => Promise<T>, method = 'password'): Promise<T> {
      let hasFailed = false;
      const attempted = async (): Promise<T> => {
        try {
          return await work();
        } catch (error) {
          hasFailed = countsAsFailedLogin(error);
          throw error;
        }
      };
      try {
        return await throttle.attempt(address, account, attempted);
      } catch (error) {
        // an unknown account takes as long as a known one
        if (hasFailed) await events.failed({ whom: (await users.byLogin(account))?.id, address, method });
        throw error;
      }
    },
    async countForgery(address, method) {
      await throttle.countForgery(address, method);
      await events.failed({ address, method });
    },
  };
}

const bound = (
  throttle: LoginThrottle,
): Pick<LoginThrottle, 'checkBlocked' | 'consume' | 'isBlocked' | 'tryConsume'> => ({
  checkBlocked: (address, account) => throttle.checkBlocked(address, account),
  isBlocked: (account) => throttle.isBlocked(account),
  consume: (kind, address, account) => throttle.consume(kind, address, account),
  tryConsume: (kind, address, account) => throttle.tryConsume(kind, address, account),
});
