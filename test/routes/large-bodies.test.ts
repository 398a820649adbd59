/** Bodies with as many values and faults as fit into a request, checked against the schemas of routes. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectShortBlocks } from '../support/loop-blocks.ts';
import { openRoutes, routeFile, type RoutesWorld } from './world.ts';

const routes = {
  large: routeFile(`
    const taking = (name, body) => defineRoute({
      method: 'POST', path: '/large/' + name, access: 'all', body, handler: ({ body }) => body.length,
    });
    const standard = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({
      issues: value.map((_, at) => ({ message: 'is not accepted', path: [at] })) }) } };
    const kind = (name) => ({ type: 'object', required: [name], properties: { [name]: { type: 'number' } } });
    export default [
      taking('texts', { type: 'array', items: { type: 'string' } }),
      taking('defined', { $defs: { text: { type: 'string' } }, type: 'array', items: { $ref: '#/$defs/text' } }),
      taking('kinds', { type: 'array', items: { anyOf: [...'abcdefgh'].map(kind) } }),
      taking('lists', { anyOf: [{ items: { type: 'string' } }, { items: { type: 'boolean' } }, { items: { type: 'number' } }] }),
      taking('standard', standard),
    ];
  `),
};

/** How much longer than the reading of one body others may wait. */
const maxRatio = 12;

let world: RoutesWorld;
beforeAll(async () => {
  world = await openRoutes(routes);
});

const numbers = Array.from({ length: 200_000 }, () => 0);
const objects = (name: string): readonly object[] => Array.from({ length: 60_000 }, () => ({ [name]: 1 }));

describe('a large body', () => {
  test.each<[route: string, body: readonly unknown[], status: number]>([
    ['texts', numbers, 400],
    ['defined', numbers, 400],
    ['kinds', objects('x'), 400],
    ['kinds', [...objects('h').slice(1), {}], 400],
    ['kinds', objects('h'), 200],
    ['lists', numbers, 200],
    ['lists', [...numbers, ''], 400],
    ['standard', numbers, 400],
  ])('%s', async (route, body, status) => {
    const raw = JSON.stringify(body);
    const headers = { 'content-type': 'application/json' };
    await expectShortBlocks(maxRatio, async () => {
      const answered = await world.send('POST', `/large/${route}`, { raw, headers });
      expect(answered.status).toBe(status);
      if (status !== 400) return;
      expect(answered.body['message']).toBe('Validation failed');
      expect(answered.body['errors'].length).toBeLessThanOrEqual(50);
    });
  });

  test('a smaller one is refused with all faults that an answer lists', async () => {
    const { status, body } = await world.post('/large/texts', numbers.slice(0, 1000));
    expect([status, body['errors'].length]).toEqual([400, 50]);
  });
});
