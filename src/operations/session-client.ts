/** Who sends a request and from where, as sessions and the audit log show it. */
import type { Actor, SessionClient } from '../auth/contract.ts';
import type { Context } from '../context.ts';
import { signInOf } from '../policy/principal.ts';

export const sessionClientOf = ({ address, ip, headers, progress }: Context): SessionClient => ({
  address,
  ip,
  progress,
  agent: headers['user-agent'],
});

export const actorOf = ({ principal, address, progress }: Context): Actor => ({
  user: principal.user?.id,
  address,
  progress,
  ...signInOf(principal),
});
