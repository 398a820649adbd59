/** A WebSocket client that keeps what it receives. */
import { once } from 'node:events';
import WebSocket from 'ws';

type Json = Record<string, any>;

export interface Connection {
  readonly socket: WebSocket;
  /** Everything received so far. */
  readonly received: Json[];
  /** Sends an action and waits for its answer. */
  ask(action: string, data?: unknown): Promise<Json>;
  /** The events received so far, in short: event and title or id. */
  events(): readonly (readonly [string, unknown])[];
  /** Waits until as many events have been received. */
  until(count: number): Promise<void>;
  /** Waits until something holds; asked again at each message. */
  when(holds: () => boolean): Promise<void>;
  /** The close code, once it comes. */
  closed(): Promise<number>;
}

export async function connect(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  query = '',
): Promise<Connection> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/websocket${query}`, { headers });
  const received: Json[] = [];
  const waiting = new Set<() => void>();
  let closing: number | undefined;
  const woken = (): void => [...waiting].forEach((wake) => wake());
  socket.on('message', (text: Buffer) => {
    received.push(JSON.parse(text.toString()) as Json);
    woken();
  });
  socket.on('close', (code) => {
    closing = code;
    woken();
  });
  await once(socket, 'open');
  const when = (holds: () => boolean): Promise<void> =>
    new Promise((done) => {
      const look = (): void => {
        if (!holds()) return;
        waiting.delete(look);
        done();
      };
      waiting.add(look);
      look();
    });
  const events = (): Json[] =>
    received.filter((message) => message['data'] !== undefined).map((message) => message['data'] as Json);
  let last = 0;
  return {
    socket,
    received,
    async ask(action, data) {
      const msg_id = ++last;
      socket.send(JSON.stringify({ action, msg_id, data }));
      await when(() => received.some((message) => message['msg_id'] === msg_id));
      return received.find((message) => message['msg_id'] === msg_id) as Json;
    },
    events: () => events().map(({ event, item }) => [event as string, item.title ?? item._id]),
    until: (count) => when(() => events().length >= count),
    when,
    async closed() {
      await when(() => closing !== undefined);
      return closing ?? 0;
    },
  };
}
