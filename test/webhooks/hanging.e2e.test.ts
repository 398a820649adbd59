/** Receivers that hang while their server is killed: the next process has claims of theirs to take over, and delivers to the others all the same. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { send } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { writeModels } from '../support/models.ts';
import { startProcess } from '../support/process.ts';
import { until } from '../support/waiting.ts';
import { accept, startReceiver } from './receiver.ts';

const documents = 25;
const kills = 2;
const models = { 'note.js': `module.exports = new (require('mongoose').Schema)({ n: Number });` };
const root = { headers: rootBasic };

test('receivers that hang hold up no others after a kill of the server and a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-hanging-'));
  const [files, healthy, ...hanging] = [
    await writeModels(models),
    await startReceiver(),
    ...(await Promise.all([1, 2, 3, 4].map(startReceiver))),
  ] as const;
  const receivers = [healthy, ...hanging];
  for (const receiver of receivers) receiver.respond = () => undefined;
  const environment = {
    ...{ MODELS_DIR: files.folder, DATA_DIR: join(folder, 'data'), WEBHOOK_ALLOW: '127.0.0.1' },
    ...{ ADMIN_EMAIL: 'root@x.test', ADMIN_PASSWORD: 'pw-root-1', BCRYPT_COST: '4' },
    // no place becomes free because a try has ended
    WEBHOOK_TIMEOUT: '300',
  };
  let server = await startProcess(environment);
  try {
    for (const { url } of [...hanging, healthy])
      expect((await send('POST', `${server.url}/webhooks`, { body: { url, models: ['note'] }, ...root })).status).toBe(
        201,
      );
    for (let n = 0; n < documents; n++)
      expect((await send('POST', `${server.url}/api/note`, { body: { n }, ...root })).status).toBe(201);
    for (let kill = 0; kill < kills; kill++) {
      // each of them has a claim of the process that is killed
      await until(() => receivers.every(({ received }) => received.length > 0));
      await server.stop('SIGKILL');
      for (const receiver of receivers) receiver.received.length = 0;
      if (kill === kills - 1) healthy.respond = accept;
      server = await startProcess(environment);
    }
    const delivered = (): ReadonlySet<unknown> =>
      new Set(healthy.received.map(({ message }) => message.data.item?.['n']));
    await until(
      () => delivered().size === documents,
      () => `delivered: ${[...delivered()].join()}`,
      120_000,
    );
    await until(() => hanging.every(({ received }) => received.length > 0));
    const { rows } = await send('GET', `${server.url}/webhooks`, root);
    expect(rows.map(({ active }) => active)).toEqual([true, true, true, true, true]);
  } finally {
    await server.stop('SIGKILL');
    await Promise.all(receivers.map(({ close }) => close()));
    await files.remove();
    await rm(folder, { recursive: true, force: true });
  }
}, 300_000);
