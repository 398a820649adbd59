/** A server that redirects to another one, which writes down what it receives. Pages of any origin may use both. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { listen } from '../support/broken-line.ts';

const open = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*, authorization',
  'access-control-allow-methods': '*',
};

export async function openRedirecting() {
  const received: string[] = [];
  const take: RequestListener = (req, res) => {
    received.push(lineOf(req));
    res.writeHead(200, open).end('{"data":[]}');
  };
  const other = createServer(take);
  const to = await listen(other);
  const server = createServer((req, res) => {
    // a preflight is answered, and the path begins with the status
    const status = req.method === 'OPTIONS' ? 204 : Number(req.url?.split('/', 2)[1]);
    res.writeHead(status, { ...open, location: to + (req.url ?? '') }).end();
  });
  const url = await listen(server);
  const close = (): void => {
    for (const one of [server, other]) {
      one.closeAllConnections();
      one.close();
    }
  };
  return { url, received: (): readonly string[] => received, close };
}

const lineOf = ({ method = '', url = '' }: IncomingMessage): string => `${method} ${url}`;
