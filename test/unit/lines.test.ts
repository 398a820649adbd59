/** Lines of work of one name: in order, together when the database is away, and never for longer than the patience. */
import { expect, test } from '@jest/globals';
import { unavailable } from '../../src/errors.ts';
import { makeQueues } from '../../src/transactions.ts';

const patience = 60_000;

interface Gate {
  readonly passed: Promise<void>;
  readonly open: () => void;
  readonly fail: (error: Error) => void;
}
function gate(): Gate {
  let open = (): void => undefined;
  let fail: Gate['fail'] = () => undefined;
  const passed = new Promise<void>((done, failed) => {
    open = done;
    fail = failed;
  });
  return { passed, open: () => open(), fail: (error) => fail(error) };
}

const outcome = (work: Promise<unknown>): Promise<unknown> => work.catch((error: Error) => error.message);

test('work of one name runs in order, whether the one before succeeds or fails; other names do not wait', async () => {
  const oneAtATime = makeQueues(patience);
  const first = gate();
  const ran: string[] = [];
  const all = [
    oneAtATime('a', () => first.passed),
    oneAtATime('a', async () => void ran.push('second')),
    oneAtATime('a', async () => void ran.push('third')),
  ].map(outcome);
  await oneAtATime('b', async () => void ran.push('other'));
  expect(ran).toEqual(['other']);
  first.fail(new Error('a fault of its own'));
  expect(await Promise.all(all)).toEqual(['a fault of its own', undefined, undefined]);
  expect(ran).toEqual(['other', 'second', 'third']);
});

test('work that finds the database away takes all behind it along; work that comes later is tried', async () => {
  const oneAtATime = makeQueues(patience);
  const first = gate();
  let ran = 0;
  const waiting = Array.from({ length: 20 }, () => outcome(oneAtATime('a', async () => void (ran += 1))));
  const head = outcome(oneAtATime('b', () => first.passed));
  const behind = Array.from({ length: 20 }, () => outcome(oneAtATime('b', async () => void (ran += 100))));
  await Promise.all(waiting);
  first.fail(unavailable());
  expect(await Promise.all([head, ...behind])).toEqual(Array(21).fill('Database unavailable'));
  expect(ran).toBe(20);
  expect(await oneAtATime('b', async () => 'again')).toBe('again');
});

test('work that has waited too long is refused, and never begins', async () => {
  const oneAtATime = makeQueues(10);
  const first = gate();
  const head = oneAtATime('a', () => first.passed);
  let ran = false;
  await expect(oneAtATime('a', async () => void (ran = true))).rejects.toMatchObject({ status: 503, message: 'Busy' });
  first.open();
  await head;
  expect(await oneAtATime('a', async () => 'next')).toBe('next');
  expect(ran).toBe(false);
});
