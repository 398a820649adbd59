/** The lists of `/history` read an index in its order, whatever their filter, so that the number of entries does not slow the first page. */
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { filterOfOperation } from '../../src/features/history/lists.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  'film.js': `module.exports = new (require('mongoose').Schema)({ title: String }, { perms: { all: 'crud' }, history: true });`,
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ models });
});
afterAll(() => server.close());

/** The stages of a plan, from the last one to the first. */
function* stagesOf(plan: any): Generator<Record<string, unknown>> {
  if (plan === undefined) return;
  yield plan;
  yield* stagesOf(plan.inputStage);
}

describe('a list of entries', () => {
  const cases = [
    ['of a model', {}, ['model', 'at', '_id']],
    ['of a user', { who: 'x' }, ['model', 'who', 'at', '_id']],
    ['of removals', { operation: filterOfOperation('remove') }, ['model', 'operation', 'at', '_id']],
    ['of new documents', { operation: filterOfOperation('create') }, ['model', 'operation', 'at', '_id']],
    ['of a span of time', { at: { $gte: new Date(0) } }, ['model', 'at', '_id']],
    ['of changes', { operation: filterOfOperation('change') }, ['model', 'at', '_id']],
  ] as const;
  for (const [what, filter, fields] of cases)
    needs('explain')(`${what} is read by ${fields.join(', ')}`, async () => {
      const { queryPlanner } = (await server.dossier.services.connection
        .collection('_dossier_history')
        .find({ $and: [{ model: 'film' }, filter, {}] })
        .sort({ at: -1, _id: -1 })
        .limit(21)
        .explain('queryPlanner')) as { queryPlanner: { winningPlan: unknown } };
      const stages = [...stagesOf(queryPlanner.winningPlan)];
      expect(stages.map(({ stage }) => stage)).not.toContain('SORT');
      const scan = stages.find(({ stage }) => stage === 'IXSCAN');
      expect(Object.keys(scan?.['keyPattern'] ?? {})).toEqual(fields);
    });
});
