/** After a kill in the middle of writes, each stored write has its entry, and each entry its write. `DURABILITY_KILLS=20` runs it longer. */
import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { send } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { startKillable } from '../support/killed.ts';

const kills = Number(process.env['DURABILITY_KILLS'] ?? 1);
const models = {
  'note.js': `module.exports = new (require('mongoose').Schema)({ n: Number }, { perms: { admin: 'crud' }, history: true });`,
};
const root = { headers: rootBasic };

test.each(Array.from({ length: kills }, (_, nth) => nth))(
  'a write and its entry are stored together: kill %i',
  async () => {
    const server = await startKillable(models);
    try {
      const made = await send('POST', `${server.url}/api/note`, { body: { n: 0 }, ...root });
      const id = String(made.document['_id']);
      let acknowledged = 0;
      let begin = (): void => undefined;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      const writing = (async () => {
        for (let n = 1; ; n++) {
          await send('PUT', `${server.url}/api/note/${id}`, { body: { n }, ...root });
          acknowledged = n;
          if (n === 5) begin();
        }
      })().catch(() => undefined);
      await begun;
      await later(Math.random() * 60);
      const after = await server.kill();
      await writing;
      const { document } = await after.get(`/api/note/${id}`, root);
      const { body } = await after.get(`/history/note/${id}?limit=1`, root);
      expect(document['n']).toBeGreaterThanOrEqual(acknowledged);
      expect(body.data[0].rev).toBe(Number(document['n']) + 1);
      expect((await after.get(`/history/note/${id}/${String(body.data[0].rev)}`, root)).document).toEqual(document);
    } finally {
      await server.remove();
    }
  },
  180_000,
);
