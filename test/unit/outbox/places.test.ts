/** The places of a kind: which entries may begin beside those that run, by the results of their groups. */
import { expect, test } from '@jest/globals';
import { Places } from '../../../src/outbox/places.ts';

/** What happens, in order: a run of a group begins, or ends with a status, or time passes in milliseconds. */
type Step = readonly [begins: string] | readonly [ends: string, status: 'ok' | 'dead' | 'waiting' | 'gone'] | number;

let now = 0;
const placesAfter = (steps: readonly Step[], kind: object = {}): Places => {
  now = 0;
  const places = new Places({ concurrency: 6, groupConcurrency: 4, slowAfterMs: 1000, ...kind }, () => now);
  const running: { id: string; group: string }[] = [];
  for (const [at, step] of steps.entries()) {
    if (typeof step === 'number') now += step;
    else if (step[1] === undefined) {
      running.push({ id: String(at), group: step[0] });
      places.began({ id: String(at), group: step[0] });
    } else {
      const run = running.splice(
        running.findIndex(({ group }) => group === step[0]),
        1,
      )[0] ?? { id: 'none', group: step[0] };
      places.ended(run, step[1]);
    }
  }
  return places;
};
/** How many entries of groups may begin, where each has more than enough. */
const begun = (places: Places, groups: readonly string[]): Readonly<Record<string, number>> => {
  const { room } = places;
  const counts: Record<string, number> = {};
  let left = room.max;
  for (let at = 0; at < 100 && left > 0; at++)
    for (const group of groups)
      if (left > 0 && !room.withoutGroups.includes(group) && room.take(group)) {
        counts[group] = (counts[group] ?? 0) + 1;
        left--;
      }
  return counts;
};
const hung: readonly Step[] = ['a', 'b', 'a', 'b', 'a', 'b'].map((group) => [group] as const);

interface Case {
  readonly steps?: readonly Step[];
  readonly groups?: readonly string[];
  readonly kind?: object;
  readonly expected: Readonly<Record<string, number>>;
}

test.each<readonly [string, Case]>([
  ['none has run', { expected: { a: 2, b: 2, c: 2 } }],
  ['a group is alone', { groups: ['a'], expected: { a: 4 } }],
  ['a group has failed', { steps: [['a', 'waiting']], expected: { a: 1, b: 3, c: 2 } }],
  ['an entry is dead', { steps: [['a', 'dead']], expected: { a: 1, b: 3, c: 2 } }],
  [
    'a group answers again',
    {
      steps: [
        ['a', 'waiting'],
        ['a', 'ok'],
      ],
      expected: { a: 2, b: 2, c: 2 },
    },
  ],
  [
    'an entry is gone',
    {
      steps: [
        ['a', 'waiting'],
        ['a', 'gone'],
      ],
      expected: { a: 2, b: 2, c: 2 },
    },
  ],
  [
    'many groups have failed',
    {
      steps: ['a', 'b', 'd', 'e'].map((group) => [group, 'dead']),
      groups: ['a', 'b', 'd', 'e', 'c'],
      expected: { a: 1, b: 1, d: 1, c: 3 },
    },
  ],
  ['all places are taken', { steps: hung, expected: {} }],
  ['those that have them hang', { steps: [...hung, 1000], expected: { c: 4 } }],
  ['those of a kind that works take long', { steps: [...hung, 1000], kind: { slowAfterMs: undefined }, expected: {} }],
  ['there is one place', { steps: [['a', 'dead']], groups: ['a'], kind: { concurrency: 1 }, expected: { a: 1 } }],
])('where %s, others begin', (_name, { steps = [], groups = ['a', 'b', 'c'], kind, expected }) => {
  expect(begun(placesAfter(steps, kind), groups)).toEqual(expected);
});

test('places that are given back have a bound', () => {
  const steps = Array.from({ length: 30 }, (_, at): Step[] => [[`g${at}`], 1000]).flat();
  expect(placesAfter(steps).room.max).toBe(0);
  expect(placesAfter(steps.slice(2)).room.max).toBe(1);
});

test('the next place that is given back is known', () => {
  expect(placesAfter([['a'], 300, ['b'], 200]).freeInMs).toBe(500);
  expect(placesAfter([['a'], 1000]).freeInMs).toBeUndefined();
  expect(placesAfter([['a']], { slowAfterMs: undefined }).freeInMs).toBeUndefined();
});
