/** A way to a database that is far away: what passes arrives later. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { OpenStore } from 'dossier-store';

export interface SlowLine {
  /** For a driver. */
  readonly url: string;
  /** Lets pass at once until then. @param delayMs from a command to its answer, besides the time of the store */
  slow(delayMs: number): void;
  /** Whether nothing is on its way. */
  isQuiet(): boolean;
  close(): void;
}

export async function openSlowLine({ address }: OpenStore): Promise<SlowLine> {
  const sockets = new Set<Socket>();
  let [halfMs, passing] = [0, 0];
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (bytes: Buffer) => {
      passing += 1;
      setTimeout(() => {
        passing -= 1;
        to.write(bytes);
      }, halfMs);
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((here) => {
    const there = connect(address.kind === 'socket' ? { path: address.path } : { port: address.port });
    pass(here, there);
    pass(there, here);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    url: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/?directConnection=true`,
    slow: (delayMs) => void (halfMs = delayMs / 2),
    isQuiet: () => passing === 0,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
