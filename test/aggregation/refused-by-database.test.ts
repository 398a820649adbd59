/** Pipelines that only the database refuses: the answer names the operator, and nothing else of the database's message. */
import { beforeAll, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    models: { thing: ({ Schema }) => new Schema({ title: String, n: Number }, { perms: { all: 'r' } }) },
  });
  await server.dossier.services.connection
    .collection('things')
    .insertMany(['CANARY', '$size'].map((title) => ({ title, n: 0, _deleted: false })));
}, 60_000);

const because = (operator: string): string =>
  `the database does not accept this pipeline because of ${operator}: its form, or a value that it gets from a document`;

test.each<[title: string, operator: string, stages: readonly object[]]>([
  ['a value of a document', '$divide', [{ $project: { x: { $divide: [1, '$n'] } } }]],
  ['a type', '$subtract', [{ $project: { x: { $subtract: ['$n', '$title'] } } }]],
  ['an operator within others', '$size', [{ $match: { $expr: { $gt: [{ $size: '$title' }, 0] } } }]],
  ['the number of arguments', '$dateTrunc', [{ $project: { x: { $dateTrunc: { date: '$$NOW' } } } }]],
  ['a stage', '$bucket', [{ $bucket: { groupBy: '$n', boundaries: [2, 1] } }]],
])('%s', async (_title, operator, stages) => {
  const { status, body } = await server.post('/aggregate/thing', stages);
  expect([status, body['message'], body['err']]).toEqual([400, 'Bad pipeline', because(operator)]);
});

test('a value of a document is not shown, even where it looks like an operator', async () => {
  const { status, text } = await server.post('/aggregate/thing', [{ $project: { x: { $toInt: '$title' } } }]);
  expect(status).toBe(400);
  expect(text).toContain('the database does not accept this pipeline');
  expect(text).not.toMatch(/CANARY|\$size/);
});
