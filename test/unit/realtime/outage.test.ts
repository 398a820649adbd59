/** A database outage disconnects no subscriber, and accumulates no work. */
import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { unavailable } from '../../../src/errors/errors.ts';
import { LiveSubscriber } from '../../../src/features/events/subscriptions/subscriber.ts';
import { SocketTransport } from '../../../src/features/events/websocket/socket-transport.ts';
import type { Principal } from '../../../src/policy/principal.ts';

test('delayed heartbeats that arrive together count as one', () => {
  const done: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    ping: () => done.push('ping'),
    terminate: () => done.push('terminate'),
  });
  const subscribers = { join: () => ({ leave: () => undefined }) };
  const client = new SocketTransport(
    { socket, wire: {}, from: { address: '', ip: '' } } as never,
    { subscribers } as never,
  );
  client.heartbeat('');
  client.heartbeat('');
  socket.emit('close');
  expect(done).toEqual(['ping']);
});

test('rechecks that arrive while one waits become one', async () => {
  let asked = 0;
  let back = (): void => undefined;
  const away = new Promise<void>((resolve) => (back = resolve));
  const ends: string[] = [];
  const subscriber = new LiveSubscriber(
    { end: (why: string) => ends.push(why) } as never,
    { changes: { end: 0, between: () => [] }, connections: { changeUser: () => undefined } } as never,
    { clear: () => undefined } as never,
    () => undefined,
  );
  const user = { id: 'a' } as Principal['user'];
  subscriber.signIn({ user } as Principal, async () => {
    asked += 1;
    await away;
    throw unavailable(new Error('away'));
  });
  const first = new Promise<void>((resolve) => subscriber.enqueue(() => resolve()));
  for (let time = 0; time < 50; time++) subscriber.revalidate();
  await first;
  back();
  await new Promise<void>((resolve) => subscriber.enqueue(() => resolve()));
  expect([asked, ends]).toEqual([1, []]);
  subscriber.leave();
});
