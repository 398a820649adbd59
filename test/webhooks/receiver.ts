/** A receiver of webhooks: an HTTP server that verifies and keeps what it gets, and answers as a test wants. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly message: { readonly type: string; readonly timestamp: string; readonly data: Data };
}

interface Data {
  readonly model: string;
  readonly id: string;
  readonly item?: Readonly<Record<string, unknown>>;
  readonly user_id: string | null;
  readonly position: string | null;
}

/** Answers a request; 204 by default. */
type Respond = (received: Received, answer: ServerResponse, request: IncomingMessage) => void;

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  respond: Respond;
  readonly close: () => Promise<void>;
}

export const accept: Respond = (_received, answer) => void answer.writeHead(204).end();

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, answer) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      const one = { id: headers['webhook-id'] ?? '', headers, body, message: JSON.parse(body) as Received['message'] };
      received.push(one);
      receiver.respond(one, answer, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    respond: accept,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Whether a message is signed by a secret, as the library of receivers judges it. Its clock is that of this process. */
export function isSigned({ body, headers }: Received, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
