/** A line to a database that is far away: what passes arrives later. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** @param url of a database on this machine, with one host @param delayMs from a command to its answer, besides the time of the database */
export async function openSlowLine(url: string, delayMs: number): Promise<{ url: string; close: () => void }> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  const join = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (bytes: Buffer) => setTimeout(() => to.write(bytes), delayMs / 2));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((here) => {
    const there = connect(Number(target.port), target.hostname);
    join(here, there);
    join(there, here);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  target.port = String((server.address() as AddressInfo).port);
  target.hostname = '127.0.0.1';
  // a driver would otherwise look for the members of a replica set behind the line
  target.searchParams.delete('replicaSet');
  target.searchParams.set('directConnection', 'true');
  return {
    url: target.href,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
