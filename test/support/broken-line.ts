/** A way to a server that can be broken. */
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';

/** @returns the address that it listens on */
export const listen = (server: Server): Promise<string> =>
  new Promise((done) => {
    server.listen(0, '127.0.0.1', () => done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

/** @param to the address of the server */
export async function openLine(to: string) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((here) => {
    const there = connect(Number(new URL(to).port), '127.0.0.1');
    for (const [one, other] of [
      [here, there],
      [there, here],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  const url = await listen(server);
  const breakAll = (): void => sockets.forEach((socket) => socket.destroy());
  const close = (): void => {
    server.close();
    breakAll();
  };
  return { url, breakAll, close };
}
