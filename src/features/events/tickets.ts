/**
 * Tickets: they open one event stream or WebSocket within a minute, in the address, where browsers cannot send headers. A ticket
 * stands for the credential that it was requested with, and what it opens ends with that.
 */
import type { AuthMethod, ClientAddress } from '../../auth/contract.ts';
import { readJwt } from '../../auth/credentials/genuine.ts';
import type { Claims } from '../../auth/credentials/jwt.ts';
import {
  type AddedPurpose,
  type Answer,
  type AuthCore,
  type Context,
  type Core,
  json,
  type OperationGroup,
  type Principal,
  shapes,
  signedInAccess,
  signInFirst,
} from '../../core.ts';
import { badCredentials } from '../../errors/errors.ts';

/** The JWT that is a ticket. */
export const streamTicket: AddedPurpose = { name: 'ticket', seconds: 60 };

/** Makes the tickets of callers, a service of the feature. */
export const issueTicket =
  ({ auth: { jwts } }: Core) =>
  /** @throws 401 for anonymous callers */
  (principal: Principal): string => {
    const { user, epoch, method, session, key, digest, expires, by } = principal;
    if (user === undefined || epoch === undefined) throw signInFirst();
    const holder = { method, session, key, digest, until: expires?.getTime(), by };
    return jwts.sign(streamTicket, user.id, epoch, { holder });
  };

/** Signs in by a ticket, for what opens a stream. */
export function openedTicket(core: AuthCore): AuthMethod {
  /** The tickets of requests: what a request has opened is verified again while it lasts. */
  const opened = new WeakMap<ClientAddress, Claims>();
  return {
    name: 'ticket parameter',
    parameter: 'ticket',
    find: ({ parameters: { ticket } }) => ticket,
    async verify(ticket, auth, source) {
      if (!source.opensStream) throw badCredentials('a ticket opens event streams and WebSockets only');
      const known = opened.get(source);
      const claims = known ?? (await use(core, ticket, source));
      if (known === undefined) opened.set(source, claims);
      return auth.byHolder(claims, source);
    },
  };
}

/** @throws 401 for a ticket that has been used or has expired, 429 */
async function use(core: AuthCore, ticket: string, { address }: ClientAddress): Promise<Claims> {
  const claims = await readJwt(core, ticket, address, [streamTicket.name]);
  if (claims.expires <= core.clock() || !(await core.useOnce(claims.id, claims.expires)))
    throw badCredentials('the ticket has been used or has expired');
  return claims;
}

export const tickets: OperationGroup = {
  title: 'Tickets',
  after: 'Sessions',
  secret: true,
  operations: [
    {
      name: 'tickets.create',
      http: { method: 'POST', path: '/login/ticket' },
      summary: 'Creates a ticket, which opens one event stream or WebSocket within a minute',
      access: signedInAccess,
      answers: { 200: shapes.object({ status: shapes.status, ticket: shapes.text }) },
      run: create,
    },
  ],
};

function create({ services, principal }: Context): Answer {
  return json({ status: 'ok', ticket: services.of(issueTicket)(principal) });
}
