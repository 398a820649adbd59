/** Answers that their clients do not read are counted, until they are read or given up. */
import { connect } from 'node:net';
import { UnsentAnswers } from '../../src/http/unsent.ts';
import { openReading, type World } from '../support/fixtures/reading/index.ts';
import { until } from '../support/waiting.ts';

let world: World;
beforeAll(async () => {
  world = await openReading();
  const { connection } = world.dossier.services;
  const rows = Array.from({ length: 900 }, (_, n) => ({ title: 'x'.repeat(8000), isbn: `${n}`, _deleted: false }));
  await connection.collection('books').insertMany(rows);
});

test.each(['reads it', 'gives it up'])('the answer of a client that at last %s', async (what) => {
  const { unsent } = world.dossier.services.shares;
  if (!(unsent instanceof UnsentAnswers)) throw new Error('not counted');
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write('GET /api/book?limit=1000 HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => unsent.bytes > 900 * 8000);
  if (what === 'reads it') socket.resume();
  else socket.destroy();
  await until(() => unsent.bytes === 0);
  socket.destroy();
});
