/** Changes as they happen, by event streams and WebSockets, and the tickets that open these (docs/realtime.md). */
import type { Feature } from '../feature.ts';
import { eventsConfig } from './config.ts';
import { subscribing } from './operations.ts';
import { subscribers } from './subscribers.ts';
import { issueTicket, openedTicket, streamTicket, tickets } from './tickets.ts';
import { serveSockets } from './websocket/server.ts';

export const events: Feature = {
  name: 'events',
  ...eventsConfig,
  operations: [subscribing, tickets],
  jwtPurposes: [streamTicket],
  authMethods: [openedTicket],
  services: [subscribers, issueTicket],
  attach: serveSockets,
};
