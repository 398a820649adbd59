/** Changes as they happen, by event streams and WebSockets, and the tickets that open these (docs/realtime.md). */
import { authMethod } from '../../auth/ports.ts';
import { type Feature, jwtPurpose, ownService, provide } from '../../core.ts';
import { eventsConfig } from './config.ts';
import { eventOperations } from './operations.ts';
import { subscribers } from './subscribers.ts';
import { issueTicket, openedTicket, streamTicket, tickets } from './tickets.ts';
import { serveSockets } from './websocket/server.ts';

export const events: Feature = {
  name: 'events',
  config: eventsConfig,
  operations: [eventOperations, tickets],
  provides: [
    provide(jwtPurpose, () => streamTicket),
    provide(authMethod, openedTicket),
    provide(ownService, subscribers),
    provide(ownService, issueTicket),
  ],
  attach: serveSockets,
};
