/** How busy the event loop is, from what Node reports of it. */
import { expect, test } from '@jest/globals';
import { loopLoadOf } from '../../../src/async/loop-load.ts';

test('is measured over a tenth of a second or longer, and kept in between', () => {
  let reported = { active: 1000, idle: 5000 };
  const load = loopLoadOf(() => reported);
  const at = (active: number, idle: number): number => {
    reported = { active: 1000 + active, idle: 5000 + idle };
    return load();
  };
  expect([at(0, 0), at(75, 25), at(75, 100), at(75, 125), at(275, 125)]).toEqual([0, 0.75, 0.75, 0, 1]);
});
