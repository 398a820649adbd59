/** Requests at once share transactions: each is answered, recorded and published as if it were alone. */
import { beforeAll, describe, expect } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';

const fields = `{ name: String, n: Number, state: { type: String, default: 'open' }, code: { type: String, unique: true, sparse: true } }`;
const options = `history: true, audit: true, advanced_queries: { bulkwrite: true },
  perms: { admin: 'crud', user: { c: true, r: true, u: { where: { state: 'open' } }, d: true } }`;
const models = {
  direct: `export default ({ Schema }) => new Schema(${fields}, { ${options} });`,
  saved: `export default ({ Schema }) => new Schema(${fields}, { ${options}, save_on_put: true });`,
};
const names = Object.keys(models) as (keyof typeof models)[];

let server: PeopledServer<'root' | 'ann'>;
beforeAll(async () => {
  // changes of one document wait for each other, for long on a loaded machine
  server = await openPeople(['root', 'ann'], { models, query_limits: { max_time_ms: 60_000 } });
});

const atOnce = 24;
const nths = Array.from({ length: atOnce }, (_, nth) => nth);
const create = async (model: string, body: object): Promise<string> =>
  String((await server.as('root', 'POST', `/api/${model}`, { body })).document['_id']);
const stored = async (model: string, id: string) => (await server.as('root', 'GET', `/api/${model}/${id}`)).document;
/** The entries of a document, the oldest first. */
const entriesOf = async (model: string, id: string) =>
  ((await server.as('root', 'GET', `/history/${model}/${id}?limit=100`)).body['data'] as any[]).reverse();

describe('at once', () => {
  needs('transactions').each(names.map((name) => [name] as const))(
    'creates of %s have their own documents',
    async (model) => {
      const answers = await Promise.all(
        nths.map((n) => server.as('root', 'POST', `/api/${model}`, { body: { name: `name ${n}`, n } })),
      );
      for (const [n, { status, document }] of answers.entries()) {
        expect([status, document]).toEqual([201, expect.objectContaining({ name: `name ${n}`, n })]);
        const id = String(document['_id']);
        expect(await stored(model, id)).toMatchObject({ name: `name ${n}`, n });
        expect((await server.as('root', 'GET', `/history/${model}/${id}/1`)).document).toMatchObject({ n });
        expect(await entriesOf(model, id)).toMatchObject([{ rev: 1, op: 'create' }]);
      }
    },
  );

  needs('transactions').each(names.map((name) => [name] as const))(
    'creates of %s of which some are taken are refused, and the others are stored',
    async (model) => {
      await create(model, { code: 'taken' });
      const answers = await Promise.all(
        nths.map((n) =>
          server.as('root', 'POST', `/api/${model}`, { body: { n, code: n % 3 === 0 ? 'taken' : `free ${n}` } }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(nths.map((n) => (n % 3 === 0 ? 409 : 201)));
      const { body } = await server.as('root', 'GET', `/api/${model}?filter[code]=$regex:^free&limit=100&sort=n`);
      expect((body['data'] as any[]).map(({ n }) => n)).toEqual(nths.filter((n) => n % 3 !== 0));
    },
  );

  needs('transactions').each(names.map((name) => [name] as const))(
    'changes of one %s are entries in one order, each of what the one before has left',
    async (model) => {
      const [id, other] = [await create(model, { n: -1 }), await create(model, { n: -1 })];
      const answers = await Promise.all(
        nths.map((n) =>
          n % 4 === 3
            ? server.as('root', 'PATCH', `/api/${model}/${id}`, { body: { $set: { n } } })
            : server.as('root', 'PUT', `/api/${model}/${n % 4 === 0 ? other : id}`, { body: { n } }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(nths.map(() => 200));
      expect(answers.map(({ document }) => document['n'])).toEqual(nths);
      for (const [one, own] of [
        [id, nths.filter((n) => n % 4 !== 0)],
        [other, nths.filter((n) => n % 4 === 0)],
      ] as const) {
        const changes = (await entriesOf(model, one)).slice(1).map(({ changes: [change] }: any) => change);
        expect(changes.map(({ to }: any) => to).sort((a: number, b: number) => a - b)).toEqual(own);
        expect(changes.map(({ from }: any) => from)).toEqual([-1, ...changes.slice(0, -1).map(({ to }: any) => to)]);
        expect(await stored(model, one)).toMatchObject({ n: changes.at(-1).to, __v: own.length });
      }
    },
  );

  needs('transactions').each(names.map((name) => [name] as const))(
    'changes of %s that are not there, or have changed, are answered so, and the others are done',
    async (model) => {
      const ids = await Promise.all(nths.map((n) => create(model, { n })));
      const statuses = [200, 404, 412, 200];
      const ask = (id: string, n: number): Promise<Answer> => {
        const headers = n % 4 === 2 ? { 'if-match': '"17"' } : {};
        const path = `/api/${model}/${n % 4 === 1 ? `${id.slice(0, -6)}${String(100_000 + n)}` : id}`;
        return server.as('root', 'PUT', path, { body: { n: n + 100 }, headers });
      };
      const answers = await Promise.all(ids.map(ask));
      expect(answers.map(({ status }) => status)).toEqual(nths.map((n) => statuses[n % 4]));
      for (const [n, id] of ids.entries()) {
        const isDone = statuses[n % 4] === 200;
        expect(await stored(model, id)).toMatchObject({ n: isDone ? n + 100 : n, __v: isDone ? 1 : 0 });
        expect((await entriesOf(model, id)).length).toBe(isDone ? 2 : 1);
      }
    },
  );

  needs('transactions').each(names.map((name) => [name] as const))(
    'changes of %s whose result a row rule refuses are refused, and the others are done',
    async (model) => {
      const ids = await Promise.all(nths.map((n) => create(model, { n })));
      const isRefused = (n: number): boolean => n % 2 === 0;
      const answers = await Promise.all(
        ids.map((id, n) =>
          server.as('ann', 'PUT', `/api/${model}/${id}`, { body: isRefused(n) ? { n: -1, state: 'shut' } : { n: -2 } }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(nths.map((n) => (isRefused(n) ? 403 : 200)));
      for (const [n, id] of ids.entries()) {
        expect(await stored(model, id)).toMatchObject({ n: isRefused(n) ? n : -2, state: 'open' });
        expect((await entriesOf(model, id)).length).toBe(isRefused(n) ? 1 : 2);
      }
    },
  );
});
