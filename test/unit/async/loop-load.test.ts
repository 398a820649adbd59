/** How busy the event loop is, from what Node reports of it. */
import { expect, jest, test } from '@jest/globals';
import { loopLoad } from '../../../src/async/loop-load.ts';

test('is measured over a tenth of a second or longer, and kept in between', () => {
  const begun = performance.eventLoopUtilization();
  let reported = { active: 0, idle: 0 };
  jest.spyOn(performance, 'eventLoopUtilization').mockImplementation((now, last) =>
    now === undefined || last === undefined
      ? { active: begun.active + reported.active, idle: begun.idle + reported.idle, utilization: 0 }
      : {
          active: 0,
          idle: 0,
          utilization: (now.active - last.active) / (now.active + now.idle - last.active - last.idle),
        },
  );
  const at = (active: number, idle: number): number => {
    reported = { active, idle };
    return Math.round(loopLoad() * 100);
  };
  // whatever was measured before
  at(1e6, 1e6);
  expect([at(1e6 + 75, 1e6 + 25), at(1e6 + 75, 1e6 + 100), at(1e6 + 75, 1e6 + 125), at(1e6 + 275, 1e6 + 125)]).toEqual([
    75, 75, 0, 100,
  ]);
});
