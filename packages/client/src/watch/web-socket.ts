/** One subscription over a WebSocket of its own (docs/realtime.md). */
import { DossierError } from '../error.ts';
import { jsonFilter } from '../query.ts';
import type { Transport } from '../transport.ts';
import type { Delivery, Subscription } from './delivery.ts';
import type { Change } from './watch.ts';

/** The part of a WebSocket that is used. */
interface Socket {
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onerror: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** A program may set it where the platform has none, as Node.js 20. */
const platform = globalThis as { readonly WebSocket?: new (url: string) => Socket };

/** A message of the server: an answer, an event, or the position that the server has reached. */
interface Message<Document> {
  readonly action?: string;
  readonly status?: 'okay' | 'error';
  readonly message?: string;
  readonly result?: { readonly position?: string };
  readonly data?: Change<Document>;
  readonly position?: string;
}

/** Whether the platform has WebSockets. */
export const hasWebSocket = (): boolean => platform.WebSocket !== undefined;

export async function* webSocket<Document>(
  transport: Transport,
  { model, id, filter, since, signal }: Subscription,
): AsyncGenerator<Delivery<Document>> {
  const { apikey } = transport;
  const token = apikey === undefined ? await transport.session?.token(signal) : undefined;
  // a socket that is opened after the end of the watch would stay open
  signal.throwIfAborted();
  const { send, messages, close } = openSocket<Document>(`${transport.url.replace(/^http/, 'ws')}/websocket`, signal);
  try {
    for await (const message of messages) {
      if (message === 'open') {
        send('auth', { apikey, token });
        send('subscribe', { model, id, filter: jsonFilter(filter), since, positions: true });
      } else yield* deliveryOf(message);
    }
  } finally {
    close();
  }
}

/** @throws DossierError for a refusal; of status 0 before the subscription, since an event stream reports the reason */
function* deliveryOf<Document>({
  action,
  status,
  message,
  result,
  data,
  position,
}: Message<Document>): Generator<Delivery<Document>> {
  if (status === 'error') throw new DossierError(action === 'unsubscribe' ? 400 : 0, { err: message ?? 'refused' });
  if (action === 'subscribe') yield { kind: 'open', position: result?.position };
  else if (data !== undefined) yield { kind: 'change', change: data };
  else if (position !== undefined) yield { kind: 'position', position };
}

interface Line<Document> {
  readonly send: (action: string, data: object) => void;
  /** `open`, then what the server sends, until the connection is closed. */
  readonly messages: AsyncGenerator<'open' | Message<Document>>;
  readonly close: () => void;
}

function openSocket<Document>(url: string, signal: AbortSignal): Line<Document> {
  if (platform.WebSocket === undefined) throw new DossierError(0, { err: 'there are no WebSockets here' });
  const socket = new platform.WebSocket(url);
  const received: ('open' | Message<Document>)[] = [];
  let isClosed = false;
  let wake = (): void => undefined;
  const took = (message: 'open' | Message<Document>): void => {
    received.push(message);
    wake();
  };
  const ended = (): void => {
    isClosed = true;
    wake();
  };
  socket.onopen = () => took('open');
  socket.onmessage = ({ data }) => took(JSON.parse(String(data)) as Message<Document>);
  socket.onclose = ended;
  socket.onerror = ended;
  const close = (): void => {
    signal.removeEventListener('abort', close);
    ended();
    socket.close();
  };
  signal.addEventListener('abort', close);
  return {
    send: (action, data) => socket.send(JSON.stringify({ action, msg_id: action, data })),
    messages: (async function* () {
      for (;;) {
        const message = received.shift();
        if (message !== undefined) yield message;
        else if (isClosed) return;
        else await new Promise<void>((done) => (wake = done));
      }
    })(),
    close,
  };
}
