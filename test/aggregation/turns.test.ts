/** Pipelines of one caller run one at a time, but for a few quick ones, so that many at once delay their own caller only. */
import { jest } from '@jest/globals';
import { openReading, type Person, type World } from '../support/fixtures/reading/index.ts';
import { until } from '../support/waiting.ts';

let world: World;
beforeAll(async () => {
  world = await openReading();
});

/** @param limit names the pipeline, which is quick as soon as it has run twice */
const pipeline = (as: Person, limit: number): Promise<number> =>
  world.as(as, 'POST', '/aggregate/book', { body: [{ $limit: limit }, { $count: 'n' }] }).then(({ status }) => status);

/** Holds a place of a caller until the returned function is called. */
async function hold(by: string, kind: 'pipelines' | 'quickPipelines' = 'pipelines'): Promise<() => Promise<void>> {
  const { shares } = world.dossier.services;
  let end = (): void => undefined;
  const ended = new Promise<void>((done) => (end = done));
  let held: Promise<void> | undefined;
  await new Promise<void>((begun) => {
    held = shares[kind](by, {}, () => {
      begun();
      return ended;
    });
  });
  return async () => {
    end();
    await held;
  };
}

const anonymous = '127.0.0.1';

test.each<[Person, () => string, Person]>([
  ['eve', () => world.ids['eve'] ?? '', 'ann'],
  ['anonymous', () => anonymous, 'eve'],
  ['eve', () => world.ids['eve'] ?? '', 'anonymous'],
])('a pipeline of %s waits for the other ones of the same caller, and no other caller does', async (as, by, other) => {
  const release = await hold(by());
  const answered: string[] = [];
  const waiting = pipeline(as, 1).then((status) => answered.push(`own ${status}`));
  for (let times = 0; times < 3; times++) answered.push(`other ${await pipeline(other, 2)}`);
  expect(answered).toEqual(['other 200', 'other 200', 'other 200']);
  await release();
  await waiting;
  expect(answered.at(-1)).toBe('own 200');
});

test('a caller who has too many waiting is refused at once', async () => {
  const release = await hold(anonymous);
  const statuses: number[] = [];
  const all = Array.from({ length: 60 }, async () => statuses.push(await pipeline('anonymous', 3)));
  await until(() => statuses.length === 10);
  await release();
  await Promise.all(all);
  expect(statuses).toEqual([...Array<number>(10).fill(503), ...Array<number>(50).fill(200)]);
});

test('a pipeline that was quick runs beside a slow one, with four at a time', async () => {
  const by = world.ids['eve'] ?? '';
  // however busy the machine is, it takes no time
  const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  for (let times = 0; times < 3; times++) await pipeline('eve', 4);
  const releases = [await hold(by)];
  expect(await pipeline('eve', 4)).toBe(200);
  for (let times = 0; times < 4; times++) releases.push(await hold(by, 'quickPipelines'));
  const answered: string[] = [];
  const waiting = pipeline('eve', 4).then((status) => answered.push(`quick ${status}`));
  answered.push(`other ${await pipeline('ann', 5)}`);
  expect(answered).toEqual(['other 200']);
  await releases.pop()?.();
  await waiting;
  for (const release of releases) await release();
  clock.mockRestore();
  expect(answered).toEqual(['other 200', 'quick 200']);
});
