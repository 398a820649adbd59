/** Pipelines that only the database refuses: the answer names the operator, and nothing else of the database's message. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expressionGroups } from '../../src/query/expressions.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    models: { thing: ({ Schema }) => new Schema({ title: String, n: Number }, { perms: { all: 'r' } }) },
  });
  await server.dossier.services.connection
    .collection('things')
    .insertMany(['CANARY', '$size'].map((title) => ({ title, n: 0, _deleted: false })));
});

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

const date = '$$NOW';
/** The operands beside the time zone of each date operator that has one. */
const zoned: Readonly<Record<string, object>> = {
  ...Object.fromEntries(
    ['$dayOfMonth', '$dayOfWeek', '$dayOfYear', '$hour', '$isoDayOfWeek', '$isoWeek', '$isoWeekYear', '$millisecond']
      .concat(['$minute', '$month', '$second', '$week', '$year', '$dateToParts', '$dateToString'])
      .map((name) => [name, { date }]),
  ),
  $dateAdd: { startDate: date, unit: 'day', amount: 1 },
  $dateSubtract: { startDate: date, unit: 'day', amount: 1 },
  $dateDiff: { startDate: date, endDate: date, unit: 'day' },
  $dateTrunc: { date, unit: 'day' },
  $dateFromParts: { year: 2024 },
  $dateFromString: { dateString: '2024-01-01T00:00:00' },
};
const withoutZone = ['$tsIncrement', '$tsSecond'];

test('the cases have every date operator', () => {
  const dates = (expressionGroups['dates'] ?? '').split(' ');
  expect([...Object.keys(zoned), ...withoutZone].sort()).toEqual([...dates].sort());
});

describe('a time zone that does not exist', () => {
  test.each(Object.entries(zoned))('of %s', async (name, operand) => {
    const bad = { [name]: { ...operand, timezone: 'Mars/Phobos' } };
    const stages = [{ $project: { x: { $hour: { date, timezone: 'Europe/Berlin' } }, y: { $ifNull: [bad, 1] } } }];
    expect((await server.post('/aggregate/thing', stages)).body['err']).toBe(
      `the time zone of ${name} does not exist: "Mars/Phobos"`,
    );
  });

  needs('codes of time zones')('from a document, or no text', async () => {
    for (const [name, operand] of Object.entries(zoned))
      for (const timezone of ['$title', 5]) {
        const stages = [{ $project: { x: { [name]: { ...operand, timezone } } } }];
        const { status, text } = await server.post('/aggregate/thing', stages);
        expect([status, text]).toEqual([400, expect.stringContaining(`because of ${name}: `)]);
        expect(text).not.toContain('CANARY');
      }
  });
});
