/** A server that is killed in a run and in jobs: the run is interrupted and repeated, and no acknowledged job is lost. */
import { setTimeout as later } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { type Document, send } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { startKillable } from '../support/killed.ts';
import { until } from '../support/waiting.ts';

const models = {
  'note.js': `
    const { Schema } = require('mongoose');
    const note = new Schema({ n: Number, of: String, attempt: Number }, {
      perms: { admin: 'crud' },
      callable_statics: ['ask'],
      schedules: { held: { call: 'hold', cron: '0 3 1 1 *', missed: 'once' } },
    });
    note.statics.hold = async (input, { api, signal }) => {
      const notes = api.model('note');
      await notes.create({ of: 'run' });
      const count = await notes.count({ filter: { of: 'run' } });
      if (count === 1) await new Promise((_, failed) => signal.addEventListener('abort', () => failed(signal.reason)));
    };
    note.statics.ask = ({ n }, { api }) =>
      api.transaction(async (inner) => {
        await inner.later('note.work', n);
        await inner.model('note').create({ n, of: 'asked' });
      });
    note.statics.work = async (n, { api, attempt }) => {
      const count = await api.model('note').count({ filter: { n, of: 'asked' } });
      if (count !== 1) throw new Error('before its commit');
      await api.model('note').create({ n, of: 'done', attempt });
    };
    module.exports = note;`,
};
const root = { headers: rootBasic };

test('after a kill, the run is interrupted and runs again, and each acknowledged job has run', async () => {
  const server = await startKillable(models);
  try {
    expect((await send('POST', `${server.url}/schedules/note.held/run`, root)).status).toBe(202);
    const count = async (url: string, filter: string): Promise<number> =>
      Number((await send('GET', `${url}/count/note?${filter}`, root)).body['count']);
    await until(async () => (await count(server.url, 'filter[of]=run')) === 1);

    const asked: number[] = [];
    const asking = (async () => {
      for (let n = 0; ; n++) {
        const { status } = await send('POST', `${server.url}/call/note/ask`, { body: { n }, ...root });
        if (status === 200) asked.push(n);
      }
    })().catch(() => undefined);
    await until(() => asked.length >= 10);
    await later(Math.random() * 60);
    const after = await server.kill();
    await asking;

    const jobs = async (status: string): Promise<readonly Document[]> =>
      (await after.get(`/jobs?limit=100&status=${status}`, root)).body['data'] as Document[];
    await until(async () => (await jobs('waiting')).length + (await jobs('running')).length === 0);
    expect(await jobs('dead')).toEqual([]);
    const notes = (of: string) => after.get(`/distinct/note/n?filter[of]=${of}&limit=1000`, root);
    const numbers = async (of: string): Promise<number[]> =>
      ((await notes(of)).body['data'] as { readonly value: number }[]).map(({ value }) => value).sort((a, b) => a - b);
    const [kept, done] = [await numbers('asked'), await numbers('done')];
    expect(kept).toEqual(expect.arrayContaining(asked));
    expect(done).toEqual(kept);

    const runs = async () => (await after.get('/schedules/note.held/runs', root)).body['data'] as readonly Document[];
    await until(async () => (await runs()).length === 2 && (await runs())[0]?.['outcome'] === 'ok');
    expect((await runs()).map(({ outcome }) => outcome)).toEqual(['ok', 'interrupted']);
  } finally {
    await server.remove();
  }
});
