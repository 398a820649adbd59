/** SIGTERM: requests that were sent before it are answered, also on connections that the server has not accepted yet. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { writeModels } from '../support/models.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';

const model = `import { Schema } from 'mongoose';
export default new Schema({ label: String }, { perms: { all: 'crud' } });`;
const body = '{"label":"sent"}';
const request = [
  'POST /api/thing HTTP/1.1',
  'Host: x',
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
  '',
  body,
].join('\r\n');

interface Connection {
  readonly socket: Socket;
  /** The statuses received, then the codes of the errors that ended the connection. */
  readonly statuses: () => readonly string[];
  readonly ended: Promise<unknown>;
}

async function open({ url }: ServerProcess): Promise<Connection> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  const faults: string[] = [];
  socket.on('data', (piece: Buffer) => (text += piece.toString()));
  socket.on('error', (error: NodeJS.ErrnoException) => faults.push(error.code ?? error.message));
  const ended = new Promise((done) => socket.once('close', done));
  const statuses = (): string[] => [...(text.match(/HTTP\/1.1 \d+/g) ?? []).map((line) => line.slice(9)), ...faults];
  await once(socket, 'connect');
  return { socket, statuses, ended };
}

const openMany = (server: ServerProcess, count: number): Promise<Connection[]> =>
  Promise.all(Array.from({ length: count }, () => open(server)));

test.each(['1', '2'])(
  'no request is reset, of 100 on new connections and 20 on open ones: WORKERS=%s',
  async (WORKERS) => {
    const data = await mkdtemp(join(tmpdir(), 'stop-'));
    const { folder, remove } = await writeModels({ thing: model });
    const server = await startProcess({ WORKERS, DATA_DIR: data, MODELS_DIR: folder, THROTTLE_ENABLED: 'false' });
    try {
      const kept = await openMany(server, 20);
      for (const { socket } of kept) socket.write(request);
      await Promise.all(kept.map(({ socket }) => once(socket, 'data')));
      const unused = await openMany(server, 3);
      // a suspended process accepts and reads nothing, while the kernel completes connections for it
      server.child.kill('SIGSTOP');
      const fresh = await openMany(server, 100);
      for (const { socket } of [...kept, ...fresh]) socket.write(request);
      server.child.kill('SIGTERM');
      server.child.kill('SIGCONT');
      await Promise.all([...kept, ...fresh, ...unused].map(({ ended }) => ended));
      expect(fresh.map(({ statuses }) => statuses())).toEqual(fresh.map(() => ['201']));
      expect(kept.map(({ statuses }) => statuses())).toEqual(kept.map(() => ['201', '201']));
      expect(unused.map(({ statuses }) => statuses())).toEqual([[], [], []]);
      expect(await server.ended).toBe(0);
    } finally {
      server.child.kill('SIGKILL');
      await remove();
      await rm(data, { recursive: true });
    }
  },
  180_000,
);
