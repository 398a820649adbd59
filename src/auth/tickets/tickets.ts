/**
 * Tickets: they open one event stream or WebSocket within a minute, in the address, where browsers cannot send headers. A ticket
 * stands for the credential that it was requested with, and what it opens ends with that.
 */
import { badCredentials, signInFirst } from '../../errors.ts';
import type { Principal } from '../../policy/principal.ts';
import type { ClientAddress } from '../contract.ts';
import type { AuthCore } from '../core.ts';
import { readJwt } from '../credentials/genuine.ts';
import type { Claims } from '../credentials/jwt.ts';

/** @throws 401 for anonymous callers */
export function issueTicket({ jwts }: AuthCore, principal: Principal): string {
  const { user, epoch, method, session, key, digest, expires, by } = principal;
  if (user === undefined || epoch === undefined) throw signInFirst();
  const holder = { method, session, key, digest, until: expires?.getTime(), by };
  return jwts.sign('ticket', user.id, epoch, { holder });
}

export class OpenedTickets {
  /** The tickets of requests: what a request has opened is verified again while it lasts. */
  readonly #opened = new WeakMap<ClientAddress, Claims>();

  constructor(private readonly core: AuthCore) {}

  /** @param source the credentials of one request @throws 401 for a ticket that has been used or has expired, 429 */
  async open(ticket: string, source: ClientAddress): Promise<Claims> {
    const opened = this.#opened.get(source);
    if (opened !== undefined) return opened;
    const { useOnce, clock } = this.core;
    const claims = await readJwt(this.core, ticket, source.address, ['ticket']);
    if (claims.expires <= clock() || !(await useOnce(claims.id, claims.expires)))
      throw badCredentials('the ticket has been used or has expired');
    this.#opened.set(source, claims);
    return claims;
  }
}
