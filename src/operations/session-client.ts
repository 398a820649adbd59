/** Who sends a request and from where, as sessions and the audit log show it. */
import { signInOf } from '../policy/principal.ts';
import type { Actor, SessionClient } from '../auth/contract.ts';
import type { Context } from '../context.ts';

export const sessionClientOf = ({ address, ip, headers }: Context): SessionClient => ({
  address,
  ip,
  agent: headers['user-agent'],
});

export const actorOf = ({ principal, address }: Context): Actor => ({
  user: principal.user?.id,
  address,
  ...signInOf(principal),
});
