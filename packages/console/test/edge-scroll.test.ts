/** How fast a page scrolls while something is dragged near to its edges. */
import { expect, test } from '@jest/globals';
import { speedAt } from '../src/document/inputs/edge-scroll.ts';

const high = { top: 0, bottom: 1000 };
const low = { top: 100, bottom: 200 };

test.each([
  [0, 500, high, -1200],
  [-500, 500, high, -1200],
  [55, 500, high, -600],
  [110, 500, high, 0],
  [499, 500, high, 0],
  [890, 500, high, 0],
  [945, 500, high, 600],
  [2000, 500, high, 1200],
  // within the zone in which it began, towards the edge and away from it
  [945, 900, high, 600],
  [945, 990, high, 0],
  [55, 10, high, 0],
  [55, 100, high, -600],
  // the zones of a low box do not meet
  [150, 180, low, 0],
  [100, 180, low, -1200],
  // one that is not in sight
  [100, 150, { top: 200, bottom: 100 }, 0],
])('at %d, from %d, of %j', (y, from, edges, speed) => {
  expect(speedAt(y, from, edges) + 0).toBe(speed);
});
