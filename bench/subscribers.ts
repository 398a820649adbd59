/**
 * A process with many subscribers, controlled by messages of its parent: `Open` opens sockets that subscribe, `collect` makes it report
 * what they received since it was last asked. Plain sockets and a search for the time in each event, so that the load costs little.
 */
import { connect, type Socket } from 'node:net';

export interface Open {
  readonly port: number;
  readonly token: string;
  /** One subscription each. */
  readonly filters: readonly object[];
}

export interface Received {
  readonly events: number;
  /** The number of events by their delay in whole milliseconds. */
  readonly delays: readonly number[];
  /** Connections that the server ended. */
  readonly ended: number;
}

/** Events carry the time when their write was sent in this field. */
const timed = Buffer.from('"stock":');

let events = 0;
let delays: number[] = [];
let ended = 0;
const sockets: Socket[] = [];

process.on('message', (message: Open | 'collect' | 'close') => {
  if (message === 'collect') {
    process.send?.({ events, delays, ended } satisfies Received);
    [events, delays, ended] = [0, [], 0];
  } else if (message === 'close') for (const socket of sockets.splice(0)) socket.removeAllListeners().destroy();
  else void openAll(message).then(() => process.send?.('opened'));
});

/** A few at a time: no server takes a thousand connections in one moment. */
async function openAll({ filters, ...to }: Open): Promise<void> {
  const waiting = [...filters];
  const openSome = async (): Promise<void> => {
    for (let filter = waiting.pop(); filter !== undefined; filter = waiting.pop()) await subscribe(filter, to);
  };
  await Promise.all(Array.from({ length: 20 }, openSome));
}

/** Opens a socket and waits until its subscription is answered. */
function subscribe(filter: object, { port, token }: Omit<Open, 'filters'>): Promise<void> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    sockets.push(socket);
    let waiting = true;
    const receive = (frame: Buffer): void => {
      const at = frame.indexOf(timed);
      if (at === -1) {
        if (!waiting) return;
        if (!frame.includes('"okay"')) throw new Error(frame.toString());
        waiting = false;
        return done();
      }
      const sent = Number.parseInt(frame.toString('latin1', at + timed.length, at + timed.length + 16), 10);
      const delay = Math.max(0, Date.now() - sent);
      delays[delay] = (delays[delay] ?? 0) + 1;
      events += 1;
    };
    socket.write(
      [
        'GET /websocket HTTP/1.1',
        'Host: localhost',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
        `Authorization: Bearer ${token}`,
        '\r\n',
      ].join('\r\n'),
    );
    readFrames(socket, receive, () =>
      socket.write(textFrame(JSON.stringify({ action: 'subscribe', msg_id: 1, data: { model: 'item', filter } }))),
    );
    socket.on('error', (error) => process.stderr.write(`${error.message}\n`));
    socket.on('close', () => (ended += 1));
  });
}

/** A masked text frame with a mask of zeros (RFC 6455, 5.2), shorter than 64 KB. */
function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = Buffer.from([0x81, 0xfe, length >> 8, length & 255, 0, 0, 0, 0]);
  return Buffer.concat([head, Buffer.from(text)]);
}

/** Calls back when the upgrade is answered, and with each text frame. Pings are answered. */
function readFrames(socket: Socket, receive: (frame: Buffer) => void, opened: () => void): void {
  let rest: Buffer | undefined;
  let upgraded = false;
  socket.on('data', (chunk: Buffer) => {
    let bytes = rest === undefined ? chunk : Buffer.concat([rest, chunk]);
    if (!upgraded) {
      const end = bytes.indexOf('\r\n\r\n');
      if (end !== -1) {
        if (!bytes.toString('latin1', 0, 12).endsWith('101')) throw new Error(bytes.toString('latin1', 0, end));
        upgraded = true;
        bytes = bytes.subarray(end + 4);
        opened();
      }
    }
    if (upgraded) bytes = takeFrames(bytes, socket, receive);
    rest = bytes.length === 0 ? undefined : bytes;
  });
}

/** @returns the rest: an incomplete frame */
function takeFrames(bytes: Buffer, socket: Socket, receive: (frame: Buffer) => void): Buffer {
  let at = 0;
  while (bytes.length >= at + 2) {
    const short = (bytes[at + 1] ?? 0) & 127;
    const from = at + (short === 126 ? 4 : short === 127 ? 10 : 2);
    if (bytes.length < from) break;
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? bytes.readUInt32BE(at + 6) : short;
    if (bytes.length < from + length) break;
    const kind = (bytes[at] ?? 0) & 15;
    if (kind === 1) receive(bytes.subarray(from, from + length));
    else if (kind === 9) socket.write(Buffer.from([0x8a, 0x80, 0, 0, 0, 0]));
    at = from + length;
  }
  return bytes.subarray(at);
}
