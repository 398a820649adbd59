/** Who sends a request and from where, as sessions and the audit log show it. */
import type { Actor, SessionClient } from '../auth/contract.ts';
import type { Context } from '../context.ts';
import { signInOf } from '../policy/principal.ts';

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
