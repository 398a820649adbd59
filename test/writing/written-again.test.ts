/** Middleware that writes the document of its own write once more, where that write is a transaction (docs/hooks.md). */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { importSources } from '../../src/transfer/import/import.ts';
import { sourcesOf } from '../../src/transfer/import/source.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { needs } from '../support/needs.ts';
import { newFolder } from '../transfer/folders.ts';

/** Calls of the middleware. */
let calls = 0;
Object.assign(globalThis, { noteCall: () => (calls += 1) });

const byMongoose = {
  findOneAndUpdate: `const [{ _id }] = [this.getFilter(), ...(this.getFilter().$and ?? [])].filter(({ _id }) => _id !== undefined);
    await this.model.updateOne({ _id }, { $inc: { times: 1 } });`,
  save: 'await this.constructor.updateOne({ _id: this._id }, { $inc: { times: 1 } });',
};
const byApi = {
  findOneAndUpdate: `if (after.times === undefined) await this.options.dossier.api.model('WHERE').set(String(after._id), { times: 1 });`,
  save: `if (this.n === 2 && this.times === undefined) await this.$locals.dossier.api.model('WHERE').set(String(this._id), { times: 1 });`,
};

const file = (when: string, name: string, text: string): string => `const { Schema } = require('mongoose');
const schema = new Schema({ n: Number, times: Number }, { perms: { all: 'crud' }, history: true, save_on_put: ${String(name === 'save')} });
schema.${when}('${name}', async function (after) {
  globalThis.noteCall();
  ${text}
});
module.exports = schema;`;

let server: PeopledServer<'root'>;
beforeAll(async () => {
  const models = {
    'first.js': file('pre', 'findOneAndUpdate', byMongoose.findOneAndUpdate),
    'then.js': file('post', 'findOneAndUpdate', byMongoose.findOneAndUpdate),
    'saved.js': file('post', 'save', byMongoose.save),
    'asked.js': file('post', 'findOneAndUpdate', byApi.findOneAndUpdate.replace('WHERE', 'asked')),
    'kept.js': file('post', 'save', byApi.save.replace('WHERE', 'kept')),
    'plain.js': `module.exports = new (require('mongoose').Schema)({ n: Number }, { perms: { all: 'crud' } });`,
  };
  server = await openPeople(['root'], { models });
});
beforeEach(() => {
  calls = 0;
});

/** A document that exists, made without middleware of `save`. */
async function made(model: string): Promise<string> {
  const setup = await server.as('root', 'POST', '/setup/data', { body: { [model]: [{ n: 1 }] } });
  expect(setup.status).toBe(200);
  const { rows } = await server.get(`/api/${model}?sort[_id]=-1&limit=1`);
  return String(rows[0]?.['_id']);
}
const stored = async (model: string, id: string): Promise<Record<string, unknown>> =>
  (await server.get(`/api/${model}/${id}`)).document;

describe('a document that middleware writes again', () => {
  needs('transactions')('before the command is written twice', async () => {
    const id = await made('first');
    expect((await server.put(`/api/first/${id}`, { n: 2 })).status).toBe(200);
    expect([calls, await stored('first', id)]).toMatchObject([1, { n: 2, times: 1 }]);
  });

  needs('transactions').each<[string]>([['then'], ['saved']])(
    'after the command, past its transaction, is a 503 after some tries, and the change is not stored: %s',
    async (model) => {
      const id = await made(model);
      calls = 0;
      const { status } = await server.put(`/api/${model}/${id}`, { n: 2 });
      expect([status, (await stored(model, id))['n']]).toEqual([503, 1]);
      expect(calls).toBeGreaterThan(0);
      expect(calls).toBeLessThan(16);
      // nothing is left of the transactions: others write
      expect((await server.post('/api/plain', { n: 1 })).status).toBe(201);
      expect((await server.remove(`/api/${model}/${id}`)).status).toBe(200);
    },
    30_000,
  );

  needs('transactions').each<[string]>([['asked'], ['kept']])(
    'by the `api` of the request is written in its unit: %s',
    async (model) => {
      const id = await made(model);
      calls = 0;
      expect((await server.put(`/api/${model}/${id}`, { n: 2 })).status).toBe(200);
      expect([calls, await stored(model, id)]).toMatchObject([2, { n: 2, times: 1 }]);
    },
  );

  needs('transactions')(
    'ends an import, as a server that is busy does (docs/moving-data.md)',
    async () => {
      const id = await made('saved');
      calls = 0;
      const folder = await newFolder();
      const path = join(folder, 'saved.ndjson');
      await writeFile(path, `{"_id":"${id}","n":2}\n`);
      const sources = await sourcesOf({ path, model: undefined, input: Readable.from([]) });
      const options = { on: [], raw: false, strict: false, folder, onProgress: () => undefined };
      const reason = expect.stringContaining('other requests keep changing the same documents');
      await expect(importSources(server.dossier.services, sources, options)).rejects.toMatchObject({ reason });
      expect(calls).toBeLessThan(16);
      expect((await stored('saved', id))['n']).toBe(1);
    },
    30_000,
  );

  needs('transactions')(
    'is not there yet for middleware of /setup/data, which stores all of it',
    async () => {
      const body = { saved: [{ n: 1 }, { n: 2 }], kept: [{ n: 2 }] };
      expect((await server.as('root', 'POST', '/setup/data', { body })).status).toBe(200);
      const { rows } = await server.get('/api/saved?sort[_id]=-1&limit=2');
      expect(rows.map(({ n, times }) => [n, times]).toSorted()).toEqual([
        [1, undefined],
        [2, undefined],
      ]);
      expect((await server.get('/api/kept?sort[_id]=-1&limit=1')).rows).toMatchObject([{ n: 2, times: 1 }]);
    },
    30_000,
  );
});
