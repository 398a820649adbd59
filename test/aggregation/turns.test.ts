/** Pipelines of one caller run one at a time, so that many at once delay their own caller only. */
import { openReading, type Person, type World } from '../support/fixtures/reading/index.ts';
import { until } from '../support/waiting.ts';

let world: World;
beforeAll(async () => {
  world = await openReading();
});

const pipeline = (as: Person): Promise<number> =>
  world.as(as, 'POST', '/aggregate/book', { body: [{ $count: 'n' }] }).then(({ status }) => status);

/** Holds the turn of a caller until the returned function is called. */
async function hold(by: string): Promise<() => Promise<void>> {
  const { shares } = world.dossier.services;
  let end = (): void => undefined;
  const ended = new Promise<void>((done) => (end = done));
  let held: Promise<void> | undefined;
  await new Promise<void>((begun) => {
    held = shares.pipelines(by, {}, () => {
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
  const waiting = pipeline(as).then((status) => answered.push(`own ${status}`));
  for (let times = 0; times < 3; times++) answered.push(`other ${await pipeline(other)}`);
  expect(answered).toEqual(['other 200', 'other 200', 'other 200']);
  await release();
  await waiting;
  expect(answered.at(-1)).toBe('own 200');
});

test('a caller who has too many waiting is refused at once', async () => {
  const release = await hold(anonymous);
  const statuses: number[] = [];
  const all = Array.from({ length: 60 }, async () => statuses.push(await pipeline('anonymous')));
  await until(() => statuses.length === 10);
  await release();
  await Promise.all(all);
  expect(statuses).toEqual([...Array<number>(10).fill(503), ...Array<number>(50).fill(200)]);
});
