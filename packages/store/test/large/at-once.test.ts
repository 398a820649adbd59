/**
 * Twenty pipelines at once, with each expression operator on large operands: what others send meanwhile is answered
 * after a few slices of them, not after all.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Document } from 'bson';
import { operators } from '../../../language/src/aggregate/expressions/operators.ts';
import { Engine } from '../../src/engine/engine.ts';
import { defaultLimits } from '../../src/engine/limits.ts';
import { memoryStorage } from '../../src/storage/storage.ts';
import { listen, type ListeningServer } from '../../src/wire/server.ts';
import { RawConnection } from '../server/raw.ts';
import { largeCases, largeDocument } from './expression-cases.ts';

const count = 20;
/**
 * Maximum slices of the pipelines between a message and its answer, half of what all of them take. Client and store
 * share the event loop, which turns about four times for them: the message is sent and received, and so is the answer.
 * A slice runs in each turn.
 */
const maxSlices = 10;

let engine: Engine;
let server: ListeningServer;
let long: RawConnection[];
let other: RawConnection;

async function start(sliceMs: number): Promise<void> {
  const limits = { ...defaultLimits, sliceMs };
  engine = await Engine.start(memoryStorage, limits, { onWarning: () => undefined, onFatal: () => undefined });
  server = await listen(engine, { kind: 'loopback', port: 0, hosts: ['127.0.0.1'] }, undefined);
  long = await Promise.all(Array.from({ length: count }, () => RawConnection.to(server.address)));
  other = await RawConnection.to(server.address);
  await other.command({ insert: 'one', documents: [largeDocument, { _id: 2, n: 1 }], $db: 'large' });
}

async function stop(): Promise<void> {
  await engine.close();
  await server.close();
}

/** The slices of pipelines so far: each ends by yielding, or with the pipeline. */
function slices(): number {
  const running = engine.operations.filter(({ name }) => name === 'aggregate');
  const ended = (engine.counts.get('aggregate') ?? 0) - running.length;
  return ended + running.reduce((sum, { yieldCount }) => sum + yieldCount, 0);
}

const messages: readonly Document[] = [
  { hello: 1, $db: 'admin' },
  { ping: 1, $db: 'admin' },
  { find: 'one', filter: { _id: 2 }, $db: 'large' },
];

/** The slices of the pipelines between each message and its answer. */
async function slicesWithin(expression: unknown): Promise<number[]> {
  const pipeline = [{ $match: { _id: 1 } }, { $project: { _id: 0, size: { $bsonSize: { value: expression } } } }];
  const running = long.map((connection) =>
    connection.command({ aggregate: 'one', pipeline, cursor: {}, maxTimeMS: 10_000, $db: 'large' }),
  );
  const within: number[] = [];
  for (const message of messages) {
    const before = slices();
    await other.command(message);
    within.push(slices() - before);
  }
  for (const { id, name } of engine.operations) if (name === 'aggregate') engine.kill(id);
  await Promise.all(running);
  return within;
}

const expressions = [...largeCases].flatMap(([name, cases]) =>
  cases.slice(0, 1).map(({ expression }) => [name, expression] as const),
);

test('every operator that takes operands has a case', () => {
  const named = new Set(expressions.map(([name]) => name));
  expect([...operators.keys()].filter((name) => !named.has(name)).toSorted()).toEqual([
    '$function',
    '$meta',
    '$toHashedIndexKey',
  ]);
});

describe('others are answered during twenty pipelines with', () => {
  // on a busy machine, a short command may take longer than the usual slice by the clock
  beforeAll(() => start(10_000));
  afterAll(stop);

  test.each(expressions)('%s', async (_name, expression) => {
    expect(Math.max(...(await slicesWithin(expression)))).toBeLessThanOrEqual(maxSlices);
  });
});

test('a short pipeline goes before long ones that have run, and these still advance', async () => {
  await start(10);
  const rounds = 4;
  const slow = { $map: { input: { $range: [0, { $add: ['$n', 2000] }] }, in: { $add: ['$$this', 1] } } };
  const pipeline = [
    { $match: { _id: 2 } },
    { $set: { n: { $range: [0, 100_000] } } },
    { $unwind: '$n' },
    { $match: { $expr: { $eq: [{ $size: slow }, 0] } } },
  ];
  const running = long.map((connection) =>
    connection.command({ aggregate: 'one', pipeline, cursor: {}, maxTimeMS: 60_000, $db: 'large' }),
  );
  const first = slices();
  while (slices() < first + count * rounds) await other.command({ ping: 1, $db: 'admin' });
  const before = slices();
  await other.command({ aggregate: 'one', pipeline: [{ $match: { _id: 2 } }], cursor: {}, $db: 'large' });
  // the short pipeline is one of them
  expect(slices() - before).toBeLessThanOrEqual(maxSlices + 1);
  const all = engine.operations.filter(({ name }) => name === 'aggregate');
  expect(Math.min(...all.map(({ yieldCount }) => yieldCount))).toBeGreaterThan(0);
  for (const { id } of all) engine.kill(id);
  await Promise.all(running);
  await stop();
});
