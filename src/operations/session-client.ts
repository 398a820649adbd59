/** The client of a request, as a session that it begins is shown to its user. */
import type { SessionClient } from '../auth/contract.ts';
import type { Context } from '../context.ts';

export const clientOf = ({ address, ip, headers }: Context): SessionClient => ({
  address,
  ip,
  agent: headers['user-agent'],
});
