/** Requests as bytes, for what a well-behaved client would not send: odd methods, odd paths, doubled headers, broken HTTP. */
import { connect } from 'node:net';

/** What came back until the server closed the connection. */
export interface BareAnswer {
  /** 0 when nothing came. */
  readonly status: number;
  readonly head: string;
  readonly text: string;
}

/** Sends bytes and reads until the connection is closed, ten seconds at most. */
export function sendBytes(url: string, bytes: string | Buffer): Promise<BareAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((done) => {
    const socket = connect(Number(port), hostname);
    const pieces: Buffer[] = [];
    socket.setTimeout(10_000, () => socket.destroy());
    socket.on('data', (piece) => pieces.push(piece));
    // a server that has answered may cut off what is still being sent
    socket.on('error', () => undefined);
    socket.on('close', () => done(answerOf(Buffer.concat(pieces).toString())));
    socket.write(bytes);
  });
}

/** One request on a connection of its own; the target stands in the request line as it is. */
export const bare = (
  url: string,
  method: string,
  target: string,
  headers: readonly string[] = [],
  body = '',
): Promise<BareAnswer> =>
  sendBytes(
    url,
    [
      `${method} ${target} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
      ...headers,
      '',
      body,
    ].join('\r\n'),
  );

function answerOf(whole: string): BareAnswer {
  const end = whole.indexOf('\r\n\r\n');
  const head = end === -1 ? whole : whole.slice(0, end);
  return {
    status: Number(/^HTTP\/1\.\d (\d+)/.exec(head)?.[1] ?? 0),
    head,
    text: end === -1 ? '' : whole.slice(end + 4),
  };
}
