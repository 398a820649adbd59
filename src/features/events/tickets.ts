/** Tickets, which open event streams and WebSockets where a caller cannot send headers. */
import type { Context } from '../../context.ts';
import { object, status, text } from '../../docs/openapi/shapes.ts';
import { type Answer, json } from '../../operations/answer.ts';
import { type OperationGroup, signedIn } from '../../operations/operation.ts';

export const tickets: OperationGroup = {
  title: 'Tickets',
  after: 'Sessions',
  secret: true,
  operations: [
    {
      name: 'tickets.create',
      http: { method: 'POST', path: '/login/ticket' },
      summary: 'Creates a ticket, which opens one event stream or WebSocket within a minute',
      effect: 'write',
      access: signedIn,
      answers: { 200: object({ status, ticket: text }) },
      run: create,
    },
  ],
};

function create({ services, principal }: Context): Answer {
  return json({ status: 'ok', ticket: services.auth.ticketFor(principal) });
}
