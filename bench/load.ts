/** Load: open connections, each sending its next request when the last answer has arrived. Plain sockets, so that the load costs little. */
import { connect, type Socket } from 'node:net';

export interface Load {
  readonly port: number;
  /** The whole text of the request of this number. */
  readonly request: (number: number) => string;
  readonly connections: number;
  readonly milliseconds: number;
}

export interface Measured {
  /** Answers in a second. */
  readonly rate: number;
  readonly answers: number;
  /** Answers other than successes, by status. */
  readonly failed: ReadonlyMap<number, number>;
}

export async function measure({ port, request, connections, milliseconds }: Load): Promise<Measured> {
  const failed = new Map<number, number>();
  const begun = performance.now();
  let answers = 0;
  let sent = 0;
  const oneConnection = async (): Promise<void> => {
    const socket = connect(port, '127.0.0.1').setNoDelay(true);
    const answer = reader(socket);
    while (performance.now() - begun < milliseconds) {
      socket.write(request(sent++));
      const status = await answer();
      answers += 1;
      if (status >= 300) failed.set(status, (failed.get(status) ?? 0) + 1);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, oneConnection));
  return { rate: (answers / (performance.now() - begun)) * 1000, answers, failed };
}

/** The end of an answer that is sent in chunks. */
const lastPiece = '\r\n0\r\n\r\n';

/** Reads one answer at a time: its status, once all of its body has arrived. */
export function reader(socket: Socket): () => Promise<number> {
  let head = '';
  /** Bytes of the body that are still missing; -1 before the head has arrived. */
  let missing = -1;
  /** The last bytes of an answer in chunks; empty for others. */
  let tail = '';
  let status = 0;
  let done: (status: number) => void = () => undefined;
  let broken: (error: Error) => void = () => undefined;
  socket.on('error', (error) => broken(error));
  socket.on('close', () => broken(new Error('the server closed a connection')));
  socket.on('data', (chunk: Buffer) => {
    if (missing < 0) {
      head += chunk.toString('latin1');
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      status = Number(head.slice(9, 12));
      missing = Number(/\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1] ?? 0) - (head.length - end - 4);
      if (/\r\ntransfer-encoding: chunked/i.test(head.slice(0, end))) tail = head.slice(end);
    } else if (tail === '') missing -= chunk.length;
    else tail += chunk.toString('latin1', Math.max(0, chunk.length - lastPiece.length));
    if (tail === '' ? missing > 0 : !tail.endsWith(lastPiece)) {
      tail = tail.slice(-lastPiece.length);
      return;
    }
    head = '';
    tail = '';
    missing = -1;
    done(status);
  });
  return () =>
    new Promise((resolve, reject) => {
      done = resolve;
      broken = reject;
    });
}
