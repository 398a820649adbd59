/** A way to a database that can be broken. */
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

export interface Line {
  /** For a driver. */
  readonly url: string;
  /** Ends all connections; new ones are refused. */
  cut(): void;
  restore(): Promise<void>;
  /** From now on connections stay open, and nothing passes. */
  hush(): void;
  close(): Promise<void>;
}

/** @param to where the database listens */
export async function openLine(to: NetConnectOpts): Promise<Line> {
  const sockets = new Set<Socket>();
  let silent = false;
  const hold = (here: Socket): void => void here.unpipe().pause();
  const server = createServer((here) => {
    const there = connect(to);
    if (silent) hold(here);
    else here.pipe(there).pipe(here);
    here.on('error', () => there.destroy());
    there.on('error', () => here.destroy());
    here.on('close', () => {
      sockets.delete(here);
      there.destroy();
    });
    there.on('close', () => here.destroy());
    sockets.add(here);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((done) => {
      server.listen(port, '127.0.0.1', done);
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    if (server.listening) server.close();
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `mongodb://127.0.0.1:${port}/?directConnection=true&serverSelectionTimeoutMS=1000`,
    cut,
    restore: () => listen(port),
    hush: () => {
      silent = true;
      for (const socket of sockets) hold(socket);
    },
    close: () => Promise.resolve(cut()),
  };
}
