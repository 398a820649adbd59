/** `/health` and `/ready`. */
import { beforeAll, describe } from '@jest/globals';
import { scenarios } from '../support/scenario.ts';
import { openWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, 60_000);

describe('health', () => {
  scenarios(
    () => world,
    [
      { as: 'anonymous', request: 'GET /health', status: 200 },
      { as: 'anonymous', request: 'GET /ready', status: 200 },
      { as: 'anonymous', request: 'GET /api/note', status: 401 },
      { request: 'GET /api/note/{annNote}', status: 404 },
      { request: 'GET /api/note?populate=book', status: 200, absent: ['CANARY-ann'] },
    ],
  );
});
