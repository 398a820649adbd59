/**
 * Servers that are killed at random while they write and deliver: each acknowledged write is delivered, in order for each document, and none by two
 * servers at once. `WEBHOOK_WRITES=5000` runs it longer.
 */
import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { open } from 'dossier-store';
import { send } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { writeModels } from '../support/models.ts';
import { type ServerProcess, startProcess } from '../support/process.ts';
import { until } from '../support/waiting.ts';
import { startReceiver } from './receiver.ts';

const writes = Number(process.env['WEBHOOK_WRITES'] ?? 150);
const documents = 12;
/** Writes after which a server is killed. */
const killEvery = Math.max(60, Math.ceil(writes / 20));
const models = { 'note.js': `module.exports = new (require('mongoose').Schema)({ n: Number });` };
const root = { headers: rootBasic };

test(
  'each acknowledged write of three servers is delivered, in order, by one at a time',
  async () => {
    const [store, files, receiver] = [await open({}), await writeModels(models), await startReceiver()];
    const environment = {
      ...{ MONGODB_URL: store.url, MODELS_DIR: files.folder, SHARED_SECRET: 'a secret of all servers' },
      ...{ ADMIN_EMAIL: 'root@x.test', ADMIN_PASSWORD: 'pw-root-1', BCRYPT_COST: '4', THROTTLE_ENABLED: 'false' },
      ...{ WEBHOOK_ALLOW: '127.0.0.1', WEBHOOK_RETRIES: '1s,1s,1s,1s,1s,1s,1s,1s,1s' },
    };
    const servers: ServerProcess[] = [await startProcess(environment)];
    try {
      servers.push(...(await Promise.all([startProcess(environment), startProcess(environment)])));
      const webhook = await send('POST', `${servers[0]?.url}/webhooks`, {
        body: { url: receiver.url, models: ['note'] },
        ...root,
      });
      expect(webhook.status).toBe(201);

      /** Requests that the receiver has not answered, by document; and the most at once. */
      const open = new Map<string, number>();
      let [mostAtOnce, answered] = [0, 0];
      receiver.respond = ({ message }, answer) => {
        const { id } = message.data;
        const count = (open.get(id) ?? 0) + 1;
        open.set(id, count);
        mostAtOnce = Math.max(mostAtOnce, count);
        answer.on('close', () => open.set(id, (open.get(id) ?? 1) - 1));
        // a receiver that fails now and then
        setTimeout(() => answer.writeHead(++answered % 17 === 0 ? 500 : 204).end(), 3);
      };

      const acknowledged = new Map<string, number[]>();
      const urlOf = (nth: number): string => servers[nth % servers.length]?.url ?? '';
      let kills: Promise<void> = Promise.resolve();
      const killOne = async (): Promise<void> => {
        const at = Math.floor(Math.random() * servers.length);
        await servers[at]?.stop('SIGKILL');
        servers[at] = await startProcess(environment);
      };
      let done = 0;
      const writeAll = async (nth: number): Promise<void> => {
        let id = '';
        for (let n = 0; done < writes; n++) {
          const [method, path] = id === '' ? ['POST', '/api/note'] : ['PUT', `/api/note/${id}`];
          const answer = await send(method, urlOf(nth + n) + path, { body: { n }, ...root }).catch(() => undefined);
          if (answer === undefined || answer.status >= 300) {
            await later(20);
            continue;
          }
          id = String(answer.document['_id']);
          acknowledged.set(id, [...(acknowledged.get(id) ?? []), n]);
          done += 1;
          if (done % killEvery === 0) kills = kills.then(killOne);
        }
      };
      await Promise.all(Array.from({ length: documents }, (_, nth) => writeAll(nth)));
      await kills;

      const deliveredOf = (id: string): readonly number[] => [
        ...new Set(
          receiver.received
            .filter(({ message }) => message.data.id === id)
            .map(({ message }) => Number(message.data.item?.['n'])),
        ),
      ];
      const missing = (): readonly string[] =>
        [...acknowledged].flatMap(([id, all]) => {
          const delivered = new Set(deliveredOf(id));
          return all.filter((n) => !delivered.has(n)).map((n) => `${id} ${n}`);
        });
      await until(
        () => missing().length === 0,
        () => `not delivered: ${missing().join()}`,
        150_000 + writes * 10,
      );
      // the first delivery of each change is in the order of the changes
      for (const id of acknowledged.keys()) expect(deliveredOf(id)).toEqual([...deliveredOf(id)].sort((a, b) => a - b));
      expect(mostAtOnce).toBe(1);
      await until(() => [...open.values()].every((count) => count === 0));
    } finally {
      await Promise.all(servers.map(({ stop }) => stop('SIGKILL')));
      await receiver.close();
      await store.close();
      await files.remove();
    }
  },
  300_000 + writes * 40,
);
