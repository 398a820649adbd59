/** Errors of a model's code whose causes form a circle, or are very many: a request that fails, and nothing else. */
import { expect, test } from '@jest/globals';
import { startServer } from '../support/server.ts';

const models = {
  'task.js': `const { Schema } = require('mongoose');
    const circle = () => {
      const inner = new Error('inner');
      return (inner.cause = new Error('outer', { cause: inner }));
    };
    const chain = () => Array.from({ length: 20000 }).reduce((cause) => new Error('n', { cause }), new Error('first'));
    const thrown = { circle, chain };
    const task = new Schema({ title: String }, {
      perms: { all: 'crud' }, callable_statics: ['fails'], advanced_queries: { bulkwrite: true },
    });
    task.pre('save', function () { if (thrown[this.title]) throw thrown[this.title](); });
    task.statics.fails = ({ title }) => { throw thrown[title](); };
    module.exports = task;`,
};

test.each(['circle', 'chain'])('a %s of causes is a 500 with the usual envelope', async (title) => {
  const server = await startServer({ models });
  const requests: readonly (readonly [string, unknown])[] = [
    ['/call/task/fails', { title }],
    ['/api/task', { title }],
    ['/bulkwrite/task', [{ insertOne: { document: { title } } }]],
    ['/batch', { operations: [{ method: 'POST', path: '/api/task', body: { title } }] }],
  ];
  for (const [path, body] of requests) {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([path, answer.status, await answer.json()]).toEqual([
      path,
      500,
      expect.objectContaining({ status: 'fail', message: 'Internal error', request_id: expect.any(String) }),
    ]);
  }
  await server.close();
});
